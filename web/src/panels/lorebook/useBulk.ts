import {
  type Category,
  deleteEntries,
  editEntries,
  type LorebookEntry,
  type LorebookEntryPatch,
} from "../../client/rest";
import { tellTrouble } from "../../design/toasts";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import { useTexts } from "../../texts/language";
import { showEntries } from "./entries";
import { texts } from "./texts";

/** Changes to one or many entries: shown at once, taken back if the server refuses. */
export function useBulk(storyId: string) {
  const t = useTexts(texts);
  const attempt = async (
    entries: readonly LorebookEntry[],
    change: (known: LorebookEntry[]) => LorebookEntry[],
    send: (ids: string[]) => Promise<unknown>,
    done: string,
  ): Promise<boolean> => {
    if (entries.length === 0) return false;
    const rollBack = showEntries(storyId, change);
    let revision: number | null;
    try {
      revision = revisionOf(await send(entries.map(({ id }) => id)));
    } catch (error) {
      rollBack();
      tellTrouble(error);
      return false;
    }
    await refreshStory(storyId);
    tellDone(storyId, done, revision);
    return true;
  };
  return {
    change: (entries: readonly LorebookEntry[], patch: LorebookEntryPatch) => {
      const ids = new Set(entries.map(({ id }) => id));
      return attempt(
        entries,
        (known) =>
          known.map((entry) => (ids.has(entry.id) ? ({ ...entry, ...patch } as LorebookEntry) : entry)),
        (all) => editEntries({ path: { storyId }, body: { ids: all, patch } }),
        t.changed(entries.length),
      );
    },
    /** Entries of other programs become entities, and move into the story's own book. */
    makeEntities: (entries: readonly LorebookEntry[], category: Category) =>
      attempt(
        entries,
        (known) => known,
        (all) => editEntries({ path: { storyId }, body: { ids: all, patch: { category } } }),
        t.madeEntities(entries.length),
      ),
    remove: (entries: readonly LorebookEntry[]) => {
      const ids = new Set(entries.map(({ id }) => id));
      return attempt(
        entries,
        (known) => known.filter(({ id }) => !ids.has(id)),
        (all) => deleteEntries({ path: { storyId }, body: { ids: all } }),
        t.deleted(entries.length),
      );
    },
  };
}
