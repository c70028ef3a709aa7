import { Button, IconButton } from "../../design/Button";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Graph.module.css";
import { texts } from "./texts";

interface EdgeBarProps {
  source: string;
  word: string;
  target: string;
  onEdit(): void;
  onDelete(): void;
  onClose(): void;
}

/** The relation that was chosen, in words. */
export function EdgeBar({ source, word, target, onEdit, onDelete, onClose }: EdgeBarProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  return (
    <div className={styles.edge}>
      <p>
        <strong>{source}</strong> <span>→</span> {word} <span>→</span> <strong>{target}</strong>
      </p>
      <Button size="small" icon="pen" onClick={onEdit}>
        {t.editEdge}
      </Button>
      <Button size="small" icon="trash" onClick={onDelete}>
        {t.deleteEdge}
      </Button>
      <IconButton icon="close" size="small" label={words.close} onClick={onClose} />
    </div>
  );
}
