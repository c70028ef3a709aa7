import type { ChapterInfo, ScenePatch } from "../../client/rest";
import { deleteScene, patchScene, putChapter, putScene } from "../../client/rest";
import { listChaptersQueryKey } from "../../client/rest/@tanstack/react-query.gen";
import { queries, refreshStory } from "../../server/server";
import { isSamePlace, type Place } from "./place";

/** All scenes in the order of the story. */
export const placesIn = (chapters: readonly ChapterInfo[]): Place[] =>
  chapters.flatMap(({ chapter, scenes }) => scenes.map(({ scene }) => ({ chapter, scene })));

/** Where the next scene of a chapter comes, or of a new chapter after the last. */
export function nextPlace(chapters: readonly ChapterInfo[], chapter?: number): Place {
  if (chapter === undefined)
    return { chapter: Math.max(-1, ...chapters.map((known) => known.chapter)) + 1, scene: 0 };
  const scenes = chapters.find((known) => known.chapter === chapter)?.scenes ?? [];
  return { chapter, scene: Math.max(-1, ...scenes.map(({ scene }) => scene)) + 1 };
}

/** The scene before one that goes, or before a chapter that goes, or else the one after it. */
export function neighbourOf(chapters: readonly ChapterInfo[], gone: Place | number): Place | null {
  const goes = (known: Place) =>
    typeof gone === "number" ? known.chapter === gone : isSamePlace(known, gone);
  const places = placesIn(chapters);
  const at = places.findIndex(goes);
  return places[at - 1] ?? places.slice(at).find((known) => !goes(known)) ?? null;
}

/** The id of the scene at a place. */
export const idAt = (chapters: readonly ChapterInfo[], place: Place): string | undefined =>
  chapters.find(({ chapter }) => chapter === place.chapter)?.scenes.find(({ scene }) => scene === place.scene)
    ?.id;

/** Where the scene of an id stands. */
export const placeOfScene = (chapters: readonly ChapterInfo[], id: string): Place | null =>
  placesIn(chapters).find((place) => idAt(chapters, place) === id) ?? null;

export const withScene =
  (place: Place, { title, pov, wordGoal, notes }: ScenePatch) =>
  (chapters: ChapterInfo[]): ChapterInfo[] =>
    chapters.map((known) =>
      known.chapter === place.chapter
        ? {
            ...known,
            scenes: known.scenes.map((scene) =>
              scene.scene === place.scene
                ? {
                    ...scene,
                    title: title ?? scene.title,
                    pov: pov === undefined ? scene.pov : pov,
                    wordGoal: wordGoal === undefined ? scene.wordGoal : wordGoal,
                    hasNotes: notes === undefined ? scene.hasNotes : notes !== "",
                  }
                : scene,
            ),
          }
        : known,
    );

export const withChapterTitle =
  (chapter: number, title: string) =>
  (chapters: ChapterInfo[]): ChapterInfo[] =>
    chapters.map((known) => (known.chapter === chapter ? { ...known, title } : known));

export const withoutScene =
  (place: Place) =>
  (chapters: ChapterInfo[]): ChapterInfo[] =>
    chapters.map((known) =>
      known.chapter === place.chapter
        ? { ...known, scenes: known.scenes.filter(({ scene }) => scene !== place.scene) }
        : known,
    );

/** Shows a change of the list at once, does it, and takes it from the page again if it fails; the answer. */
export async function shown(
  storyId: string,
  change: (chapters: ChapterInfo[]) => ChapterInfo[],
  write: () => Promise<unknown>,
): Promise<unknown> {
  const queryKey = listChaptersQueryKey({ path: { storyId } });
  const before = queries.getQueryData<{ chapters: ChapterInfo[] }>(queryKey);
  if (before) queries.setQueryData(queryKey, { chapters: change(before.chapters) });
  try {
    return await write();
  } catch (error) {
    queries.setQueryData(queryKey, before);
    throw error;
  } finally {
    void refreshStory(storyId);
  }
}

export async function addScene(storyId: string, place: Place): Promise<void> {
  await putScene({ path: { storyId, ...place }, body: { text: "" } });
  await refreshStory(storyId);
}

export const renameChapter = (storyId: string, chapter: number, title: string): Promise<unknown> =>
  shown(storyId, withChapterTitle(chapter, title), () =>
    putChapter({ path: { storyId, chapter }, body: { title } }),
  );

/** Changes what is said over a scene, and leaves its text alone; the answer. */
export const planScene = (storyId: string, place: Place, patch: ScenePatch): Promise<unknown> =>
  shown(storyId, withScene(place, patch), () => patchScene({ path: { storyId, ...place }, body: patch }));

export const removeScene = (storyId: string, place: Place): Promise<unknown> =>
  shown(storyId, withoutScene(place), () => deleteScene({ path: { storyId, ...place } }));
