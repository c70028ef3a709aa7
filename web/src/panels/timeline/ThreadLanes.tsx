import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { StoryThread } from "../../client/rest";
import { listThreadsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { panelOf } from "../../story/addresses";
import type { Places } from "../../story/places";
import { PointLink } from "../../story/threads/PointLink";
import { texts as threadTexts } from "../../story/threads/texts";
import { pointsOf } from "../../story/threads/threads";
import { useTexts } from "../../texts/language";
import styles from "./ThreadLanes.module.css";
import { texts } from "./texts";
import { chaptersOf, stretchOf } from "./threadLanes";

const FEW = 8;

/** One lane for each thread: in which chapters it is planted, goes on, is paid off, and is due. */
export function ThreadLanes({ storyId, places }: { storyId: string; places: Places }) {
  const t = useTexts(texts);
  const [isAll, setAll] = useState(false);
  const threads = useQuery(listThreadsOptions({ path: { storyId } })).data?.items ?? [];
  const placed = threads.filter((thread) => stretchOf(thread) !== null);
  if (placed.length === 0) return null;
  const shown = isAll ? placed : placed.slice(0, FEW);
  const chapters = chaptersOf(shown);
  return (
    <section className={styles.lanes} aria-label={t.threadLanes}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <div className={styles.box} tabIndex={0} role="group" aria-label={t.threadLanes}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.threads}</th>
              {chapters.map((chapter) => (
                <th key={chapter} scope="col">
                  {places.chapterName(chapter)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((thread) => (
              <LaneRow
                key={thread.id}
                storyId={storyId}
                thread={thread}
                chapters={chapters}
                places={places}
              />
            ))}
          </tbody>
        </table>
      </div>
      {placed.length > FEW && (
        <button type="button" className={styles.more} onClick={() => setAll(!isAll)}>
          {isAll ? t.fewerThreads : t.moreThreads(placed.length - FEW)}
        </button>
      )}
    </section>
  );
}

interface LaneRowProps {
  storyId: string;
  thread: StoryThread;
  chapters: readonly number[];
  places: Places;
}

function LaneRow({ storyId, thread, chapters, places }: LaneRowProps) {
  const t = useTexts(texts);
  const words = useTexts(threadTexts);
  const stretch = stretchOf(thread);
  const points = pointsOf(thread);
  return (
    <tr data-status={thread.status}>
      <th scope="row">
        <Link to={panelOf(storyId, "threads", { thread: thread.id })}>{thread.title}</Link>
      </th>
      {chapters.map((chapter) => {
        const isOn = stretch !== null && stretch.from <= chapter && chapter <= stretch.to;
        const isDue = thread.dueAt?.chapter === chapter;
        return (
          <td key={chapter} data-on={isOn || undefined}>
            <span className={styles.cell}>
              {points
                .filter(({ point }) => point.chapter === chapter)
                .map(({ role, point }) => (
                  <PointLink
                    key={point.id}
                    storyId={storyId}
                    role={role}
                    point={point}
                    at={places.momentName(point)}
                  />
                ))}
              {isDue && (
                <span className={styles.due} title={t.threadDue}>
                  {words.due}
                </span>
              )}
            </span>
          </td>
        );
      })}
    </tr>
  );
}
