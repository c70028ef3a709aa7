import { z } from "zod";
import type { LorebookEntry, LorebookEntryPatch } from "../../client/rest";
import { zLorebookEntry } from "../../client/rest/zod.gen";
import { readKept, writeKept } from "../../store";

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

export type Field = (typeof FIELDS)[number];
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

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ from where the draft began. */
export const changedFields = ({ base, fields }: Draft): Field[] =>
  FIELDS.filter((field) => !isSame((base ?? EMPTY)[field], fields[field]));

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

/** What one changed of an entry and what somebody else did to it, put together field by field. */
export interface Merge {
  readonly merged: Fields;
  /** Both have changed these, in different ways. */
  readonly disputed: readonly Field[];
}

export function merge(base: Fields, mine: Fields, theirs: Fields): Merge {
  const disputed: Field[] = [];
  const pairs = FIELDS.map((field) => {
    if (isSame(mine[field], base[field])) return [field, theirs[field]];
    if (!isSame(theirs[field], base[field]) && !isSame(mine[field], theirs[field])) disputed.push(field);
    return [field, mine[field]];
  });
  return { merged: Object.fromEntries(pairs) as unknown as Fields, disputed };
}

/** Both sides of a field in one, where that makes sense. */
export function combined(field: Field, mine: Fields, theirs: Fields): Fields[Field] | null {
  if (field === "content") return `${mine.content}\n\n${theirs.content}`;
  if (field === "keywordsJson" || field === "aliases")
    return [...new Set([...mine[field], ...theirs[field]])];
  if (field === "attributes") return { ...theirs.attributes, ...mine.attributes };
  return null;
}
