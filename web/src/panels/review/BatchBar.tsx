import type { Extraction } from "../../client/rest";
import { Button } from "../../design/Button";
import { useTexts } from "../../texts/language";
import { doubtfulOnes, sureOnes } from "./proposals";
import styles from "./Review.module.css";
import { texts } from "./texts";
import type { Action } from "./useReview";

interface BatchBarProps {
  chosen: readonly Extraction[];
  shown: readonly Extraction[];
  onBatch(action: Action, proposals: readonly Extraction[]): void;
  onClear(): void;
}

/** Decisions about many: those that were chosen, else the sure and the doubtful ones. */
export function BatchBar({ chosen, shown, onBatch, onClear }: BatchBarProps) {
  const t = useTexts(texts);
  if (chosen.length > 0) {
    return (
      <div className={styles.batch}>
        <span>{t.selected(chosen.length)}</span>
        <Button size="small" look="primary" onClick={() => onBatch("approved", chosen)}>
          {t.approve}
        </Button>
        <Button size="small" onClick={() => onBatch("rejected", chosen)}>
          {t.reject}
        </Button>
        <Button size="small" look="quiet" onClick={onClear}>
          {t.deselect}
        </Button>
      </div>
    );
  }
  const sure = sureOnes(shown);
  const doubtful = doubtfulOnes(shown);
  if (sure.length === 0 && doubtful.length === 0) return null;
  return (
    <div className={styles.batch}>
      {sure.length > 0 && (
        <Button size="small" onClick={() => onBatch("approved", sure)}>
          {t.approveSure(sure.length)}
        </Button>
      )}
      {doubtful.length > 0 && (
        <Button size="small" onClick={() => onBatch("rejected", doubtful)}>
          {t.rejectDoubtful(doubtful.length)}
        </Button>
      )}
    </div>
  );
}
