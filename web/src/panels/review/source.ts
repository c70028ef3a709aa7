import type { Extraction } from "../../client/rest";

const AROUND = 100;

/** A quotation with some of the text around it. */
export interface Passage {
  readonly before: string;
  readonly quotation: string;
  readonly after: string;
}

/** Where the quotation stands in the scene of today; null if it does not stand there any more. */
export function passageIn(scene: string, { sourceText, sourceStart }: Extraction): Passage | null {
  if (sourceText === "") return null;
  const characters = Array.from(scene);
  const wanted = Array.from(sourceText);
  const stands = (at: number) => wanted.every((character, place) => characters[at + place] === character);
  let at = sourceStart !== null && stands(sourceStart) ? sourceStart : -1;
  if (at < 0) {
    const found = scene.indexOf(sourceText);
    if (found < 0) return null;
    at = Array.from(scene.slice(0, found)).length;
  }
  const start = Math.max(0, at - AROUND);
  const end = at + wanted.length;
  return {
    before: (start > 0 ? "…" : "") + characters.slice(start, at).join(""),
    quotation: sourceText,
    after: characters.slice(end, end + AROUND).join("") + (end + AROUND < characters.length ? "…" : ""),
  };
}

/** The names a proposal is about, the longest first, so that they can be marked in its quotation. */
export function namesIn(proposal: Extraction): string[] {
  const { target, aliasOf } = proposal.attributesJson;
  const others = [target, aliasOf].filter((name) => typeof name === "string");
  return [...new Set([proposal.entityName, ...proposal.aliases, ...others])]
    .filter((name) => name.length > 0)
    .toSorted((one, other) => other.length - one.length);
}
