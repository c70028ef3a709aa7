import type { LorebookEntry } from "../../client/rest";

/** The entries of a file as export writes it, or a bare list; null if it is neither. */
export function entriesIn(text: string): unknown[] | null {
  try {
    const read: unknown = JSON.parse(text);
    if (Array.isArray(read)) return read;
    if (typeof read === "object" && read !== null && "entries" in read && Array.isArray(read.entries)) {
      return read.entries;
    }
  } catch {
    // Not JSON at all is no list of entries, either.
  }
  return null;
}

/** Saves the whole lorebook as a file that import takes. */
export function exportEntriesToFile(entries: readonly LorebookEntry[]): void {
  const blob = new Blob([JSON.stringify({ entries }, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "lorebook.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
