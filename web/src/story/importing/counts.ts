import type { ImportFileResponse } from "../../client/rest";
import type { Said } from "../../texts/language";
import type { texts } from "./texts";

const COUNTED = [
  "chapters",
  "scenes",
  "words",
  "entities",
  "relations",
  "deleted",
  "entries",
  "skipped",
] as const;

/** How much is in a file, in words; what there is none of is not spoken of. */
export function countsOf(
  { kind, counts, encoding, storyId }: ImportFileResponse,
  t: Said<typeof texts>,
): string {
  const told = COUNTED.filter((name) => (counts[name] ?? 0) > 0).map((name) => {
    // Without a story, nobody knows yet which items of a bundle are relations.
    const word = kind === "bundle" && name === "entities" && storyId === null ? "items" : name;
    return t[word](counts[name] ?? 0);
  });
  if (encoding && encoding !== "utf-8") told.push(t.inEncoding(encoding));
  return told.join(" · ");
}
