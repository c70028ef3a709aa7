import { useEffect, useRef, useState } from "react";
import { createEntry, type LorebookEntry, updateEntry } from "../../client/rest";
import { zLorebookEntry } from "../../client/rest/zod.gen";
import { type Problem, problemOf } from "../../server/problem";
import { refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import { useTexts } from "../../texts/language";
import {
  type Draft,
  draftOf,
  type Fields,
  fieldsOf,
  isChanged,
  keepDraft,
  keptDraft,
  NEW,
  newDraft,
  patchOf,
  sent,
} from "./draft";
import { showEntries, withEntry } from "./entries";
import { texts } from "./texts";

/** An entry while it is written: kept in the browser, saved on request, never lost to a refusal. */
export function useDraft(storyId: string, entry: LorebookEntry | null, onCreated: (id: string) => void) {
  const t = useTexts(texts);
  const id = entry?.id ?? NEW;
  const fresh = (): Draft => (entry ? draftOf(entry) : newDraft());
  const [draft, setDraft] = useState<Draft>(() => keptDraft(storyId, id) ?? fresh());
  const [isRestored, setRestored] = useState(() => keptDraft(storyId, id) !== null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<LorebookEntry | null>(null);
  const [isSaving, setSaving] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;

  // Without changes of one's own, what others did is simply shown.
  useEffect(() => {
    if (entry && !isChanged(latest.current) && entry.version !== latest.current.version)
      setDraft(draftOf(entry));
  }, [entry]);

  const keep = (next: Draft) => {
    latest.current = next;
    setDraft(next);
    keepDraft(storyId, id, next);
  };
  const settle = (saved: LorebookEntry) => {
    keepDraft(storyId, id, null);
    setDraft(draftOf(saved));
    setRestored(false);
    setProblem(null);
    setTheirs(null);
    showEntries(storyId, withEntry(saved));
  };

  const send = async (written: Draft) => {
    if (entry === null) {
      const { data } = await createEntry({ path: { storyId }, body: sent(written.fields) });
      return data;
    }
    const { data } = await updateEntry({ path: { storyId, entryId: entry.id }, body: patchOf(written) });
    return data;
  };

  const save = async (written: Draft) => {
    setSaving(true);
    setProblem(null);
    const rollBack = entry
      ? showEntries(storyId, withEntry({ ...entry, ...sent(written.fields) }))
      : () => {};
    try {
      const saved = await send(written);
      // Whoever typed on while the answer was on its way keeps what they typed.
      if (latest.current === written || latest.current.fields === written.fields) settle(saved);
      else keep({ ...draftOf(saved), fields: latest.current.fields });
      if (entry === null) onCreated(saved.id);
      void refreshStory(storyId);
      await tellDone(storyId, entry ? t.saved(saved.displayName) : t.created(saved.displayName)).catch(
        () => {},
      );
    } catch (error) {
      rollBack();
      keepDraft(storyId, id, latest.current);
      const found = problemOf(error);
      const snapshot = zLorebookEntry.safeParse(found.details.latestSnapshot);
      if (found.code === "CONFLICT" && snapshot.success) setTheirs(snapshot.data as LorebookEntry);
      else setProblem(found);
    }
    setSaving(false);
  };

  return {
    fields: draft.fields,
    base: draft.base,
    isChanged: isChanged(draft),
    isRestored: isRestored && isChanged(draft),
    /** Somebody has changed the entry since this draft began. */
    isBehind: entry !== null && draft.version !== null && entry.version > draft.version && isChanged(draft),
    isSaving,
    problem,
    theirs,
    change: (fields: Partial<Fields>) =>
      keep({ ...latest.current, fields: { ...latest.current.fields, ...fields } }),
    save: () => save(latest.current),
    /** Saves over a version that has been looked at. */
    saveOver: (seen: LorebookEntry, fields: Fields) => {
      const next: Draft = { base: fieldsOf(seen), version: seen.version, fields };
      keep(next);
      setTheirs(null);
      return isChanged(next) ? save(next) : Promise.resolve(settle(seen));
    },
    takeTheirs: settle,
    closeConflict: () => setTheirs(null),
    discard: () => {
      keepDraft(storyId, id, null);
      setDraft(fresh());
      setProblem(null);
      setRestored(false);
    },
  };
}
