import type { ChapterPreview } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { texts } from "./texts";

interface ChaptersFoundProps {
  chapters: readonly ChapterPreview[];
  count: number;
}

/** The chapters that a novel would have, so that a wrong division is seen before anything is written. */
export function ChaptersFound({ chapters, count }: ChaptersFoundProps) {
  const t = useTexts(texts);
  if (chapters.length === 0) return null;
  return (
    <details className={styles.chapters}>
      <summary>{t.chaptersFound}</summary>
      <ol>
        {chapters.map(({ title, words, opening }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown
          <li key={place}>
            <strong>{title || t.noTitle}</strong> <span>{t.words(words)}</span>
            <p>{opening}</p>
          </li>
        ))}
        {count > chapters.length && <li>{t.moreErrors(count - chapters.length)}</li>}
      </ol>
    </details>
  );
}
