import { useEffect, useMemo, useRef, useState } from "react";
import type { ChapterInfo } from "../../../client/rest";
import { Button, IconButton } from "../../../design/Button";
import { Icon } from "../../../design/icons";
import { readKept, writeKept } from "../../../kept";
import { countsOf, useChecks } from "../../../story/findings/findings";
import { chapterStep, type Move, sceneStep } from "../../../story/manuscript/arranging";
import { isSamePlace, type Place } from "../../../story/manuscript/place";
import { placeOf, useAhead } from "../../../story/manuscript/useAhead";
import { chapterGapAt, sceneGapAt, stepOf, useDragging } from "../../../story/manuscript/useDragging";
import { usePlaces } from "../../../story/places";
import { glossary } from "../../../texts/glossary";
import { useLanguage, useTexts } from "../../../texts/language";
import { keptDraft } from "../saving/drafts";
import { texts } from "../texts";
import styles from "./Manuscript.module.css";
import { SceneRow } from "./SceneRow";

interface ManuscriptProps {
  storyId: string;
  chapters: readonly ChapterInfo[];
  open: Place | null;
  onOpen(place: Place): void;
  onAdd(chapter?: number): void;
  onRename(what: { chapter: number; scene?: number; title: string }): void;
  onDelete(what: Place | number): void;
  /** Looks for words in the whole book. */
  onFind(): void;
  onPrint(): void;
  /** Asks where a scene or a chapter is to stand. */
  onAskMove(what: Place | number): void;
  onMove(move: Move): void;
}

/** The chapters of the story and their scenes. */
export function Manuscript({ storyId, chapters, open, onMove, ...on }: ManuscriptProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const places = usePlaces(storyId);
  const findings = useChecks(storyId).newest.data?.findings;
  const counts = useMemo(() => countsOf(findings ?? []), [findings]);
  const list = useRef<HTMLDivElement>(null);
  const moving = useRef<string | null>(null);
  const ahead = useAhead(chapters);
  const total = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const dragging = useDragging(chapters, onMove);
  const [folded, setFolded] = useState<readonly number[]>(() => foldedIn(storyId));
  const fold = (these: readonly number[]) => {
    writeKept(`write:folded:${storyId}`, these);
    setFolded(these);
  };
  const isAllFolded = folded.length > 0 && chapters.every(({ chapter }) => folded.includes(chapter));
  const step = (move: Move | null, id?: string) => {
    if (move === null) return;
    moving.current = id ?? String(move.to);
    ahead.take(move);
    onMove(move);
  };
  useEffect(() => {
    // What was moved with the keyboard keeps the focus at its new place, however often it is drawn anew.
    if (moving.current === null || chapters.length === 0) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${moving.current}"]`);
    const focused = document.activeElement;
    if (focused === null || focused === document.body || list.current?.contains(focused)) row?.focus();
    else moving.current = null;
  }, [chapters]);
  return (
    <nav className={styles.manuscript} aria-label={t.manuscript}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <div ref={list} className={styles.chapters} tabIndex={0} role="group" aria-label={t.manuscript}>
        {chapters.map(({ chapter, title, scenes }) => {
          const name = places.chapterName(chapter);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the pointer's way; the keys and the dialog are the others
            <section
              key={chapter}
              className={styles.chapter}
              data-gap={chapterGapAt(chapters, chapter, dragging)}
              onDragOver={(event) => dragging.overChapter(event, chapter)}
              onDrop={dragging.drop}
            >
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the same */}
              <header
                className={styles.head}
                draggable
                onDragStart={(event) => dragging.startChapter(event, chapter)}
                onDragEnd={dragging.end}
                onKeyDown={(event) => stepOf(event, (by) => step(chapterStep(ahead.chapters(), chapter, by)))}
              >
                <h2>
                  <button
                    type="button"
                    className={styles.fold}
                    aria-expanded={!folded.includes(chapter)}
                    onClick={() =>
                      fold(
                        folded.includes(chapter)
                          ? folded.filter((one) => one !== chapter)
                          : [...folded, chapter],
                      )
                    }
                  >
                    <Icon name="down" size={14} />
                    {places.numberBefore(chapter) !== null && (
                      <span className={styles.number}>{places.numberBefore(chapter)}</span>
                    )}
                    {name}
                  </button>
                </h2>
                <span className={styles.headTools}>
                  <IconButton
                    icon="pen"
                    size="small"
                    label={t.renameOf(name)}
                    onClick={() => on.onRename({ chapter, title })}
                  />
                  <IconButton
                    icon="move"
                    size="small"
                    label={t.moveOf(name)}
                    data-row={chapter}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                    onClick={() => on.onAskMove(chapter)}
                  />
                  <IconButton
                    icon="trash"
                    size="small"
                    label={`${words.delete}: ${name}`}
                    onClick={() => on.onDelete(chapter)}
                  />
                  <IconButton
                    icon="plus"
                    size="small"
                    label={t.newSceneIn(name)}
                    onClick={() => on.onAdd(chapter)}
                  />
                </span>
              </header>
              {!folded.includes(chapter) && (
                <ul>
                  {scenes.map((scene) => {
                    const place = { chapter, scene: scene.scene };
                    return (
                      <SceneRow
                        key={scene.id}
                        scene={scene}
                        title={places.sceneName(chapter, scene.scene)}
                        isOpen={isSamePlace(open, place)}
                        hasDraft={keptDraft(storyId, scene.id) !== null}
                        findingCount={counts.get(scene.id) ?? 0}
                        gap={sceneGapAt(scenes, place, dragging)}
                        onOpen={() => on.onOpen(place)}
                        onRename={() => on.onRename({ ...place, title: scene.title })}
                        onMove={() => on.onAskMove(place)}
                        onDelete={() => on.onDelete(place)}
                        onStep={(by) => {
                          const from = placeOf(ahead.chapters(), scene.id) ?? place;
                          step(sceneStep(ahead.chapters(), from, by), scene.id);
                        }}
                        onDragStart={(event) => dragging.startScene(event, place)}
                        onDragOver={(event) => dragging.overScene(event, place)}
                        onDragEnd={dragging.end}
                      />
                    );
                  })}
                </ul>
              )}
            </section>
          );
        })}
      </div>
      <footer className={styles.foot}>
        <Button size="small" icon="plus" onClick={() => on.onAdd()}>
          {t.newChapter}
        </Button>
        <IconButton icon="search" size="small" label={t.findWords} onClick={on.onFind} />
        <IconButton
          icon="sort"
          size="small"
          label={isAllFolded ? t.unfoldAll : t.foldAll}
          aria-pressed={isAllFolded}
          onClick={() => fold(isAllFolded ? [] : chapters.map(({ chapter }) => chapter))}
        />
        <IconButton icon="print" size="small" label={t.print} onClick={on.onPrint} />
        <span>{t.words(number.format(total))}</span>
      </footer>
    </nav>
  );
}

/** The chapters whose scenes are not shown. */
function foldedIn(storyId: string): readonly number[] {
  const kept = readKept(`write:folded:${storyId}`);
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "number") : [];
}
