import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { Appearance } from "../../client/rest";
import { appearancesOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Marked } from "../../design/Marked";
import { scenePage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Appearances.module.css";
import { Course } from "./Course";
import { Section } from "./Section";
import { texts } from "./texts";

// More chapters than that have no room for a bar and a name each.
const IN_BARS = 16;

/** How often each chapter names somebody, from the first chapter of the story to the last that counts. */
export function countsByChapter(
  items: readonly Appearance[],
  chapters: readonly number[],
): [number, number][] {
  const counts = new Map<number, number>(chapters.map((chapter) => [chapter, 0]));
  for (const { chapter, count } of items) counts.set(chapter, (counts.get(chapter) ?? 0) + count);
  return [...counts].toSorted(([one], [other]) => one - other);
}

/** Where an entity is named: a bar for each chapter, and the words of the chapter that is chosen. */
export function Appearances({ storyId, entityId }: { storyId: string; entityId: string }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const found = useQuery(appearancesOptions({ path: { storyId, entityId } }));
  const [chosen, setChosen] = useState<number | null>(null);
  const items = found.data?.items ?? [];
  if (!found.data || items.length === 0) {
    return (
      <Section title={t.appearances}>
        {found.data && <p className={styles.none}>{t.appearancesNone}</p>}
      </Section>
    );
  }
  const counts = countsByChapter(
    items,
    places.chapters.map(({ chapter }) => chapter),
  );
  const most = Math.max(...counts.map(([, count]) => count));
  const isLong = counts.length > IN_BARS;
  const opened = isLong ? (chosen ?? items[0]?.chapter ?? null) : chosen;
  const shown = items.filter(({ chapter }) => chapter === opened);
  return (
    <Section title={t.appearances} note={t.appearancesCount(found.data.totalCount, items.length)}>
      {isLong ? (
        <Course places={places} counts={counts} chosen={opened} onChoose={setChosen} />
      ) : (
        <ol className={styles.bars}>
          {counts.map(([chapter, count]) => (
            <li key={chapter}>
              <button
                type="button"
                className={styles.bar}
                disabled={count === 0}
                aria-pressed={chapter === chosen}
                aria-label={t.inChapter(places.chapterName(chapter), count)}
                title={t.inChapter(places.chapterName(chapter), count)}
                onClick={() => setChosen(chapter === chosen ? null : chapter)}
              >
                <span className={styles.fill} style={{ height: `${(count / most) * 100}%` }} />
                <span className={styles.figure}>{count || "·"}</span>
              </button>
              <span className={styles.chapter} aria-hidden="true">
                {places.chapterName(chapter)}
              </span>
            </li>
          ))}
        </ol>
      )}
      {shown.length > 0 && (
        <ul className={styles.quotations}>
          {shown.map(({ chapter, scene, count, quotation, start, end }) => (
            <li key={scene}>
              <p className={styles.place}>
                <Link to={scenePage(storyId, chapter, scene)}>{places.sceneName(chapter, scene)}</Link>
                <span>{t.times(count)}</span>
              </p>
              <p className={styles.quotation}>
                <Marked text={quotation} spans={[{ start, end }]} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
