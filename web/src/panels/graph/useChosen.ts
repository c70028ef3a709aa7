import { type RefObject, useCallback, useState } from "react";
import { useNavigate } from "react-router";
import { listEntries } from "../../client/rest";
import { tellTrouble } from "../../design/toasts";
import { useTexts } from "../../texts/language";
import { fitting } from "./camera";
import type { Graph } from "./graph";
import type { MenuItem } from "./Menu";
import type { PointingEvents, Target } from "./pointing";
import type { Stage } from "./stage";
import { texts } from "./texts";
import type { Changes } from "./useChanges";
import type { Address, useSight } from "./useSight";

/** What somebody is asked before something is done. */
export type Question =
  | { kind: "new"; place: { x: number; y: number } | null }
  | { kind: "relate"; source: number; target: number | null }
  | { kind: "deleteNode"; node: number }
  | { kind: "editEdge" | "deleteEdge"; edge: number };

interface Given {
  storyId: string;
  graph: Graph;
  address: Address;
  sight: ReturnType<typeof useSight>;
  changes: Changes;
  stage: RefObject<Stage | null>;
  word(type: string): string;
}

/** What is chosen, and what can be done with it. */
export function useChosen({ storyId, graph, address, sight, changes, stage, word }: Given) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const [edgeId, setEdgeId] = useState<string | null>(null);
  const [question, ask] = useState<Question | null>(null);
  const [menu, setMenu] = useState<{ label: string; x: number; y: number; items: MenuItem[] } | null>(null);
  const { ids, names } = graph.picture.nodes;
  const node = address.node === null ? null : (graph.placeOf.get(address.node) ?? null);
  const found = edgeId === null ? -1 : graph.picture.edges.ids.indexOf(edgeId);
  const edge = found < 0 ? null : found;

  const choose = (target: Target | null) => {
    setEdgeId(target?.kind === "edge" ? (graph.picture.edges.ids[target.place] ?? null) : null);
    if (target?.kind === "edge") return;
    const id = target?.kind === "node" ? (ids[target.place] ?? null) : null;
    if (id !== address.node) address.put({ node: id }, true);
  };
  /** Chooses a node and brings it into sight. */
  const show = (id: string) => {
    const place = graph.placeOf.get(id);
    if (place !== undefined && sight.shown[place]) stage.current?.seek(place);
    setEdgeId(null);
    address.put({ node: id }, true);
  };
  const openPage = (id: string) =>
    void navigate(`/stories/${encodeURIComponent(storyId)}/entities/${encodeURIComponent(id)}`);
  const openLorebook = async (place: number) => {
    const id = ids[place] as string;
    try {
      const query = { keyword: names[place] as string, size: 200 };
      const { data } = await listEntries({ path: { storyId }, query });
      const entry = data.content.find(({ entityId }) => entityId === id);
      if (entry) void navigate(`/stories/${encodeURIComponent(storyId)}/lorebook?entry=${entry.id}`);
      else openPage(id);
    } catch (error) {
      tellTrouble(error);
    }
  };
  const focus = (place: number, steps: number | null = null) => {
    const id = ids[place] as string;
    address.put({ focus: id, node: id, ...(steps === null ? {} : { k: String(steps) }) });
  };
  const tie = (place: number) => {
    const type = graph.picture.edgeTypes[graph.picture.edges.types[place] as number] as string;
    return {
      source: names[graph.source[place] as number] as string,
      word: word(type),
      target: names[graph.target[place] as number] as string,
    };
  };

  const nodeItems = (place: number): MenuItem[] => [
    {
      label: t.edit,
      icon: "pen",
      run: () => {
        choose({ kind: "node", place });
        requestAnimationFrame(() => document.getElementById("graph-node-name")?.focus());
      },
    },
    { label: t.relate, icon: "plus", run: () => ask({ kind: "relate", source: place, target: null }) },
    { label: t.inLorebook, icon: "book", run: () => void openLorebook(place) },
    { label: t.wholePage, icon: "eye", run: () => openPage(ids[place] as string) },
    { label: t.focus, icon: "graph", run: () => focus(place) },
    { label: t.hide, icon: "filter", run: () => sight.putAside(ids[place] as string) },
    { label: t.letGo, icon: "undo", run: () => void changes.letGo(ids[place] as string) },
    {
      label: t.deleteNode,
      icon: "trash",
      isDangerous: true,
      run: () => ask({ kind: "deleteNode", node: place }),
    },
  ];
  const openMenu = (target: Target, x: number, y: number) => {
    if (target.kind === "node") {
      choose(target);
      setMenu({ label: t.nodeMenu(names[target.place] as string), x, y, items: nodeItems(target.place) });
    } else if (target.kind === "edge") {
      choose(target);
      const items: MenuItem[] = [
        { label: t.editEdge, icon: "pen", run: () => ask({ kind: "editEdge", edge: target.place }) },
        {
          label: t.deleteEdge,
          icon: "trash",
          isDangerous: true,
          run: () => ask({ kind: "deleteEdge", edge: target.place }),
        },
      ];
      setMenu({ label: t.edgeMenu, x, y, items });
    } else {
      const camera = stage.current?.camera ?? { x: 0, y: 0, k: 1 };
      const place = { x: (target.x - camera.x) / camera.k, y: (target.y - camera.y) / camera.k };
      const items: MenuItem[] = [
        { label: t.addHere, icon: "plus", run: () => ask({ kind: "new", place }) },
        { label: t.fit, icon: "fit", run: () => seeAll() },
      ];
      setMenu({ label: t.groundMenu, x, y, items });
    }
  };
  const seeAll = () => {
    const on = stage.current;
    if (on) on.fly(sight.nodeCount > 0 ? on.whole() : fitting(null, on.width, on.height));
  };
  /** The next of what a search has found, the best connected first. */
  const nextFound = () => {
    const [hits, { shown }] = [sight.hitsNow(), sight];
    if (!hits) return;
    const all = [...graph.ranked].filter((place) => hits[place] && shown[place]);
    const next = all[(node === null ? -1 : all.indexOf(node)) + 1] ?? all[0];
    if (next !== undefined) show(ids[next] as string);
  };
  const events: Omit<PointingEvents, "onHover"> = {
    onChoose: (target) => choose(target.kind === "ground" ? null : target),
    onOpen: (place) => void openLorebook(place),
    onMenu: openMenu,
    onMoved: (place, x, y) => {
      // In an order of its own, nobody has a place of their own.
      if (graph.groups) return;
      void changes.move(
        ids[place] as string,
        names[place] as string,
        Math.round(x * 10) / 10,
        Math.round(y * 10) / 10,
      );
    },
    onRelate: (source, target) => ask({ kind: "relate", source, target }),
  };
  return {
    node,
    edge,
    choose,
    show,
    tie,
    focus,
    seeAll,
    nextFound,
    openPage,
    openLorebook,
    menu,
    openMenu,
    closeMenu: useCallback(() => setMenu(null), []),
    question,
    ask,
    events,
  };
}

export type Chosen = ReturnType<typeof useChosen>;
