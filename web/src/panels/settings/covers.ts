import type { NameCover, Story } from "../../client/rest";

/** An open name with a hidden one in it, once for all who bear it. */
export interface Pair {
  readonly name: string;
  readonly hidden: string;
  readonly origins: readonly NameCover["origin"][];
  readonly isConfirmed: boolean;
  /** Whether whoever bears it got it from the author: then nobody needs to confirm it. */
  readonly isAuthors: boolean;
}

/** A name as the server compares it. */
const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");

export const pairKey = ({ name, hidden }: Pick<Pair, "name" | "hidden">): string =>
  JSON.stringify([keyOf(name), keyOf(hidden)]);

/** The list of the server, in its order, with those put together who bear the same name. */
export function pairsOf(covers: readonly NameCover[]): Pair[] {
  const found = new Map<string, NameCover[]>();
  for (const cover of covers) {
    const key = pairKey(cover);
    found.set(key, [...(found.get(key) ?? []), cover]);
  }
  return [...found.values()].map((same) => {
    const [{ name, hidden }] = same as [NameCover];
    const origins = [...new Set(same.map(({ origin }) => origin))];
    return {
      name,
      hidden,
      origins,
      isConfirmed: same.some(({ confirmed }) => confirmed),
      isAuthors: origins.every((origin) => origin === "author"),
    };
  });
}

const COVERS = "covers";

interface Said {
  readonly name: string;
  readonly hidden: string;
}

/** The settings of a story with a pair confirmed, or no longer; all others are as they were. */
export function settingsWith(
  settings: Story["settings"],
  { name, hidden }: Said,
  isConfirmed: boolean,
): Story["settings"] {
  const { [COVERS]: said, ...others } = settings;
  const before = Array.isArray(said) ? (said as Said[]) : [];
  const rest = before.filter((pair) => pairKey(pair) !== pairKey({ name, hidden }));
  const after = isConfirmed ? [...rest, { name, hidden }] : rest;
  return after.length > 0 ? { ...others, [COVERS]: after } : others;
}
