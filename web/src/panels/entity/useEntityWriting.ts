import { EntitySchema, type KnowledgeEntityUpdateResponse } from "../../client/knowledge";
import { ask } from "../../server/channel";
import { revisionOf } from "../../server/revision";
import { queries, refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import { useWriting } from "../../story/useWriting";
import { useTexts } from "../../texts/language";
import { type Entity, entityOptions, FIELDS, type Fields, fieldsOf } from "./entity";
import { texts } from "./texts";

const zFields = EntitySchema.pick(
  Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<(typeof FIELDS)[number], true>,
);

/** An entity while it is written on its page; what is sent is shown at once. */
export function useEntityWriting(storyId: string, entity: Entity) {
  const t = useTexts(texts);
  const { queryKey } = entityOptions(storyId, entity.id);
  return useWriting<Entity, Fields>({
    name: `draft:${storyId}:entity:${entity.id}`,
    names: FIELDS,
    saved: entity,
    blank: fieldsOf(entity),
    fieldsOf,
    read: (kept) => zFields.safeParse(kept).data ?? null,
    latest: (snapshot) => EntitySchema.safeParse(snapshot).data ?? null,
    send: async (fields, changed, version) => {
      const before = queries.getQueryData(queryKey);
      queries.setQueryData(queryKey, (known) => known && { ...known, ...fields, version: known.version });
      try {
        const saved = await ask<KnowledgeEntityUpdateResponse>("knowledge:entity:update", {
          projectId: storyId,
          id: entity.id,
          expectedVersion: version,
          patch: Object.fromEntries(changed.map((field) => [field, fields[field]])),
        });
        queries.setQueryData(queryKey, saved);
        return saved;
      } catch (error) {
        queries.setQueryData(queryKey, before);
        throw error;
      }
    },
    onSaved: (saved) => {
      void refreshStory(storyId);
      tellDone(storyId, t.saved(saved.name), revisionOf(saved));
    },
  });
}
