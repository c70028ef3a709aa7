import { useRef } from "react";
import type { Job } from "../../client/rest";
import { tell, tellTrouble } from "../../design/toasts";
import { JobProgress } from "../../story/JobProgress";
import { countedBy } from "../../story/jobs";
import { useTexts } from "../../texts/language";
import { queueAll, type Reader } from "./ReadDialog";
import { texts } from "./texts";
import type { Reading } from "./useReadings";

const SHOWN = 3;

interface ReadingsProps {
  storyId: string;
  readings: readonly Reading[];
  onBegun(readings: Reading[]): void;
  onEnd(jobId: string): void;
}

/** The first few readings that go on, each with a way to stop it. */
export function Readings({ storyId, readings, onBegun, onEnd }: ReadingsProps) {
  const t = useTexts(texts);
  const sum = useRef({ texts: 0, found: 0 });
  const goOn = async (reader: Reader) => {
    try {
      onBegun([await queueAll(storyId, reader, t.readingAll)]);
    } catch (error) {
      tellTrouble(error);
    }
  };
  const told = ({ label, goesOn }: Reading, job: Job) => {
    if (job.status !== "done") {
      const again = goesOn && { label: t.readOn, run: () => void goOn(goesOn) };
      tell(job.status === "cancelled" ? t.readCancelled(label) : t.readFailed(label), again);
      return;
    }
    sum.current.texts += 1;
    sum.current.found += Number(job.message) || 0;
    if (readings.length > 1) return;
    const { texts: count, found } = sum.current;
    tell(count === 1 ? t.readDone(label, found) : t.readManyDone(count, found));
    sum.current = { texts: 0, found: 0 };
  };
  return readings.slice(0, SHOWN).map((reading) => (
    <JobProgress
      key={reading.jobId}
      jobId={reading.jobId}
      label={t.reading(reading.label)}
      told={countedBy}
      onEnd={(job) => {
        told(reading, job);
        onEnd(reading.jobId);
      }}
    />
  ));
}
