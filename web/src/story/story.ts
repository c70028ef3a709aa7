import { createContext, useContext } from "react";
import type { Story } from "../client/rest";
import { redoStep, undoStep } from "../client/rest";
import { tell, tellTrouble } from "../design/toasts";
import { refreshStory } from "../server/server";
import { glossary } from "../texts/glossary";
import { inBoth, languageStore, said } from "../texts/language";

const texts = inBoth({
  undone: ["Undone", "已撤销"],
  redone: ["Done again", "已重做"],
});

export const StoryContext = createContext<Story | null>(null);

/** The story that the panel is about. */
export function useStory(): Story {
  const story = useContext(StoryContext);
  if (story === null) throw new Error("a panel stands inside a story");
  return story;
}

/** Take back the newest step, or a certain one. */
export async function undo(storyId: string, revision?: number): Promise<void> {
  try {
    const body = revision === undefined ? {} : { revision };
    const { data } = await undoStep({ path: { storyId }, body });
    tell(said(texts, languageStore.getState()).undone, {
      label: said(glossary, languageStore.getState()).redo,
      run: () => void redo(storyId, data.revertedRevision),
    });
  } catch (error) {
    tellTrouble(error);
  }
  await refreshStory(storyId);
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
