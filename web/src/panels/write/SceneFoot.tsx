import { useLanguage, useTexts } from "../../texts/language";
import { AfterSaving } from "./saving/AfterSaving";
import type { Keeper } from "./saving/keeper";
import { SavingState } from "./saving/SavingState";
import { texts } from "./texts";
import styles from "./Write.module.css";

/** Quiet figures under the text. */
export function SceneFoot({
  storyId,
  keeper,
  wordCount,
}: {
  storyId: string;
  keeper: Keeper;
  wordCount: number;
}) {
  const t = useTexts(texts);
  const number = new Intl.NumberFormat(useLanguage());
  return (
    <footer className={styles.foot}>
      <SavingState keeper={keeper} />
      <span>{t.words(number.format(wordCount))}</span>
      <AfterSaving storyId={storyId} />
    </footer>
  );
}
