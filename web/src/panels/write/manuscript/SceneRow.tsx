import { type DragEventHandler, useEffect, useRef } from "react";
import type { SceneInfo } from "../../../client/rest";
import { IconButton } from "../../../design/Button";
import { Icon } from "../../../design/icons";
import { stepOf } from "../../../story/manuscript/useDragging";
import { glossary } from "../../../texts/glossary";
import { useLanguage, useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Manuscript.module.css";

interface SceneRowProps {
  scene: SceneInfo;
  title: string;
  isOpen: boolean;
  hasDraft: boolean;
  /** How many contradictions the rules have found in it. */
  findingCount: number;
  /** Where something that is dragged would stand. */
  gap: "before" | "after" | undefined;
  onOpen(): void;
  onRename(): void;
  onMove(): void;
  onDelete(): void;
  onStep(by: 1 | -1): void;
  onDragStart: DragEventHandler;
  onDragOver: DragEventHandler;
  onDragEnd(): void;
}

/** A scene in the list: opened with a click, moved by dragging it, with Alt and an arrow, or with a dialog. */
export function SceneRow({ scene, title, isOpen, hasDraft, findingCount, gap, ...on }: SceneRowProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li
      ref={row}
      className={styles.scene}
      data-open={isOpen || undefined}
      data-gap={gap}
      draggable
      onDragStart={on.onDragStart}
      onDragOver={on.onDragOver}
      onDragEnd={on.onDragEnd}
    >
      <button
        type="button"
        className={styles.open}
        data-row={scene.id}
        aria-current={isOpen || undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onClick={on.onOpen}
        onKeyDown={(event) => stepOf(event, on.onStep)}
      >
        <span className={styles.title}>
          {title}
          {scene.title === "" && scene.opening !== "" && (
            <span className={styles.opening}>{scene.opening}</span>
          )}
        </span>
        {hasDraft && !isOpen && <span className={styles.flag}>{t.unsaved}</span>}
        {findingCount > 0 && (
          <span className={styles.findings} title={t.findingsIn(title, findingCount)}>
            <Icon name="alert" size={13} />
            <span aria-hidden="true">{findingCount}</span>
            <span className="visually-hidden">{t.findingsHere(findingCount)}</span>
          </span>
        )}
        <span className={styles.words}>{number.format(scene.wordCount)}</span>
      </button>
      <span className={styles.tools}>
        <IconButton icon="pen" size="small" label={t.renameOf(title)} onClick={on.onRename} />
        <IconButton icon="move" size="small" label={t.moveOf(title)} onClick={on.onMove} />
        <IconButton icon="trash" size="small" label={`${words.delete}: ${title}`} onClick={on.onDelete} />
      </span>
    </li>
  );
}
