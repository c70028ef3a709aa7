import type { ReactNode } from "react";
import { IconButton } from "../../design/Button";
import { useTexts } from "../../texts/language";
import { act } from "../act";
import styles from "./Knowing.module.css";
import { removeKnowing } from "./knowing";
import { texts } from "./texts";

interface KnowingRowProps {
  storyId: string;
  /** What the buttons are about. */
  label: string;
  /** How and since when. */
  note: string;
  /** The row that says so; null of what follows from taking part. */
  knowingId: string | null;
  onEdit(): void;
  /** Says that it does not follow. */
  onRefuse?(): void;
  children: ReactNode;
}

/** One fact and one person: what is written can be changed and removed, what is derived can be refused. */
export function KnowingRow({ storyId, label, note, knowingId, onEdit, onRefuse, children }: KnowingRowProps) {
  const t = useTexts(texts);
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        {children}
        <p className={styles.quiet}>{note}</p>
      </div>
      {knowingId === null ? (
        onRefuse && <IconButton icon="close" size="small" label={t.refuse(label)} onClick={onRefuse} />
      ) : (
        <>
          <IconButton icon="pen" size="small" label={t.edit(label)} onClick={onEdit} />
          <IconButton
            icon="trash"
            size="small"
            label={t.remove(label)}
            onClick={() => void act(storyId, t.removed, () => removeKnowing(storyId, knowingId))}
          />
        </>
      )}
    </li>
  );
}
