import { IconButton } from "../../design/Button";
import type { Places } from "../../story/places";
import { Sparkline } from "../../story/Sparkline";
import { useTexts } from "../../texts/language";
import styles from "./Appearances.module.css";
import { texts } from "./texts";

interface CourseProps {
  places: Places;
  counts: readonly (readonly [chapter: number, count: number])[];
  chosen: number | null;
  onChoose(chapter: number): void;
}

/** How often each of many chapters names somebody, with one of them chosen: by slider, or from mention to mention. */
export function Course({ places, counts, chosen, onChoose }: CourseProps) {
  const t = useTexts(texts);
  const at = counts.findIndex(([chapter]) => chapter === chosen);
  const [chapter, count] = counts[at] ?? counts[0] ?? [0, 0];
  const next = counts.find(([, times], place) => place > at && times > 0);
  const before = counts.findLast(([, times], place) => place < at && times > 0);
  const said = t.inChapter(places.chapterName(chapter), count);
  return (
    <div className={styles.course}>
      <Sparkline label={t.appearances} numbers={counts.map(([, times]) => times)} chosen={at} />
      <input
        type="range"
        aria-label={t.chapterShown}
        aria-valuetext={said}
        min={0}
        max={counts.length - 1}
        value={Math.max(0, at)}
        onChange={(event) => {
          const moved = counts[Number(event.target.value)];
          if (moved) onChoose(moved[0]);
        }}
      />
      <div className={styles.steps}>
        <IconButton
          icon="back"
          size="small"
          label={t.mentionBefore}
          disabled={!before}
          onClick={() => before && onChoose(before[0])}
        />
        <output>{said}</output>
        <IconButton
          icon="back"
          size="small"
          className={styles.forward ?? ""}
          label={t.mentionNext}
          disabled={!next}
          onClick={() => next && onChoose(next[0])}
        />
      </div>
    </div>
  );
}
