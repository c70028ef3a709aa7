import { queryOptions } from "@tanstack/react-query";
import type {
  Entity,
  EntityState,
  KnowledgeEntityReadResponse,
  KnowledgeQueryByIdsResponse,
  KnowledgeRelationListResponse,
  KnowledgeStateListResponse,
  Relation,
} from "../../client/knowledge";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";

export type { Entity, EntityState, Relation };

export const FIELDS = [
  "name",
  "type",
  "description",
  "aliases",
  "names",
  "attributes",
  "aiContextLevel",
  "significance",
  "since",
  "until",
  "secrecy",
] as const satisfies readonly (keyof Entity)[];

/** What one can write of an entity. */
export type Fields = Pick<Entity, (typeof FIELDS)[number]>;

/** The fields of an entity; its relations are rows of their own, and not written here. */
export function fieldsOf(entity: Entity): Fields {
  const { relations: _, ...attributes } = entity.attributes;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, entity[field]])) as unknown as Fields;
  return { ...fields, attributes };
}

export const entityOptions = (storyId: string, id: string) =>
  queryOptions({
    queryKey: storyKey("entity", storyId, id),
    queryFn: ({ signal }) =>
      ask<KnowledgeEntityReadResponse>("knowledge:entity:read", { projectId: storyId, id }, signal),
  });

const MOST = 2_000;

export const relationsOptions = (storyId: string, entityId: string) =>
  queryOptions({
    queryKey: storyKey("relationsOf", storyId, entityId),
    queryFn: async ({ signal }): Promise<Relation[]> => {
      const wanted = { projectId: storyId, filter: { entityId }, limit: MOST };
      return (await ask<KnowledgeRelationListResponse>("knowledge:relation:list", wanted, signal)).items;
    },
  });

const AT_ONCE = 1_000;

/** Those whom the relations lead to. */
export const neighboursOptions = (storyId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: storyKey("named", storyId, ids),
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<Entity[]> => {
      const found: Entity[] = [];
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const wanted = { projectId: storyId, entityIds: ids.slice(from, from + AT_ONCE) };
        found.push(
          ...(await ask<KnowledgeQueryByIdsResponse>("knowledge:query:byids", wanted, signal)).items,
        );
      }
      return found;
    },
  });

export const statesOptions = (storyId: string, entityId: string) =>
  queryOptions({
    queryKey: storyKey("statesOf", storyId, entityId),
    queryFn: async ({ signal }): Promise<EntityState[]> =>
      (
        await ask<KnowledgeStateListResponse>(
          "knowledge:state:list",
          { projectId: storyId, entityId },
          signal,
        )
      ).items,
  });
