import { createKnowing, deleteKnowing, type FactRef, type Knowing, updateKnowing } from "../../client/rest";

/** What is written of somebody and a fact. */
export type KnowingFields = Pick<
  Knowing,
  "fact" | "knowerId" | "knows" | "how" | "belief" | "since" | "until"
>;

export const blankKnowing = (fact: FactRef | null, knowerId: string | null) => ({
  fact,
  knowerId,
  knows: true,
  how: "told" as const,
  belief: "",
  since: null,
  until: null,
});

/** Writes down who knows a fact, or changes what was written; the source stays. */
export function sendKnowing(storyId: string, before: Knowing | null, fields: KnowingFields) {
  if (before === null) return createKnowing({ path: { storyId }, body: fields });
  const body = { ...fields, source: before.source ?? null, expectedVersion: before.version };
  return updateKnowing({ path: { storyId, knowingId: before.id }, body });
}

export const removeKnowing = (storyId: string, knowingId: string) =>
  deleteKnowing({ path: { storyId, knowingId } });
