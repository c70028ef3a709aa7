import type { ChapterInfo } from "../../client/rest";
import type { Place } from "./place";

/** A scene or a chapter that goes to another place. */
export type Move =
  | { readonly kind: "scene"; readonly from: Place; readonly to: Place }
  | { readonly kind: "chapter"; readonly from: number; readonly to: number };

/** Where a scene is dropped: before another of a chapter, or behind its last. */
export interface Gap {
  readonly chapter: number;
  readonly before: number | null;
}

/** A number after one of its row has gone from one place to another. */
function turned(number: number, from: number, to: number): number {
  if (number === from) return to;
  if (from < number && number <= to) return number - 1;
  return to <= number && number < from ? number + 1 : number;
}

/** Where a scene stands after a move, as the server counts. */
export function placeAfter(move: Move, { chapter, scene }: Place): Place {
  if (move.kind === "chapter") return { chapter: turned(chapter, move.from, move.to), scene };
  const { from, to } = move;
  if (chapter === from.chapter && scene === from.scene) return to;
  if (from.chapter === to.chapter && chapter === to.chapter)
    return { chapter, scene: turned(scene, from.scene, to.scene) };
  if (chapter === from.chapter && scene > from.scene) return { chapter, scene: scene - 1 };
  if (chapter === to.chapter && scene >= to.scene) return { chapter, scene: scene + 1 };
  return { chapter, scene };
}

const withWords = (chapter: ChapterInfo): ChapterInfo => ({
  ...chapter,
  wordCount: chapter.scenes.reduce((sum, { wordCount }) => sum + wordCount, 0),
});

/** The chapters as they are after a move, shown before the server has answered. */
export const withMove =
  (move: Move) =>
  (chapters: ChapterInfo[]): ChapterInfo[] => {
    const numbered = chapters.map((known) => ({
      ...known,
      chapter: move.kind === "chapter" ? turned(known.chapter, move.from, move.to) : known.chapter,
      scenes: [] as ChapterInfo["scenes"],
    }));
    const byNumber = new Map(numbered.map((known) => [known.chapter, known]));
    for (const { chapter, scenes } of chapters)
      for (const scene of scenes) {
        const place = placeAfter(move, { chapter, scene: scene.scene });
        const home = byNumber.get(place.chapter) ?? {
          chapter: place.chapter,
          title: "",
          wordCount: 0,
          scenes: [],
        };
        byNumber.set(place.chapter, home);
        home.scenes.push({ ...scene, scene: place.scene });
      }
    return [...byNumber.values()]
      .filter(({ title, scenes }) => title !== "" || scenes.length > 0)
      .map((known) => withWords({ ...known, scenes: known.scenes.sort((a, b) => a.scene - b.scene) }))
      .sort((a, b) => a.chapter - b.chapter);
  };

const behindLast = (chapter: ChapterInfo): number =>
  Math.max(-1, ...chapter.scenes.map(({ scene }) => scene)) + 1;

/** One place up or down, from chapter to chapter; null at the ends of the story. */
export function sceneStep(chapters: readonly ChapterInfo[], from: Place, by: 1 | -1): Move | null {
  const at = chapters.findIndex(({ chapter }) => chapter === from.chapter);
  const here = chapters[at];
  if (!here) return null;
  const place = here.scenes.findIndex(({ scene }) => scene === from.scene);
  const beside = here.scenes[place + by];
  if (beside) return { kind: "scene", from, to: { chapter: from.chapter, scene: beside.scene } };
  const next = chapters[at + by];
  if (!next) return null;
  return {
    kind: "scene",
    from,
    to: { chapter: next.chapter, scene: by === 1 ? (next.scenes[0]?.scene ?? 0) : behindLast(next) },
  };
}

/** One chapter up or down; null at the ends of the story. */
export function chapterStep(chapters: readonly ChapterInfo[], from: number, by: 1 | -1): Move | null {
  const beside = chapters[chapters.findIndex(({ chapter }) => chapter === from) + by];
  return beside ? { kind: "chapter", from, to: beside.chapter } : null;
}

/** The move of a scene into a gap; null where it would stay. */
export function sceneInto(chapters: readonly ChapterInfo[], from: Place, gap: Gap): Move | null {
  const target = chapters.find(({ chapter }) => chapter === gap.chapter);
  if (!target) return null;
  const index = gap.before ?? behindLast(target);
  const isBehind = from.chapter === gap.chapter && from.scene < index;
  const scene = isBehind ? lastBefore(target, index) : index;
  if (from.chapter === gap.chapter && scene === from.scene) return null;
  return { kind: "scene", from, to: { chapter: gap.chapter, scene } };
}

/** The move of a chapter before another, or behind the last; null where it would stay. */
export function chapterInto(
  chapters: readonly ChapterInfo[],
  from: number,
  before: number | null,
): Move | null {
  const others = chapters.map(({ chapter }) => chapter);
  const earlier = others.filter((chapter) => before === null || chapter < before);
  const to = before === null || from < before ? earlier.at(-1) : before;
  return to === undefined || to === from ? null : { kind: "chapter", from, to };
}

/** The number of the last scene before an index. */
const lastBefore = (chapter: ChapterInfo, index: number): number =>
  Math.max(0, ...chapter.scenes.map(({ scene }) => scene).filter((scene) => scene < index));
