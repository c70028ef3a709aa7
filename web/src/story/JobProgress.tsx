import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { cancelJob, type Job } from "../client/rest";
import { readJobOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { tellTrouble } from "../design/toasts";
import { queries, refreshStory } from "../server/server";
import { glossary } from "../texts/glossary";
import { inBoth, useTexts } from "../texts/language";
import styles from "./JobProgress.module.css";

const EVERY_MS = 600;
// Before that, the time that is left would be a guess.
const LEAST_SHARE = 0.05;
const LEAST_MS = 2_000;

const texts = inBoth({
  left: [
    (seconds: number) =>
      seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`,
    (seconds: number) => (seconds < 90 ? `约剩 ${seconds} 秒` : `约剩 ${Math.round(seconds / 60)} 分钟`),
  ],
});

export const isOver = (job: Job): boolean => !["queued", "processing"].includes(job.status);

interface JobProgressProps {
  jobId: string;
  label: string;
  /** How far it is, in the words of whoever waits; by default only the bar says so. */
  told?(job: Job): string;
  /** How it ended; asked for once. */
  onEnd(job: Job): void;
}

/** Long work while it is being done, and a button that stops it. */
export function JobProgress({ jobId, label, told, onEnd }: JobProgressProps) {
  const t = useTexts(texts);
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
  const left = useTimeLeft(data?.progress ?? 0);
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
      <span className={styles.label}>
        {label}
        {data && told && ` ${told(data)}`}
        {left !== null && ` · ${t.left(left)}`}
      </span>
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

/** The seconds that work probably takes from here on, judged by how it went while somebody looked. */
function useTimeLeft(progress: number): number | null {
  const begun = useRef<{ at: number; progress: number } | null>(null);
  if (progress > 0) begun.current ??= { at: Date.now(), progress };
  const since = begun.current;
  if (!since || progress >= 1) return null;
  const [done, ms] = [progress - since.progress, Date.now() - since.at];
  if (done < LEAST_SHARE || ms < LEAST_MS) return null;
  return Math.max(1, Math.round(((1 - progress) * ms) / done / 1000));
}
