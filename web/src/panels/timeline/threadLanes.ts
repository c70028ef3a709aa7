import type { StoryThread } from "../../client/rest";
import { pointsOf } from "../../story/threads/threads";

/** From the first chapter of a thread to its last, or to the one in which it is due; null if it is in none. */
export function stretchOf(thread: StoryThread): { readonly from: number; readonly to: number } | null {
  const chapters = pointsOf(thread).map(({ point }) => point.chapter);
  if (thread.dueAt) chapters.push(thread.dueAt.chapter);
  return chapters.length === 0 ? null : { from: Math.min(...chapters), to: Math.max(...chapters) };
}

const MANY = 60;

/** The chapters that lanes run through; of very many, only those in which something happens. */
export function chaptersOf(threads: readonly StoryThread[]): number[] {
  const stretches = threads.map(stretchOf).filter((one) => one !== null);
  const from = Math.min(...stretches.map((one) => one.from));
  const to = Math.max(...stretches.map((one) => one.to));
  if (to - from < MANY) return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
  const used = threads.flatMap((thread) => [
    ...pointsOf(thread).map(({ point }) => point.chapter),
    ...(thread.dueAt ? [thread.dueAt.chapter] : []),
  ]);
  return [...new Set(used)].toSorted((one, other) => one - other);
}
