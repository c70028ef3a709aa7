import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { loaded } from "../server/loaded";
import { unfinishedOptions } from "../story/jobs";
import { useTexts } from "../texts/language";
import { texts } from "./texts";
import styles from "./Working.module.css";

const JobsDialog = lazy(() => loaded(() => import("./JobsDialog")));

// A save brings these three, and the page where one writes tells of them; only a pile of them is news elsewhere.
const AFTER_SAVING = ["scene-extraction", "scene-snapshot", "story-checks"];
const PILE = 6;

const WHILE_WORKING_MS = 2_000;
const ELSE_MS = 15_000;

/** What is being done in the background: how much of it there is, and the way to the list. */
export function Working({ storyId, className }: { storyId: string; className?: string | undefined }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const jobs = useQuery({
    ...unfinishedOptions(storyId),
    refetchInterval: ({ state }) => (state.data?.content.length ? WHILE_WORKING_MS : ELSE_MS),
  });
  const all = jobs.data?.totalElements ?? 0;
  const others = (jobs.data?.content ?? []).filter(({ kind }) => !AFTER_SAVING.includes(kind));
  const count = all >= PILE ? all : others.length;
  const [only] = others;
  const share = count === 1 && only && only.progress > 0 ? ` · ${Math.floor(only.progress * 100)} %` : "";
  return (
    <>
      {count > 0 && (
        <button
          type="button"
          className={`${styles.pill} ${className ?? ""}`}
          title={t.jobs}
          onClick={() => setOpen(true)}
        >
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
