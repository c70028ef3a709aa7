import { createEntry, type LorebookEntry, updateEntry } from "../../client/rest";
import { zLorebookEntry } from "../../client/rest/zod.gen";
import { revisionOf, written } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import { useWriting } from "../../story/useWriting";
import { useTexts } from "../../texts/language";
import { blankIn, draftName, FIELDS, type Fields, fieldsOf, NEW, patchOf, readFields, sent } from "./draft";
import { showEntries, withEntry } from "./entries";
import { texts } from "./texts";

/** An entry while it is written; what is sent is shown at once. */
export function useEntryWriting(
  storyId: string,
  entry: LorebookEntry | null,
  bookId: string,
  onCreated: (id: string) => void,
) {
  const t = useTexts(texts);
  return useWriting<LorebookEntry, Fields>({
    name: draftName(storyId, entry?.id ?? NEW),
    names: FIELDS,
    saved: entry,
    blank: blankIn(bookId),
    fieldsOf,
    read: readFields,
    latest: (snapshot) => (zLorebookEntry.safeParse(snapshot).data as LorebookEntry | undefined) ?? null,
    send: async (fields, changed, version) => {
      if (entry === null) return written(await createEntry({ path: { storyId }, body: sent(fields) }));
      const rollBack = showEntries(storyId, withEntry({ ...entry, ...sent(fields) }));
      try {
        const body = patchOf(fields, changed, version);
        return written(await updateEntry({ path: { storyId, entryId: entry.id }, body }));
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    onSaved: (saved) => {
      showEntries(storyId, withEntry(saved));
      if (entry === null) onCreated(saved.id);
      void refreshStory(storyId);
      const done = entry ? t.saved(saved.displayName) : t.created(saved.displayName);
      tellDone(storyId, done, revisionOf(saved));
    },
  });
}
