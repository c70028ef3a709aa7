import { type DragEvent, type KeyboardEvent, useState } from "react";
import type { ChapterInfo } from "../../client/rest";
import { chapterInto, type Gap, type Move, sceneInto } from "./arranging";
import type { Place } from "./place";

type Dragged = { readonly scene: Place } | { readonly chapter: number };

export interface Dragging {
  /** The line that shows where a scene would stand. */
  readonly gap: Gap | null;
  /** The chapter before which another would stand; null is behind the last. */
  readonly chapterGap: number | null | undefined;
  startScene(event: DragEvent, place: Place): void;
  startChapter(event: DragEvent, chapter: number): void;
  overScene(event: DragEvent, place: Place): void;
  overChapter(event: DragEvent, chapter: number): void;
  drop(event: DragEvent): void;
  end(): void;
}

/** Scenes and chapters taken with the pointer and dropped elsewhere. */
export function useDragging(chapters: readonly ChapterInfo[], onMove: (move: Move) => void): Dragging {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [gap, setGap] = useState<Gap | null>(null);
  const [chapterGap, setChapterGap] = useState<number | null | undefined>(undefined);

  const start = (event: DragEvent, what: Dragged, text: string) => {
    event.stopPropagation();
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", text);
    setDragged(what);
  };
  const end = () => {
    setDragged(null);
    setGap(null);
    setChapterGap(undefined);
  };
  const nextChapter = (chapter: number): number | null =>
    chapters[chapters.findIndex((known) => known.chapter === chapter) + 1]?.chapter ?? null;
  return {
    gap,
    chapterGap,
    startScene: (event, place) => start(event, { scene: place }, `${place.chapter}.${place.scene}`),
    startChapter: (event, chapter) => start(event, { chapter }, `${chapter}`),
    overScene: (event, place) => {
      if (!dragged || !("scene" in dragged)) return;
      event.preventDefault();
      event.stopPropagation();
      const scenes = chapters.find(({ chapter }) => chapter === place.chapter)?.scenes ?? [];
      const next = scenes[scenes.findIndex(({ scene }) => scene === place.scene) + 1]?.scene ?? null;
      const before = isUpper(event) ? place.scene : next;
      if (gap?.chapter !== place.chapter || gap.before !== before) setGap({ chapter: place.chapter, before });
    },
    overChapter: (event, chapter) => {
      if (!dragged) return;
      event.preventDefault();
      if ("scene" in dragged) {
        const first = chapters.find((known) => known.chapter === chapter)?.scenes[0]?.scene ?? null;
        if (gap?.chapter !== chapter || gap.before !== first) setGap({ chapter, before: first });
      } else setChapterGap(isUpper(event) ? chapter : nextChapter(chapter));
    },
    drop: (event) => {
      if (!dragged) return;
      event.preventDefault();
      const move =
        "scene" in dragged
          ? gap && sceneInto(chapters, dragged.scene, gap)
          : chapterGap !== undefined && chapterInto(chapters, dragged.chapter, chapterGap);
      end();
      if (move) onMove(move);
    },
    end,
  };
}

function isUpper(event: DragEvent): boolean {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return event.clientY < top + height / 2;
}

/** Where in a list of scenes the line of a gap is drawn. */
export function sceneGapAt(
  scenes: ChapterInfo["scenes"],
  { chapter, scene }: Place,
  { gap }: Dragging,
): "before" | "after" | undefined {
  if (gap?.chapter !== chapter) return undefined;
  if (gap.before === scene) return "before";
  return gap.before === null && scenes.at(-1)?.scene === scene ? "after" : undefined;
}

/** Where beside a chapter the line of a gap is drawn. */
export function chapterGapAt(
  chapters: readonly ChapterInfo[],
  chapter: number,
  { gap, chapterGap }: Dragging,
): "before" | "after" | "inside" | undefined {
  const known = chapters.find((one) => one.chapter === chapter);
  if (gap?.chapter === chapter && known?.scenes.length === 0) return "inside";
  if (chapterGap === chapter) return "before";
  return chapterGap === null && chapters.at(-1)?.chapter === chapter ? "after" : undefined;
}

/** Alt and an arrow move what has the focus. */
export function stepOf(event: KeyboardEvent, onStep: (by: 1 | -1) => void): void {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  event.preventDefault();
  onStep(event.key === "ArrowUp" ? -1 : 1);
}
