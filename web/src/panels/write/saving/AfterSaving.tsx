import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listExtractionsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { unfinishedOptions } from "../../../story/jobs";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Saving.module.css";

const LOOK_EVERY_MS = 2_500;
const KNOWN = {
  "scene-extraction": "jobReading",
  "scene-snapshot": "jobSumming",
  "story-checks": "jobChecking",
} as const;

/** What saving has brought with it, in a word: what is being done, and what waits for a decision. */
export function AfterSaving({ storyId }: { storyId: string }) {
  const t = useTexts(texts);
  const jobs = useQuery({
    ...unfinishedOptions(storyId),
    refetchInterval: ({ state }) => (state.data?.content.length ? LOOK_EVERY_MS : false),
  });
  const finds = useQuery(listExtractionsOptions({ path: { storyId }, query: { reviewed: false, size: 1 } }));
  const running = jobs.data?.content.find(({ status }) => status === "processing") ?? jobs.data?.content[0];
  const count = finds.data?.totalElements ?? 0;
  return (
    <span className={styles.after} aria-live="off">
      {running && (
        <span className={styles.job} data-running={running.status === "processing" || undefined}>
          {running.kind in KNOWN ? t[KNOWN[running.kind as keyof typeof KNOWN]] : t.jobOther}
        </span>
      )}
      {count > 0 && <Link to={`/stories/${encodeURIComponent(storyId)}/review`}>{t.finds(count)}</Link>}
    </span>
  );
}
