import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { cancelJob, type Job } from "../client/rest";
import { readJobOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { tellTrouble } from "../design/toasts";
import { queries, refreshStory } from "../server/server";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import styles from "./JobProgress.module.css";

const EVERY_MS = 600;

export const isOver = (job: Job): boolean => !["queued", "processing"].includes(job.status);

interface JobProgressProps {
  jobId: string;
  label: string;
  /** How it ended; asked for once. */
  onEnd(job: Job): void;
}

/** Long work while it is being done, and a button that stops it. */
export function JobProgress({ jobId, label, onEnd }: JobProgressProps) {
  const words = useTexts(glossary);
  const options = readJobOptions({ path: { jobId } });
  const job = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : EVERY_MS),
  });
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const isTold = useRef(false);
  const { data } = job;
  const isEnded = data !== undefined && isOver(data);
  useEffect(() => {
    if (!isEnded || data === undefined || isTold.current) return;
    isTold.current = true;
    void refreshStory(data.storyId);
    ended.current(data);
  }, [isEnded, data]);
  const cancel = async () => {
    try {
      await cancelJob({ path: { jobId } });
      await queries.invalidateQueries({ queryKey: options.queryKey });
    } catch (error) {
      tellTrouble(error);
    }
  };
  return (
    <div className={styles.job} role="status">
      <span className={styles.label}>{label}</span>
      <progress
        aria-label={label}
        max={1}
        {...(data && data.progress > 0 ? { value: data.progress } : {})}
        className={styles.bar}
      />
      <Button size="small" onClick={() => void cancel()}>
        {words.cancel}
      </Button>
    </div>
  );
}
