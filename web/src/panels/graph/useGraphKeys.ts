import type { RefObject } from "react";
import { type Shortcut, useShortcuts } from "../../keys/shortcuts";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { type Graph, towards } from "./graph";
import type { Stage } from "./stage";
import { texts } from "./texts";
import type { Chosen } from "./useChosen";
import type { Address, useSight } from "./useSight";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
const PAN = 60;

interface Given {
  graph: Graph;
  sight: ReturnType<typeof useSight>;
  chosen: Chosen;
  stage: RefObject<Stage | null>;
  address: Address;
  refresh(): void;
}

/** Everything that the mouse does, with keys. */
export function useGraphKeys({ graph, sight, chosen, stage, address, refresh }: Given): void {
  const t = useTexts(texts);
  const group = useTexts(glossary).graph;
  const { node, edge } = chosen;
  const { ids } = graph.picture.nodes;
  const isPicture = address.view === "picture";
  const walk = (dx: number, dy: number) => {
    if (node === null) {
      const first = graph.ranked.find((place) => sight.shown[place] === 1);
      if (first !== undefined) chosen.show(ids[first] as string);
      return;
    }
    const next = towards(graph, node, dx, dy, sight.shown);
    if (next === null) stage.current?.pan(-dx * PAN, -dy * PAN);
    else chosen.show(ids[next] as string);
  };
  const walking = isPicture
    ? Object.entries(DIRECTIONS).map(([keys, [dx, dy]]) => ({
        keys,
        label: t.keyWalk,
        group,
        run: () => walk(dx, dy),
      }))
    : [];
  const looking: Shortcut[] = isPicture
    ? [
        { keys: "+", label: t.zoomIn, group, run: () => stage.current?.zoom(1.35) },
        { keys: "=", label: t.zoomIn, group, run: () => stage.current?.zoom(1.35) },
        { keys: "-", label: t.zoomOut, group, run: () => stage.current?.zoom(1 / 1.35) },
        { keys: "0", label: t.fit, group, run: () => chosen.seeAll() },
      ]
    : [];
  useShortcuts([
    { keys: "n", label: t.addNode, group, run: () => chosen.ask({ kind: "new", place: null }) },
    { keys: "/", label: t.searchNodes, group, run: () => document.getElementById("graph-search")?.focus() },
    ...walking,
    ...looking,
    { keys: "r", label: t.refresh, group, run: refresh },
    { keys: "f", label: t.keyFocus, group, run: () => node !== null && chosen.focus(node) },
    {
      keys: "l",
      label: t.keyRelate,
      group,
      run: () => node !== null && chosen.ask({ kind: "relate", source: node, target: null }),
    },
    {
      keys: "Delete",
      label: t.keyDelete,
      group,
      run: () => {
        if (edge !== null) chosen.ask({ kind: "deleteEdge", edge });
        else if (node !== null) chosen.ask({ kind: "deleteNode", node });
      },
    },
    { keys: "v", label: t.keyTable, group, run: () => address.put({ view: isPicture ? "table" : null }) },
    { keys: "Escape", label: t.keyLeave, group, run: () => chosen.choose(null) },
  ]);
}
