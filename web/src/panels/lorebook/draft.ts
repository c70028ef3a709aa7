import { z } from "zod";
import type { LorebookEntry, LorebookEntryPatch } from "../../client/rest";
import { zLorebookEntry } from "../../client/rest/zod.gen";
import { readKept, writeKept } from "../../store";
import { changedFields as changedBetween } from "../../story/versions";

const FIELDS = [
  "entryKey",
  "displayName",
  "category",
  "content",
  "keywordsJson",
  "aliases",
  "attributes",
  "priority",
  "enabled",
  "insertionPosition",
  "tokenBudget",
  "aiContextLevel",
  "rules",
  "since",
  "until",
] as const;

type Field = (typeof FIELDS)[number];
/** What one can write in an entry. */
export type Fields = Pick<LorebookEntry, Field>;

/** An entry as somebody is writing it, and as it was when they began. */
export interface Draft {
  /** Null of an entry that does not exist yet. */
  readonly base: Fields | null;
  readonly version: number | null;
  readonly fields: Fields;
}

export const EMPTY: Fields = {
  entryKey: "",
  displayName: "",
  category: "character",
  content: "",
  keywordsJson: [],
  aliases: [],
  attributes: {},
  priority: 0,
  enabled: true,
  insertionPosition: "before_scene",
  tokenBudget: 500,
  aiContextLevel: "when_detected",
  rules: {
    caseSensitive: false,
    wholeWord: null,
    secondaryKeywords: [],
    secondaryLogic: "and_any",
    excludeKeywords: [],
  },
  since: null,
  until: null,
};

export const fieldsOf = (entry: Fields): Fields =>
  Object.fromEntries(FIELDS.map((field) => [field, entry[field]])) as unknown as Fields;

export const draftOf = (entry: LorebookEntry): Draft => ({
  base: fieldsOf(entry),
  version: entry.version,
  fields: fieldsOf(entry),
});

export const newDraft = (fields: Fields = EMPTY): Draft => ({ base: null, version: null, fields });

/** The fields that differ from where the draft began. */
export const changedFields = ({ base, fields }: Draft): Field[] =>
  changedBetween(FIELDS, base ?? EMPTY, fields);

export const isChanged = (draft: Draft): boolean => changedFields(draft).length > 0;

/** What is sent: only what was changed, so that the rest stays as others have made it. */
export function patchOf(draft: Draft): LorebookEntryPatch {
  const changed = Object.fromEntries(changedFields(draft).map((field) => [field, sent(draft.fields)[field]]));
  return { ...changed, expectedVersion: draft.version };
}

/** A custom entry has neither aliases nor attributes, and a name that is not given is the key. */
export function sent(fields: Fields): Fields {
  const displayName = fields.displayName.trim() || fields.entryKey;
  if (fields.category !== "custom") return { ...fields, displayName };
  return { ...fields, displayName, aliases: [], attributes: {} };
}

const zFields = zLorebookEntry.pick(
  Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<Field, true>,
);
const zDraft = z.object({ base: zFields.nullable(), version: z.number().nullable(), fields: zFields });

const nameOf = (storyId: string, id: string) => `draft:${storyId}:${id}`;
export const NEW = "new";

/** A draft that was left in this browser. */
export function keptDraft(storyId: string, id: string): Draft | null {
  const kept = zDraft.safeParse(readKept(nameOf(storyId, id)));
  return kept.success ? (kept.data as Draft) : null;
}

/** Keeps a draft until it is saved or given up; one without changes is not kept. */
export function keepDraft(storyId: string, id: string, draft: Draft | null): void {
  writeKept(nameOf(storyId, id), draft !== null && isChanged(draft) ? draft : undefined);
}
