import type { ChapterInfo, MoveResponse } from "../../client/rest";
import { deleteChapter, moveChapter, moveScene } from "../../client/rest";
import { listChaptersQueryKey } from "../../client/rest/@tanstack/react-query.gen";
import { written } from "../../server/revision";
import { queries, refreshStory, storyKey } from "../../server/server";
import { type Move, withMove } from "./arranging";
import { shown } from "./chapters";

async function send(storyId: string, move: Move, dryRun: boolean): Promise<MoveResponse> {
  if (move.kind === "chapter") {
    const path = { storyId, chapter: move.from };
    return written(await moveChapter({ path, body: { chapter: move.to, dryRun } }));
  }
  return written(await moveScene({ path: { storyId, ...move.from }, body: { ...move.to, dryRun } }));
}

/** What a move would do. */
export const moveOptions = (storyId: string, move: Move | null) => ({
  queryKey: storyKey("moveOnTrial", storyId, move),
  queryFn: () => (move ? send(storyId, move, true) : null),
  enabled: move !== null,
});

/** What would go with a chapter. */
export const deletionOptions = (storyId: string, chapter: number) => ({
  queryKey: storyKey("deleteOnTrial", storyId, chapter),
  queryFn: async () => (await deleteChapter({ path: { storyId, chapter }, query: { dryRun: true } })).data,
});

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Shows a move at once and does it after those before it; the answer to the last one, null while others wait. */
export async function moved(storyId: string, move: Move): Promise<MoveResponse | null> {
  const queryKey = listChaptersQueryKey({ path: { storyId } });
  // An answer on its way does not know of the move.
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(
    queryKey,
    (known: { chapters: ChapterInfo[] } | undefined) =>
      known && { ...known, chapters: withMove(move)(known.chapters) },
  );
  waiting += 1;
  const sent = last.then(() => send(storyId, move, false));
  last = sent.catch(() => {});
  try {
    const answer = await sent;
    return waiting === 1 ? answer : null;
  } finally {
    waiting -= 1;
    if (waiting === 0) void refreshStory(storyId);
  }
}

/** Deletes a chapter with all its scenes. */
export const removeChapter = (storyId: string, chapter: number): Promise<unknown> =>
  shown(
    storyId,
    (chapters) => chapters.filter((known) => known.chapter !== chapter),
    () => deleteChapter({ path: { storyId, chapter } }),
  );
