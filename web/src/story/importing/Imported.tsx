import { useState } from "react";
import type { ImportFileResponse, Job } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { JobProgress } from "../JobProgress";
import { countsOf } from "./counts";
import { Problems } from "./Problems";
import { texts } from "./texts";

interface ImportedProps {
  done: ImportFileResponse;
  /** Whether it went into the story that one is in. */
  isHere: boolean;
  onOpen(storyId: string): void;
  onClose(): void;
}

/** What became of a file; a novel is being read meanwhile, and that can be stopped. */
export function Imported({ done, isHere, onOpen, onClose }: ImportedProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [job, setJob] = useState<Job | null>(null);
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.close}</Button>
          {!isHere && done.storyId !== null && (
            <Button look="primary" onClick={() => onOpen(done.storyId ?? "")}>
              {t.open}
            </Button>
          )}
        </>
      }
    >
      <p role="status">
        {t.done(done.title)} {countsOf(done, t)}
      </p>
      <Problems problems={done.problems ?? []} count={done.problemCount ?? 0} />
      {done.taskId && !job && <JobProgress jobId={done.taskId} label={t.reading} onEnd={setJob} />}
      {job && (
        <p role="status">
          {job.status === "done"
            ? t.readDone
            : job.status === "cancelled"
              ? t.readStopped
              : t.readFailed(job.message)}
        </p>
      )}
    </Dialog>
  );
}
