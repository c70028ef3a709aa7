import type { AiContextLevel, Category, LorebookEntry } from "../../client/rest";

export const SORTS = ["priority", "name", "tokens", "updated"] as const;
export type Sort = (typeof SORTS)[number];
export const WHICH = ["all", "enabled", "disabled", "doubled", "over"] as const;
export type Which = (typeof WHICH)[number];

/** Which entries are wanted. */
export interface Filter {
  readonly q: string;
  /** The id of a book. */
  readonly book: string | "all";
  readonly category: Category | "all";
  readonly level: AiContextLevel | "all";
  readonly which: Which;
}

/** As the server compares keys, so that what looks the same is the same. */
export const folded = (text: string): string => text.normalize("NFKC").trim().toLowerCase();

export const isOver = (entry: LorebookEntry): boolean => entry.estimatedTokens > entry.tokenBudget;

/** Every word that calls an entry. */
export const wordsOf = (entry: Pick<LorebookEntry, "entryKey" | "keywordsJson" | "aliases">): string[] => [
  entry.entryKey,
  ...entry.keywordsJson,
  ...entry.aliases,
];

/** A word as it calls entries of a book: books do not take words from each other. */
export const sharedKey = ({ bookId }: Pick<LorebookEntry, "bookId">, word: string): string =>
  JSON.stringify([bookId, folded(word)]);

/** Of every word that calls several entries of one book, their ids. */
export function sharedWords(entries: readonly LorebookEntry[]): Map<string, string[]> {
  const callers = new Map<string, string[]>();
  for (const entry of entries) {
    for (const word of new Set(wordsOf(entry).map((one) => sharedKey(entry, one)))) {
      const known = callers.get(word);
      if (known) known.push(entry.id);
      else callers.set(word, [entry.id]);
    }
  }
  return new Map([...callers].filter(([, ids]) => ids.length > 1));
}

export function wanted(
  entries: readonly LorebookEntry[],
  filter: Filter,
  shared: ReadonlyMap<string, readonly string[]>,
): LorebookEntry[] {
  const q = folded(filter.q);
  const doubled = filter.which === "doubled" ? new Set([...shared.values()].flat()) : null;
  return entries.filter((entry) => {
    if (filter.book !== "all" && entry.bookId !== filter.book) return false;
    if (filter.category !== "all" && entry.category !== filter.category) return false;
    if (filter.level !== "all" && entry.aiContextLevel !== filter.level) return false;
    if (filter.which === "enabled" && !entry.enabled) return false;
    if (filter.which === "disabled" && entry.enabled) return false;
    if (filter.which === "over" && !isOver(entry)) return false;
    if (doubled && !doubled.has(entry.id)) return false;
    return (
      q === "" ||
      [entry.displayName, ...wordsOf(entry), entry.content].some((text) => folded(text).includes(q))
    );
  });
}

const names = new Intl.Collator(["zh-CN-u-co-pinyin", "en"], { numeric: true });
const byName = (one: LorebookEntry, other: LorebookEntry) =>
  names.compare(one.displayName, other.displayName);

const ORDERS: Record<Sort, (one: LorebookEntry, other: LorebookEntry) => number> = {
  priority: (one, other) => other.priority - one.priority || byName(one, other),
  name: byName,
  tokens: (one, other) => other.estimatedTokens - one.estimatedTokens || byName(one, other),
  updated: (one, other) => other.updatedAt.localeCompare(one.updatedAt) || byName(one, other),
};

/** The ids in order. */
export const sortedIds = (entries: readonly LorebookEntry[], sort: Sort): string[] =>
  entries.toSorted(ORDERS[sort]).map(({ id }) => id);

/** The order that was chosen once, with new entries on top: what is edited does not jump away. */
export function settled(order: readonly string[], entries: readonly LorebookEntry[], sort: Sort): string[] {
  const present = new Set(entries.map(({ id }) => id));
  const known = new Set(order);
  const fresh = entries.filter(({ id }) => !known.has(id));
  return [...sortedIds(fresh, sort), ...order.filter((id) => present.has(id))];
}

/** The tokens of all entries, and of those that are switched on. */
export function totals(entries: readonly LorebookEntry[]): { all: number; enabled: number } {
  let all = 0;
  let enabled = 0;
  for (const entry of entries) {
    all += entry.estimatedTokens;
    if (entry.enabled && entry.aiContextLevel !== "never") enabled += entry.estimatedTokens;
  }
  return { all, enabled };
}
