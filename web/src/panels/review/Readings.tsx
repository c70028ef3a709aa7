import { useRef } from "react";
import type { Job } from "../../client/rest";
import { tell } from "../../design/toasts";
import { JobProgress } from "../../story/JobProgress";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";
import type { Reading } from "./useReadings";

const SHOWN = 3;

interface ReadingsProps {
  readings: readonly Reading[];
  onEnd(jobId: string): void;
}

/** The first few readings that go on, each with a way to stop it. */
export function Readings({ readings, onEnd }: ReadingsProps) {
  const t = useTexts(texts);
  const sum = useRef({ texts: 0, found: 0 });
  const told = ({ label }: Reading, job: Job) => {
    if (job.status !== "done") {
      tell(job.status === "cancelled" ? t.readCancelled(label) : t.readFailed(label));
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
      onEnd={(job) => {
        told(reading, job);
        onEnd(reading.jobId);
      }}
    />
  ));
}
