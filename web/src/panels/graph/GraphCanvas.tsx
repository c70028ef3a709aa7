import { type RefObject, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { themeStore } from "../../design/theme";
import { useTexts } from "../../texts/language";
import styles from "./Graph.module.css";
import type { Graph, Known } from "./graph";
import type { Drawn } from "./painter";
import { onScreen } from "./picking";
import type { Target } from "./pointing";
import { paletteOf } from "./shapes";
import { Stage, type StageEvents } from "./stage";
import { Tip, type Told } from "./Tip";
import { texts } from "./texts";

declare global {
  interface Window {
    /** Where the nodes are on the screen, for those who test. */
    __graph?: {
      at(name: string): { x: number; y: number; r: number } | null;
      camera(): { k: number };
      isDrawn(): boolean;
    };
  }
}

interface GraphCanvasProps {
  graph: Graph;
  shown: Uint8Array;
  hits: Uint8Array | null;
  known: Known | null;
  node: number | null;
  edge: number | null;
  fresh: ReadonlyMap<string, number>;
  /** From which weight on the ties of shared scenes are drawn. */
  least: number;
  word(type: string): string;
  /** What is said of the thing under the pointer. */
  tip(target: Target): Told | null;
  announced: string;
  events: Omit<StageEvents, "onHover" | "onDrawn" | "onCamera">;
  onDrawn(drawn: Drawn): void;
  /** The stage while there is one, for those who move the camera. */
  stage: RefObject<Stage | null>;
}

const FADE_OUT_MS = 300;
const FADE_BACK_MS = 200;

/** The picture: canvases that are drawn by hand, and the little that is said over them. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { graph, shown, hits, known, node, edge, fresh, least, word, announced, stage } = props;
  const t = useTexts(texts);
  const theme = useStore(themeStore);
  const host = useRef<HTMLDivElement>(null);
  const current = useRef(props);
  current.current = props;
  const [tip, setTip] = useState<{ told: Told; x: number; y: number } | null>(null);

  useEffect(() => {
    if (!host.current) return;
    const events: StageEvents = {
      onChoose: (target) => {
        setTip(null);
        current.current.events.onChoose(target);
      },
      onOpen: (place) => current.current.events.onOpen(place),
      onMenu: (target, x, y) => current.current.events.onMenu(target, x, y),
      onMoved: (place, x, y) => current.current.events.onMoved(place, x, y),
      onRelate: (source, target) => current.current.events.onRelate(source, target),
      onDrawn: (drawn) => current.current.onDrawn(drawn),
      onCamera: () => setTip(null),
      onHover: (target, x, y) => {
        const isChosen = target?.kind === "node" && target.place === current.current.node;
        const told = target && !isChosen && current.current.tip(target);
        setTip(told ? { told, x, y } : null);
      },
    };
    const made = new Stage(host.current, events);
    stage.current = made;
    window.__graph = {
      camera: () => made.camera,
      isDrawn: () => made.isDrawn,
      at: (name) => {
        const drawn = current.current.graph;
        const place = drawn.picture.nodes.names.indexOf(name);
        if (place < 0 || !current.current.shown[place]) return null;
        const { left, top } = made.host.getBoundingClientRect();
        const { x, y } = made.at(place);
        return { x: x + left, y: y + top, r: onScreen(drawn.radius[place] as number, made.camera.k) };
      },
    };
    return () => {
      made.close();
      stage.current = null;
      delete window.__graph;
    };
  }, [stage]);

  const before = useRef<Pick<GraphCanvasProps, "shown" | "hits" | "known" | "graph"> | null>(null);
  useEffect(() => {
    const on = stage.current;
    if (!on || !host.current) return;
    // The colours are those of the theme.
    void theme;
    const last = before.current;
    before.current = { shown, hits, known, graph };
    const palette = paletteOf(host.current);
    // Other filters, another search, another moment; what is only new since is simply there.
    const isAnother = last?.graph.picture.revision === graph.picture.revision;
    const isFaded =
      isAnother &&
      (last.shown !== shown ||
        last.hits !== hits ||
        last.known !== known ||
        last.graph.groups !== graph.groups);
    const fade = !isFaded ? 0 : last.hits && !hits ? FADE_BACK_MS : FADE_OUT_MS;
    on.show(
      {
        graph,
        shown,
        hits,
        known,
        palette,
        least,
        word: (type) => current.current.word(graph.picture.edgeTypes[type] ?? ""),
      },
      fade,
    );
    // Once everybody has a place, the picture is another one: what somebody looked at is elsewhere.
    if (last && last.graph.picture.unplaced > last.graph.size / 2) on.lookAnew();
    else if (on.isFresh || last?.graph.picture.unplaced) on.settle();
  }, [graph, shown, hits, known, least, theme, stage]);
  useEffect(() => {
    // The words come a little later, or in another language.
    void word;
    stage.current?.resay();
  }, [word, stage]);

  useEffect(() => stage.current?.mark({ node, edge, fresh }), [node, edge, fresh, stage]);

  return (
    <>
      <div
        ref={host}
        className={styles.canvas}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is walked with the arrow keys
        tabIndex={0}
        aria-label={t.picture}
        aria-describedby="graph-keys"
      />
      <p id="graph-keys" className="visually-hidden">
        {t.pictureKeys}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
      {tip && <Tip {...tip} />}
    </>
  );
}
