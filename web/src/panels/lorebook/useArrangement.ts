import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { LorebookEntry } from "../../client/rest";
import { type Filter, SORTS, type Sort, settled, sharedWords, sortedIds, WHICH, wanted } from "./arrange";
import { CATEGORIES, LEVELS } from "./choices";

/** The list as it is looked at: what fits, in an order that stays until somebody asks for another. */
export interface Arrangement {
  readonly shown: LorebookEntry[];
  readonly shared: ReadonlyMap<string, readonly string[]>;
  readonly filter: Filter;
  readonly sort: Sort;
  readonly isFiltered: boolean;
  /** Whether sorting again would change anything. */
  readonly isOutOfOrder: boolean;
  setFilter(filter: Partial<Filter>): void;
  setSort(sort: Sort): void;
  sortAgain(): void;
  clear(): void;
}

const PAUSE_MS = 250;

const one = <T extends string>(known: readonly T[], value: string | null, otherwise: T): T =>
  known.find((item) => item === value) ?? otherwise;

export function useArrangement(entries: LorebookEntry[]): Arrangement {
  const [params, setParams] = useSearchParams();
  // What is typed is kept here: the address follows when the writer pauses, and cannot swallow letters.
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const filter: Filter = {
    q: typed,
    book: params.get("book") ?? "all",
    category: one(["all", ...CATEGORIES], params.get("cat"), "all"),
    level: one(["all", ...LEVELS], params.get("level"), "all"),
    which: one(WHICH, params.get("which"), "all"),
  };
  const sort = one(SORTS, params.get("sort"), "priority");
  const order = useRef<{ sort: Sort; asked: string | null; ids: string[] } | null>(null);
  const asked = params.get("sorted");

  const ids = useMemo(() => {
    const kept = order.current;
    const isNew = kept === null || kept.sort !== sort || kept.asked !== asked;
    const next = isNew ? sortedIds(entries, sort) : settled(kept.ids, entries, sort);
    order.current = { sort, asked, ids: next };
    return next;
  }, [entries, sort, asked]);

  const shared = useMemo(() => sharedWords(entries), [entries]);
  const { book, category, level, which } = filter;
  const q = useDeferredValue(filter.q);
  const shown = useMemo(() => {
    const places = new Map(ids.map((id, place) => [id, place]));
    return wanted(entries, { q, book, category, level, which }, shared).toSorted(
      (one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0),
    );
  }, [entries, ids, shared, q, book, category, level, which]);
  const isOutOfOrder = useMemo(() => sortedIds(entries, sort).join() !== ids.join(), [entries, ids, sort]);

  const change = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === "" || value === "all") before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const latest = useRef(change);
  latest.current = change;
  const told = params.get("q") ?? "";
  useEffect(() => {
    // An address that says so already is left alone: whoever goes elsewhere meanwhile would be called back.
    if (typed === told) return;
    const timer = setTimeout(() => latest.current({ q: typed }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, told]);
  return {
    shown,
    shared,
    filter,
    sort,
    isOutOfOrder,
    isFiltered: filter.q !== "" || [book, category, level, which].some((value) => value !== "all"),
    setFilter: ({ q: text, category: cat, ...rest }) => {
      if (text !== undefined) setTyped(text);
      else change({ ...rest, ...(cat === undefined ? {} : { cat }) });
    },
    setSort: (next) => change({ sort: next === "priority" ? null : next }),
    sortAgain: () => change({ sorted: String(Number(asked ?? 0) + 1) }),
    clear: () => {
      setTyped("");
      change({ q: null, book: null, cat: null, level: null, which: null });
    },
  };
}
