import { useMemo, useState } from "react";
import { readKept, writeKept } from "../../kept";
import { usePlaces } from "../../story/places";
import { arranged, LAYOUTS, type Layout, layoutsOf, type Sizing, sizingFor } from "./arranging";
import type { Graph } from "./graph";
import type { Address } from "./useSight";

const isLayout = (value: unknown): value is Layout => LAYOUTS.some((layout) => layout === value);

/** How the graph stands, what sizes say, and from which weight on shared scenes are a line; kept per story. */
export function useArranging(storyId: string, graph: Graph | null, { layout: wanted, put }: Address) {
  const { shortName } = usePlaces(storyId);
  const keptSizing = `graph:sizing:${storyId}`;
  const keptLeast = `graph:least:${storyId}`;
  const [chosen, setChosen] = useState<Sizing | null>(() => {
    const kept = readKept(keptSizing);
    return kept === "links" || kept === "mentions" ? kept : null;
  });
  const [least, setLeast] = useState(() => Number(readKept(keptLeast)) || 0);
  const can = useMemo(() => (graph ? layoutsOf(graph) : new Set<Layout>()), [graph]);
  const layout = isLayout(wanted) && can.has(wanted) ? wanted : "free";
  const sizing = chosen ?? (graph ? sizingFor(graph) : "links");
  return {
    graph: useMemo(
      () => graph && arranged(graph, layout, sizing, shortName),
      [graph, layout, sizing, shortName],
    ),
    can,
    layout,
    stand: (next: Layout) => put({ layout: next === "free" ? null : next }),
    sizing,
    size: (next: Sizing) => {
      setChosen(next);
      writeKept(keptSizing, next);
    },
    least,
    tieFrom: (weight: number) => {
      setLeast(weight);
      writeKept(keptLeast, weight);
    },
  };
}

export type Arranging = ReturnType<typeof useArranging>;
