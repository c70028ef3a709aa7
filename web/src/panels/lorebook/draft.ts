import type { LorebookEntry, LorebookEntryPatch } from "../../client/rest";
import { zLorebookEntry } from "../../client/rest/zod.gen";
import { readKept, writeKept } from "../../kept";
import { OWN_BOOK } from "../../story/lorebooks/books";

export const FIELDS = [
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
  "secrecy",
  "bookId",
  "extensions",
] as const;

type Field = (typeof FIELDS)[number];
/** What one can write in an entry. */
export type Fields = Pick<LorebookEntry, Field>;

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
  secrecy: "public",
  bookId: OWN_BOOK,
  extensions: {},
};

/** A new entry of a lorebook; only the story's own has entries with entities. */
export const blankIn = (bookId: string): Fields =>
  bookId === OWN_BOOK ? EMPTY : { ...EMPTY, bookId, category: "custom" };

/** A copy of an entry: what says where it stood in its file is the original's alone. */
export function copyOf(entry: Fields, name: string): Fields {
  const { origin: _, ...extensions } = entry.extensions;
  return { ...fieldsOf(entry), extensions, entryKey: name, displayName: name };
}

export const fieldsOf = (entry: Fields): Fields =>
  Object.fromEntries(FIELDS.map((field) => [field, entry[field]])) as unknown as Fields;

/** What is sent: only what was changed, so that the rest stays as others have made it. */
export function patchOf(
  fields: Fields,
  changed: readonly (keyof Fields)[],
  version: number | null,
): LorebookEntryPatch {
  const all = sent(fields);
  return { ...Object.fromEntries(changed.map((field) => [field, all[field]])), expectedVersion: version };
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

/** The fields of a draft that was kept, if they can still be read. */
export const readFields = (kept: unknown): Fields | null =>
  (zFields.safeParse(kept).data as Fields | undefined) ?? null;

export const NEW = "new";
export const draftName = (storyId: string, id: string) => `draft:${storyId}:${id}`;

/** Whether something of an entry was left unsaved in this browser. */
export const isLeft = (storyId: string, id: string): boolean => readKept(draftName(storyId, id)) !== null;

/** Leaves an entry that does not exist yet to be gone on with. */
export function leaveNew(storyId: string, fields: Fields): void {
  writeKept(draftName(storyId, NEW), { base: EMPTY, version: null, fields });
}
