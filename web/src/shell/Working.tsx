import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { loaded } from "../server/loaded";
import { unfinishedOptions } from "../story/jobs";
import { useTexts } from "../texts/language";
import { texts } from "./texts";
import styles from "./Working.module.css";

const JobsDialog = lazy(() => loaded(() => import("./JobsDialog")));

const WHILE_WORKING_MS = 2_000;
const ELSE_MS = 15_000;

/** What is being done in the background: how much of it there is, and the way to the list. */
export function Working({ storyId }: { storyId: string }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const jobs = useQuery({
    ...unfinishedOptions(storyId),
    refetchInterval: ({ state }) => (state.data?.content.length ? WHILE_WORKING_MS : ELSE_MS),
  });
  const count = jobs.data?.totalElements ?? 0;
  const [only] = jobs.data?.content ?? [];
  const share = count === 1 && only && only.progress > 0 ? ` · ${Math.floor(only.progress * 100)} %` : "";
  return (
    <>
      {count > 0 && (
        <button type="button" className={styles.pill} title={t.jobs} onClick={() => setOpen(true)}>
          <span className={styles.dot} />
          {t.working(count)}
          {share}
        </button>
      )}
      {isOpen && (
        <Suspense>
          <JobsDialog storyId={storyId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
