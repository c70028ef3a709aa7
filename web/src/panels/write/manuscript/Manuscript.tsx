import { useEffect, useRef } from "react";
import type { ChapterInfo, SceneInfo } from "../../../client/rest";
import { Button, IconButton } from "../../../design/Button";
import { glossary } from "../../../texts/glossary";
import { useLanguage, useTexts } from "../../../texts/language";
import { isSamePlace, type Place } from "../place";
import { keptDraft } from "../saving/drafts";
import { texts } from "../texts";
import styles from "./Manuscript.module.css";

interface ManuscriptProps {
  storyId: string;
  chapters: readonly ChapterInfo[];
  open: Place | null;
  onOpen(place: Place): void;
  onAdd(chapter?: number): void;
  onRename(what: { chapter: number; scene?: number; title: string }): void;
  onDelete(place: Place): void;
}

/** The chapters of the story and their scenes. */
export function Manuscript({ storyId, chapters, open, onOpen, onAdd, onRename, onDelete }: ManuscriptProps) {
  const t = useTexts(texts);
  const number = new Intl.NumberFormat(useLanguage());
  const total = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  return (
    <nav className={styles.manuscript} aria-label={t.manuscript}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <div className={styles.chapters} tabIndex={0} role="group" aria-label={t.manuscript}>
        {chapters.map(({ chapter, title, scenes }) => (
          <section key={chapter} className={styles.chapter}>
            <header className={styles.head}>
              <h2>
                <span className={styles.number}>{chapter}</span>
                {title || t.chapterAt(chapter)}
              </h2>
              <IconButton
                icon="pen"
                size="small"
                label={t.renameOf(title || t.chapterAt(chapter))}
                onClick={() => onRename({ chapter, title })}
              />
              <IconButton
                icon="plus"
                size="small"
                label={t.newSceneIn(title || t.chapterAt(chapter))}
                onClick={() => onAdd(chapter)}
              />
            </header>
            <ul>
              {scenes.map((scene) => {
                const place = { chapter, scene: scene.scene };
                return (
                  <SceneRow
                    key={scene.scene}
                    scene={scene}
                    isOpen={isSamePlace(open, place)}
                    hasDraft={keptDraft(storyId, place) !== null}
                    onOpen={() => onOpen(place)}
                    onRename={() => onRename({ ...place, title: scene.title })}
                    onDelete={() => onDelete(place)}
                  />
                );
              })}
            </ul>
          </section>
        ))}
      </div>
      <footer className={styles.foot}>
        <Button size="small" icon="plus" onClick={() => onAdd()}>
          {t.newChapter}
        </Button>
        <span>{t.words(number.format(total))}</span>
      </footer>
    </nav>
  );
}

interface SceneRowProps {
  scene: SceneInfo;
  isOpen: boolean;
  hasDraft: boolean;
  onOpen(): void;
  onRename(): void;
  onDelete(): void;
}

function SceneRow({ scene, isOpen, hasDraft, onOpen, onRename, onDelete }: SceneRowProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const title = scene.title || t.sceneNumber(scene.scene);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li ref={row} className={styles.scene} data-open={isOpen || undefined}>
      <button type="button" className={styles.open} aria-current={isOpen || undefined} onClick={onOpen}>
        <span className={styles.title}>{title}</span>
        {hasDraft && !isOpen && <span className={styles.flag}>{t.unsaved}</span>}
        <span className={styles.words}>{number.format(scene.wordCount)}</span>
      </button>
      <span className={styles.tools}>
        <IconButton icon="pen" size="small" label={t.renameOf(title)} onClick={onRename} />
        <IconButton icon="trash" size="small" label={`${words.delete}: ${title}`} onClick={onDelete} />
      </span>
    </li>
  );
}
