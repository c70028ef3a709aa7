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

const ACTIONS = ["create", "update", "delete", "merge", "import", "review", "undo", "redo"] as const;

/** What kind of step it was, by its action. */
export function actionOf({ action }: HistoryStep): (typeof ACTIONS)[number] | "other" {
  const word = action.split(":").at(-1) ?? "";
  return (
    ACTIONS.find((known) => word === known || word === `bulk-${known}`) ??
    (["upsert", "propose"].includes(word) ? "import" : "other")
  );
}

export const canUndo = ({ reverts, revertedBy }: HistoryStep): boolean =>
  reverts === null && revertedBy === null;
