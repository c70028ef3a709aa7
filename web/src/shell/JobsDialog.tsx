import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { cancelJob, type Job } from "../client/rest";
import { listJobsOptions } from "../client/rest/@tanstack/react-query.gen";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { Loading, Trouble } from "../design/states";
import { tellTrouble } from "../design/toasts";
import { queries } from "../server/server";
import { isOver, JobProgress } from "../story/JobProgress";
import { countedBy, unfinishedOptions, useJobName } from "../story/jobs";
import { glossary } from "../texts/glossary";
import { useLanguage, useTexts } from "../texts/language";
import styles from "./JobsDialog.module.css";
import { texts } from "./texts";

const LOOK_EVERY_MS = 1_000;
const ENDED = 8;

/** The background work of a story: what runs and waits, with a way to stop it, and how the last of it ended. */
export default function JobsDialog({ storyId, onClose }: { storyId: string; onClose(): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const nameOf = useJobName(storyId);
  const [isStopping, setStopping] = useState(false);
  const unfinished = unfinishedOptions(storyId);
  const going = useQuery({ ...unfinished, refetchInterval: LOOK_EVERY_MS });
  const latest = useQuery({
    ...listJobsOptions({ path: { storyId }, query: { size: ENDED * 3 } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const asked = going.data?.content ?? [];
  const ended = (latest.data?.content ?? []).filter(isOver).slice(0, ENDED);
  const outcome = (job: Job) =>
    job.status === "failed"
      ? `${t.jobFailed} ${job.message}`
      : job.status === "cancelled"
        ? t.jobCancelled
        : t.jobDone;
  const stop = async (jobs: readonly Job[]) => {
    setStopping(true);
    try {
      for (const { id } of jobs) await cancelJob({ path: { jobId: id } });
    } catch (error) {
      tellTrouble(error);
    }
    setStopping(false);
    await queries.invalidateQueries({ queryKey: unfinished.queryKey });
  };
  return (
    <Dialog
      title={t.jobs}
      onClose={onClose}
      actions={
        <>
          {asked.length > 1 && (
            <Button disabled={isStopping} onClick={() => void stop(asked)}>
              {t.jobsStop}
            </Button>
          )}
          <Button look="primary" onClick={onClose}>
            {words.close}
          </Button>
        </>
      }
    >
      {going.error ? (
        <Trouble error={going.error} onRetry={() => void going.refetch()} />
      ) : !going.data ? (
        <Loading rows={3} />
      ) : (
        <div className={styles.jobs}>
          {asked.length === 0 && <p className={styles.quiet}>{t.jobsNone}</p>}
          {asked.map((job) =>
            job.status === "processing" ? (
              <JobProgress
                key={job.id}
                jobId={job.id}
                label={nameOf(job)}
                told={countedBy}
                onEnd={() => void going.refetch()}
              />
            ) : (
              <div key={job.id} className={styles.row}>
                <span className={styles.name}>{nameOf(job)}</span>
                <span className={styles.quiet}>{t.jobWaits}</span>
                <Button size="small" disabled={isStopping} onClick={() => void stop([job])}>
                  {words.cancel}
                </Button>
              </div>
            ),
          )}
        </div>
      )}
      {ended.length > 0 && (
        <section className={styles.jobs} aria-labelledby="jobs-ended">
          <h3 id="jobs-ended" className={styles.heading}>
            {t.jobsEnded}
          </h3>
          {ended.map((job) => (
            <div key={job.id} className={styles.row} data-status={job.status}>
              <span className={styles.name}>{nameOf(job)}</span>
              <span className={styles.quiet}>{outcome(job)}</span>
              <time className={styles.quiet} dateTime={job.finishedAt ?? job.createdAt}>
                {new Date(job.finishedAt ?? job.createdAt).toLocaleTimeString(language, {
                  timeStyle: "short",
                })}
              </time>
            </div>
          ))}
        </section>
      )}
    </Dialog>
  );
}
