import type { LorebookEntry } from "../../client/rest";

/** Saves the whole lorebook as a file that import takes. */
export function exportEntriesToFile(entries: readonly LorebookEntry[]): void {
  const blob = new Blob([JSON.stringify({ entries }, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "lorebook.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
