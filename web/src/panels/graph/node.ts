import { queryOptions } from "@tanstack/react-query";
import type { Entity, EntityPatch, KnowledgeEntityReadResponse } from "../../client/knowledge";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";

export const nodeOptions = (storyId: string, id: string) =>
  queryOptions({
    queryKey: storyKey("node", storyId, id),
    queryFn: ({ signal }) =>
      ask<KnowledgeEntityReadResponse>("knowledge:entity:read", { projectId: storyId, id }, signal),
  });

export interface Row {
  readonly key: string;
  readonly value: string;
}

/** A node as it is written in a form. */
export interface Fields {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

/** Relations are shown as relations, not among the attributes. */
const RELATIONS = "relations";

const shownValue = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export const rowsOf = (attributes: Record<string, unknown>): Row[] =>
  Object.entries(attributes)
    .filter(([key]) => key !== RELATIONS)
    .map(([key, value]) => ({ key, value: shownValue(value) }));

export const fieldsOf = (entity: Entity): Fields => ({
  name: entity.name,
  type: entity.type,
  description: entity.description,
  rows: rowsOf(entity.attributes),
});

/** What was written in a row: numbers, lists and the like stay what they are, the rest is text. */
export function writtenValue(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  if (/^-?\d+(\.\d+)?$/.test(text.trim()) || /^[[{]|^(true|false|null)$/.test(text.trim())) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

export const isDoubled = (rows: readonly Row[]): boolean => {
  const keys = rows.map(({ key }) => key.trim()).filter(Boolean);
  return new Set(keys).size !== keys.length;
};

/** The attributes that rows tell of, each of the kind that it was of. */
export const attributesIn = (rows: readonly Row[], entity: Entity): Record<string, unknown> =>
  Object.fromEntries(
    rows
      .filter(({ key }) => key.trim() !== "")
      .map(({ key, value }) => [key.trim(), writtenValue(value, entity.attributes[key.trim()])]),
  );

/** Only what was changed is sent; null if nothing was. */
export function patchOf(entity: Entity, fields: Fields): EntityPatch | null {
  const before = fieldsOf(entity);
  const patch: EntityPatch = {};
  if (fields.name.trim() !== before.name) patch.name = fields.name.trim();
  if (fields.type !== before.type) patch.type = fields.type;
  if (fields.description !== before.description) patch.description = fields.description;
  if (JSON.stringify(fields.rows) !== JSON.stringify(before.rows)) {
    patch.attributes = attributesIn(fields.rows, entity);
  }
  return Object.keys(patch).length === 0 ? null : patch;
}

/** Whether what somebody changed is untouched by what somebody else did: where only the place is new, say. */
export const isUntouched = (base: Entity, latest: Entity): boolean =>
  JSON.stringify(fieldsOf(base)) === JSON.stringify(fieldsOf(latest));
