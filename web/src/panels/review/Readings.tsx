import type { Job } from "../../client/rest";
import { tell } from "../../design/toasts";
import { JobProgress } from "../../story/JobProgress";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

/** A text that is being read in the background. */
export interface Reading {
  readonly jobId: string;
  readonly label: string;
}

interface ReadingsProps {
  readings: readonly Reading[];
  onEnd(jobId: string): void;
}

/** The readings that go on, the first in sight with a way to stop it. */
export function Readings({ readings, onEnd }: ReadingsProps) {
  const t = useTexts(texts);
  const told = ({ label }: Reading, job: Job) => {
    if (job.status === "done") tell(t.readDone(label, job.message || "0"));
    else tell(job.status === "cancelled" ? t.readCancelled(label) : t.readFailed(label));
  };
  return readings.map((reading) => (
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
