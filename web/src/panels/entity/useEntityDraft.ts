import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { EntitySchema, type KnowledgeEntityUpdateResponse } from "../../client/knowledge";
import { ask } from "../../server/channel";
import { type Problem, problemOf } from "../../server/problem";
import { queries, refreshStory } from "../../server/server";
import { readKept, writeKept } from "../../store";
import { tellDone } from "../../story/story";
import { changedFields } from "../../story/versions";
import { useTexts } from "../../texts/language";
import { type Entity, entityOptions, FIELDS, type Fields, fieldsOf } from "./entity";
import { texts } from "./texts";

/** An entity as somebody is writing it, and as it was when they began. */
interface Draft {
  readonly base: Fields;
  readonly version: number;
  readonly fields: Fields;
}

const zFields = EntitySchema.pick(
  Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<(typeof FIELDS)[number], true>,
);
const zDraft = z.object({ base: zFields, version: z.number(), fields: zFields });
const draftOf = (entity: Entity): Draft => ({
  base: fieldsOf(entity),
  version: entity.version,
  fields: fieldsOf(entity),
});
const changedIn = ({ base, fields }: Draft) => changedFields(FIELDS, base, fields);

function keptDraft(name: string): Draft | null {
  const kept = zDraft.safeParse(readKept(name));
  return kept.success ? kept.data : null;
}

/** An entity while it is written: kept in the browser, saved on request, never lost to a refusal. */
export function useEntityDraft(storyId: string, entity: Entity) {
  const t = useTexts(texts);
  const kept = `draft:${storyId}:entity:${entity.id}`;
  const [draft, setDraft] = useState<Draft>(() => keptDraft(kept) ?? draftOf(entity));
  const [isRestored, setRestored] = useState(() => changedIn(draft).length > 0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<Entity | null>(null);
  const [isSaving, setSaving] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  const isChanged = changedIn(draft).length > 0;

  // Without changes of one's own, what others did is simply shown.
  useEffect(() => {
    if (changedIn(latest.current).length === 0 && entity.version !== latest.current.version)
      setDraft(draftOf(entity));
  }, [entity]);

  const keep = (next: Draft) => {
    latest.current = next;
    setDraft(next);
    writeKept(kept, changedIn(next).length > 0 ? next : undefined);
  };
  const settle = (saved: Entity) => {
    keep(draftOf(saved));
    setRestored(false);
    setProblem(null);
    setTheirs(null);
  };

  const save = async (written: Draft) => {
    const { queryKey } = entityOptions(storyId, entity.id);
    const patch = Object.fromEntries(changedIn(written).map((field) => [field, written.fields[field]]));
    setSaving(true);
    setProblem(null);
    const before = queries.getQueryData(queryKey);
    queries.setQueryData(
      queryKey,
      (known) => known && { ...known, ...written.fields, version: known.version },
    );
    try {
      const saved = await ask<KnowledgeEntityUpdateResponse>("knowledge:entity:update", {
        projectId: storyId,
        id: entity.id,
        expectedVersion: written.version,
        patch,
      });
      queries.setQueryData(queryKey, saved);
      // Whoever typed on while the answer was on its way keeps what they typed.
      if (latest.current.fields === written.fields) settle(saved);
      else keep({ ...draftOf(saved), fields: latest.current.fields });
      void refreshStory(storyId);
      await tellDone(storyId, t.saved(saved.name)).catch(() => {});
    } catch (error) {
      queries.setQueryData(queryKey, before);
      const found = problemOf(error);
      const snapshot = EntitySchema.safeParse(found.details.latestSnapshot);
      if (found.code === "KG_ENTITY_CONFLICT" && snapshot.success) setTheirs(snapshot.data);
      else setProblem(found);
    }
    setSaving(false);
  };

  return {
    fields: draft.fields,
    base: draft.base,
    isChanged,
    isRestored: isRestored && isChanged,
    /** Somebody has changed the entity since this draft began. */
    isBehind: isChanged && entity.version > draft.version,
    isSaving,
    problem,
    theirs,
    change: (fields: Partial<Fields>) =>
      keep({ ...latest.current, fields: { ...latest.current.fields, ...fields } }),
    save: () => save(latest.current),
    /** Saves over a version that has been looked at. */
    saveOver: (seen: Entity, fields: Fields) => {
      const next: Draft = { base: fieldsOf(seen), version: seen.version, fields };
      keep(next);
      setTheirs(null);
      if (changedIn(next).length > 0) void save(next);
      else settle(seen);
    },
    compare: () => setTheirs(entity),
    takeTheirs: settle,
    closeConflict: () => setTheirs(null),
    discard: () => settle(entity),
  };
}
