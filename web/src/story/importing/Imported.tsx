import { useState } from "react";
import type { ImportFileResponse, Job } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { JobProgress } from "../JobProgress";
import { usePlaces } from "../places";
import { countsOf } from "./counts";
import { Problems } from "./Problems";
import { texts } from "./texts";

interface ImportedProps {
  done: ImportFileResponse;
  /** Whether it went into the story that one is in. */
  isHere: boolean;
  onOpen(storyId: string): void;
  /** Shows who is in the novel. */
  onCast(): void;
  onClose(): void;
}

/** What became of a file; a novel is being read meanwhile, and that can be stopped. */
export function Imported({ done, isHere, onOpen, onCast, onClose }: ImportedProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [job, setJob] = useState<Job | null>(null);
  const isRead = done.kind === "novel" && (done.taskId === null || job?.status === "done");
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.close}</Button>
          {done.storyId !== null && (!isHere || done.bookId) && (
            <Button look={isRead ? "plain" : "primary"} onClick={() => onOpen(done.storyId ?? "")}>
              {isHere ? t.showBook : t.open}
            </Button>
          )}
          {isRead && (
            <Button look="primary" icon="people" onClick={onCast}>
              {t.seeCast}
            </Button>
          )}
        </>
      }
    >
      <p role="status">
        {t.done(done.title)} {countsOf(done, t)}
      </p>
      <Problems problems={done.problems ?? []} count={done.problemCount ?? 0} />
      {done.taskId && !job && (
        <NovelProgress jobId={done.taskId} storyId={done.storyId ?? ""} onEnd={setJob} />
      )}
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

/** Which chapter the reading of a novel is at, as the book calls it. */
function NovelProgress({ jobId, storyId, onEnd }: { jobId: string; storyId: string; onEnd(job: Job): void }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const told = ({ message }: Job) => {
    const [, read, of] = /^(\d+) \/ (\d+)$/.exec(message) ?? [];
    if (read === undefined || read === "0") return "";
    return t.readSoFar(places.chapterName(Number(read) - 1), Number(of));
  };
  return <JobProgress jobId={jobId} label={t.reading} told={told} onEnd={onEnd} />;
}
