import { createContext, useContext } from "react";
import type { Story } from "../client/rest";
import { listSteps, redoStep, undoStep } from "../client/rest";
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
    await undoStep({ path: { storyId }, body: revision === undefined ? {} : { revision } });
    tell(said(texts, languageStore.getState()).undone, {
      label: said(glossary, languageStore.getState()).redo,
      run: () => void redo(storyId),
    });
  } catch (error) {
    tellTrouble(error);
  }
  await refreshStory(storyId);
}

/** Bring back what the newest undo took away. */
export async function redo(storyId: string): Promise<void> {
  try {
    await redoStep({ path: { storyId }, body: {} });
    tell(said(texts, languageStore.getState()).redone);
  } catch (error) {
    tellTrouble(error);
  }
  await refreshStory(storyId);
}

/** What the server does by itself, perhaps in the meantime: places in the graph, snapshots, finds in a saved scene. */
const NOBODYS: ReadonlySet<string> = new Set([
  "graph:layout",
  "snapshot:make",
  "scene:extract",
  "novel:read",
  "novel:snapshots",
]);

/** Tell what was done, with a button that takes exactly that step back. */
export async function tellDone(storyId: string, text: string): Promise<void> {
  const { data } = await listSteps({ path: { storyId }, query: { size: 20 } });
  const revision = data.content.find(({ action }) => !NOBODYS.has(action))?.revision;
  const label = said(glossary, languageStore.getState()).undo;
  tell(text, revision === undefined ? undefined : { label, run: () => void undo(storyId, revision) });
}
