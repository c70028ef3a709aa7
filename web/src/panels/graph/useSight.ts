import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { searchStoryOptions } from "../../client/rest/@tanstack/react-query.gen";
import { readKept, writeKept } from "../../kept";
import { foldedNames, type Graph, hitsOf, shownEdges, shownOf, unlinkedOf } from "./graph";

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const FOUND = 50;
const IDLE_MS = 700;

const areAlike = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((each, place) => each === b[place]);

/** What of the graph is to be seen: kept in the address, so that it can be sent to somebody. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const put = (values: Record<string, string | null>, replace = false) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace },
    );
  const chapter = Number.parseInt(params.get("chapter") ?? "", 10);
  const steps = Number.parseInt(params.get("k") ?? "", 10);
  return {
    node: params.get("node"),
    focus: params.get("focus"),
    steps: steps >= 1 && steps <= 3 ? steps : 2,
    chapter: chapter >= 0 ? chapter : null,
    layout: params.get("layout"),
    view: params.get("view") === "table" ? ("table" as const) : ("picture" as const),
    put,
  };
}

export type Address = ReturnType<typeof useAddress>;

/** Which nodes are shown, and which a search has found. */
export function useSight(
  storyId: string,
  graph: Graph,
  fresh: ReadonlyMap<string, number>,
  { focus, steps, node: chosenId, view, least }: Address & { readonly least: number },
) {
  const kept = `graph:hidden:${storyId}`;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => {
    const known = readKept(kept);
    return new Set(isListOfTexts(known) ? known : []);
  });
  const keptSpread = `graph:spread:${storyId}`;
  const [isSpread, setSpread] = useState(() => readKept(keptSpread) === true);
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set());
  const [q, setQ] = useState("");
  const put = (types: ReadonlySet<string>) => {
    setHidden(types);
    writeKept(kept, [...types]);
  };
  const center = focus === null ? null : (graph.placeOf.get(focus) ?? null);
  const text = useDeferredValue(q);
  const isSearching = q.trim() !== "";
  // Before anybody searches, while nothing else is to be done.
  useEffect(() => {
    const timer = setTimeout(() => foldedNames(graph), IDLE_MS);
    return () => clearTimeout(timer);
  }, [graph]);
  const found = useQuery({
    ...searchStoryOptions({
      path: { storyId },
      query: { q: text.trim(), kinds: ["entity", "event"], limit: FOUND },
    }),
    enabled: text.trim() !== "",
    placeholderData: keepPreviousData,
  });
  const others = useMemo(
    () => (found.data?.items ?? []).filter(({ why }) => why !== "near").map(({ id }) => id),
    [found.data],
  );
  const last = useRef<Uint8Array | null>(null);
  const hits = useMemo(() => {
    const next = isSearching ? hitsOf(graph, foldedNames(graph), text, others) : null;
    // What the server finds is often what was found by name already: then nothing is drawn anew.
    if (!next || !last.current || !areAlike(next, last.current)) last.current = next;
    return last.current;
  }, [graph, text, others, isSearching]);
  const unlinked = useMemo(() => unlinkedOf(graph, least), [graph, least]);
  const isInPicture = isSpread || view === "table";
  const shown = useMemo(() => {
    const { ids } = graph.picture.nodes;
    // Whoever is chosen, was found, or has just been added is in the picture all the same.
    const isWanted = (node: number) =>
      ids[node] === chosenId || hits?.[node] === 1 || fresh.has(ids[node] ?? "");
    const tray = isInPicture ? [] : unlinked.filter((node) => !isWanted(node));
    return shownOf(graph, { hidden, aside, focus: center, steps, tray });
  }, [graph, hidden, aside, center, steps, unlinked, isInPicture, chosenId, hits, fresh]);
  return {
    hidden,
    unlinked,
    isSpread,
    spread: (isWanted: boolean) => {
      setSpread(isWanted);
      writeKept(keptSpread, isWanted);
    },
    toggle: (type: string) => {
      const next = new Set(hidden);
      if (!next.delete(type)) next.add(type);
      put(next);
    },
    aside,
    putAside: (id: string) => setAside(new Set([...aside, id])),
    bringBack: () => setAside(new Set()),
    showAll: () => {
      put(new Set());
      setAside(new Set());
      setQ("");
    },
    q,
    search: setQ,
    center,
    shown,
    hits,
    /** What the words found that stand in the field, also while the picture is still behind them. */
    hitsNow: () => (text === q ? hits : hitsOf(graph, foldedNames(graph), q, [])),
    nodeCount: useMemo(() => shown.reduce((sum, each) => sum + each, 0), [shown]),
    edgeCount: useMemo(() => shownEdges(graph, shown), [graph, shown]),
    hitCount: useMemo(
      () => (hits ? hits.reduce((sum, each, node) => sum + (each && shown[node] ? 1 : 0), 0) : null),
      [hits, shown],
    ),
  };
}
