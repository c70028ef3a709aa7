import { IconButton } from "../../design/Button";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";
import styles from "./Write.module.css";

interface SceneBarProps {
  title: string;
  isSideOpen: boolean;
  onBack(): void;
  onSide(): void;
}

export function SceneBar({ title, isSideOpen, onBack, onSide }: SceneBarProps) {
  const t = useTexts(texts);
  return (
    <header className={styles.bar}>
      <IconButton icon="back" label={t.back} className={styles.back ?? ""} onClick={onBack} />
      <h2 className={styles.title}>{title}</h2>
      <IconButton icon="panel" label={t.toggleSide} aria-pressed={isSideOpen} onClick={onSide} />
    </header>
  );
}
