import { Button } from "../../../design/Button";
import { shownKeys } from "../../../keys/shortcuts";
import { useLanguage, useTexts } from "../../../texts/language";
import { AfterSaving } from "../saving/AfterSaving";
import type { Keeper } from "../saving/keeper";
import { SavingState } from "../saving/SavingState";
import { texts } from "../texts";
import styles from "../Write.module.css";
import { texts as sceneTexts } from "./texts";

/** Quiet figures under the text. */
export function SceneFoot({
  storyId,
  keeper,
  wordCount,
  goal,
  findingCount,
  onFinding,
  onSuggest,
}: {
  storyId: string;
  keeper: Keeper;
  wordCount: number;
  /** How many words the scene is to have. */
  goal: number | null;
  findingCount: number;
  /** Goes to the next finding. */
  onFinding(): void;
  /** Lets the model write on at the cursor. */
  onSuggest(): void;
}) {
  const t = useTexts(texts);
  const say = useTexts(sceneTexts);
  const number = new Intl.NumberFormat(useLanguage());
  return (
    <footer className={styles.foot}>
      <SavingState keeper={keeper} />
      {goal === null ? (
        <span>{t.words(number.format(wordCount))}</span>
      ) : (
        <span className={styles.goal}>
          {say.reached(number.format(wordCount), number.format(goal))}
          <progress aria-label={say.goal} max={goal} value={Math.min(goal, wordCount)} />
        </span>
      )}
      <span role="status">
        {findingCount > 0 && (
          <button
            type="button"
            className={styles.findings}
            aria-keyshortcuts="F8"
            title={`${t.keyNextFinding} (F8)`}
            onClick={onFinding}
          >
            {t.findingsHere(findingCount)}
          </button>
        )}
      </span>
      <AfterSaving storyId={storyId} />
      <Button
        size="small"
        look="quiet"
        icon="pen"
        aria-keyshortcuts="Control+Enter"
        title={`${t.keySuggest} (${shownKeys("mod+Enter").join(" ")})`}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onSuggest}
      >
        {t.suggest}
      </Button>
    </footer>
  );
}
