import type { HistoryStep } from "../../client/rest";
import { isSame } from "../../story/versions";

const SILENT = ["updatedAt", "createdAt", "version", "promptText", "projectId", "id", "layoutX", "layoutY"];

/** One thing that a step changed. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a step did to an entity, field by field, without what follows from the rest. */
export function differencesOf(step: HistoryStep, entityId: string): Difference[] {
  const change = step.changes.find(({ id, kind }) => id === entityId && kind === "entity");
  if (!change?.before || !change.after) return [];
  const { before, after } = change;
  return Object.keys(after)
    .filter((field) => !SILENT.includes(field) && !isSame(before[field], after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}

const DEEDS = ["create", "update", "delete", "merge", "import", "review", "undo", "redo"] as const;

/** What kind of step it was, by its action. */
export function deedOf({ action }: HistoryStep): (typeof DEEDS)[number] | "other" {
  const word = action.split(":").at(-1) ?? "";
  return (
    DEEDS.find((deed) => word === deed || word === `bulk-${deed}`) ??
    (["upsert", "propose"].includes(word) ? "import" : "other")
  );
}

export const canUndo = ({ reverts, revertedBy }: HistoryStep): boolean =>
  reverts === null && revertedBy === null;
