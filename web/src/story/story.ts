import { createContext, useContext } from "react";
import type { Story } from "../client/rest";
import { redoStep, undoStep } from "../client/rest";
import { tell, tellTrouble } from "../design/toasts";
import { problemOf } from "../server/problem";
import { refreshStory } from "../server/server";
import { figure } from "../texts/figures";
import { glossary } from "../texts/glossary";
import { inBoth, languageStore, said } from "../texts/language";

const texts = inBoth({
  undone: ["Undone", "已撤销"],
  redone: ["Done again", "已重做"],
  many: [
    (count: number) => `This step has ${figure(count)} changes. Undo all of them?`,
    (count: number) => `这一步包含 ${figure(count)} 处改动，要全部撤销吗？`,
  ],
  undoAll: ["Undo all", "全部撤销"],
});

export const StoryContext = createContext<Story | null>(null);

/** The story that the panel is about. */
export function useStory(): Story {
  const story = useContext(StoryContext);
  if (story === null) throw new Error("a panel stands inside a story");
  return story;
}

// Whoever made so many changes one by one would remember it.
const MANY = 20;

/** Take back the newest step, or a certain one; unless somebody is sure, a step of many changes asks first. */
export async function undo(
  storyId: string,
  revision?: number,
  isSure = revision !== undefined,
): Promise<void> {
  try {
    const body = { ...(revision === undefined ? {} : { revision }), ...(isSure ? {} : { maxChanges: MANY }) };
    const { data } = await undoStep({ path: { storyId }, body });
    tell(said(texts, languageStore.getState()).undone, {
      label: said(glossary, languageStore.getState()).redo,
      run: () => void redo(storyId, data.revertedRevision),
    });
  } catch (error) {
    const large = problemOf(error).details as { revision?: number; changeCount?: number } | undefined;
    if (large?.changeCount === undefined || large.revision === undefined) tellTrouble(error);
    else askAboutMany(storyId, large.revision, large.changeCount);
  }
  await refreshStory(storyId);
}

function askAboutMany(storyId: string, revision: number, count: number): void {
  const t = said(texts, languageStore.getState());
  tell(t.many(count), { label: t.undoAll, run: () => void undo(storyId, revision) });
}

/** Bring back what the newest undo took away, or a certain step that was taken back. */
export async function redo(storyId: string, revision?: number): Promise<void> {
  try {
    await redoStep({ path: { storyId }, body: revision === undefined ? {} : { revision } });
    tell(said(texts, languageStore.getState()).redone);
  } catch (error) {
    tellTrouble(error);
  }
  await refreshStory(storyId);
}

/** Tell what was done, with a button that takes exactly that step back. */
export function tellDone(storyId: string, text: string, revision: number | null): void {
  const label = said(glossary, languageStore.getState()).undo;
  tell(text, revision === null ? undefined : { label, run: () => void undo(storyId, revision) });
}
