import type { ReviewExtractionsResponse } from "../../client/rest";

const KINDS = ["entity", "entry", "relation", "event", "state"] as const;

/** How many rows of a kind would be written, and whose. */
export interface Tally {
  readonly kind: (typeof KINDS)[number] | "other";
  readonly isNew: boolean;
  readonly names: readonly string[];
}

/** What a batch would write, by kind; of a row that is made and changed in one step, the last name counts. */
export function tallied(reviewed: ReviewExtractionsResponse): Tally[] {
  const groups = new Map<string, { kind: Tally["kind"]; isNew: boolean; names: string[] }>();
  for (const { written } of reviewed.results) {
    const made = new Set(written.filter(({ operation }) => operation === "add").map(({ kind }) => kind));
    for (const row of written) {
      if (
        row.operation === "add" &&
        written.some((later) => later.kind === row.kind && later.operation !== "add")
      )
        continue;
      const kind = KINDS.find((known) => known === row.kind) ?? "other";
      const isNew = made.has(row.kind);
      const key = `${KINDS.indexOf(kind as (typeof KINDS)[number])}${isNew ? "a" : "b"}`;
      const group = groups.get(key) ?? { kind, isNew, names: [] };
      group.names.push(row.name);
      groups.set(key, group);
    }
  }
  return [...groups].toSorted(([one], [other]) => one.localeCompare(other)).map(([, group]) => group);
}
