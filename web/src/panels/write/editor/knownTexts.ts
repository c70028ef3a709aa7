import type { Mention } from "../../../client/rest";

/** Texts whose names the server has found, each asked for once. */
export interface KnownTexts {
  /** The names in a text, in its order; undefined where it has not been asked for. */
  namesIn(text: string): readonly Mention[] | undefined;
  /** Asks for the texts that are not known yet. */
  ask(texts: readonly string[], signal?: AbortSignal): Promise<void>;
}

export type Find = (text: string, signal?: AbortSignal) => Promise<readonly Mention[]>;

const KEPT = 1_000;
const TOGETHER = 100_000;
// No name goes on after an empty line.
const BETWEEN = "\n\n";

export function createKnownTexts(find: Find): KnownTexts {
  const known = new Map<string, readonly Mention[]>();
  return {
    namesIn: (text) => known.get(text),
    ask: async (texts, signal) => {
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      for (const batch of batchesOf(missing)) {
        const found = await find(batch.join(BETWEEN), signal);
        for (const [text, names] of shared(batch, found)) known.set(text, names);
      }
      // The oldest go first; those just asked for stay.
      for (const text of known.keys()) {
        if (known.size <= KEPT + missing.length) break;
        known.delete(text);
      }
    },
  };
}

function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (text.length > room) {
      batches.push([]);
      room = TOGETHER;
    }
    batches.at(-1)?.push(text);
    room -= text.length + BETWEEN.length;
  }
  return batches;
}

/** What was found in joined texts, given to each of them; of several at one place, whoever is meant. */
function shared(batch: readonly string[], found: readonly Mention[]): [string, Mention[]][] {
  const placeOf = unitsOf(batch.join(BETWEEN));
  let begin = 0;
  let next = 0;
  return batch.map((text) => {
    const names: Mention[] = [];
    const end = begin + text.length;
    for (; next < found.length; next++) {
      const mention = found[next] as Mention;
      const start = placeOf(mention.start) - begin;
      if (begin + start >= end) break;
      if (names.at(-1)?.start !== start) names.push({ ...mention, start, end: placeOf(mention.end) - begin });
    }
    begin = end + BETWEEN.length;
    return [text, names];
  });
}

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

/** From places that the server counts in characters to those of JavaScript, where some characters count twice. */
export function unitsOf(text: string): (place: number) => number {
  const doubles = [...text.matchAll(ASTRAL)].map(({ index }, before) => index - before);
  if (doubles.length === 0) return (place) => place;
  let passed = 0;
  return (place) => {
    while (passed > 0 && (doubles[passed - 1] as number) >= place) passed -= 1;
    while (passed < doubles.length && (doubles[passed] as number) < place) passed += 1;
    return place + passed;
  };
}

/** A place of JavaScript as the server counts it. */
export const charactersBefore = (text: string, units: number): number =>
  units - [...text.slice(0, units).matchAll(ASTRAL)].length;
