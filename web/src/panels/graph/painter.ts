import { type Camera, viewOf } from "./camera";
import type { Graph, Known } from "./graph";
import { bentAt, onScreen } from "./picking";
import { type Palette, trace } from "./shapes";
import { paintGroupNames, paintWashes } from "./washes";

export interface Scene {
  readonly graph: Graph;
  readonly shown: Uint8Array;
  /** What a search has found; all others are dimmed. Null without a search. */
  readonly hits: Uint8Array | null;
  /** What somebody of the story knows; all else is dimmed. Null for the author. */
  readonly known: Known | null;
  readonly palette: Palette;
  /** From which weight on the ties of shared scenes are drawn. */
  readonly least: number;
  /** The word for a type of edge, as people read it. */
  word(edgeType: number): string;
}

export interface Drawn {
  readonly nodes: number;
  /** How many edges there were room for, if not for all; null for all. */
  readonly thinned: number | null;
}

/** Above so many nodes in view, most are dots and only the best connected are named. */
export const FAR = 5_000;
/** Below so many, everything is drawn and said. */
export const NEAR = 300;
const MOST_EDGES = 30_000;
/** While most are dimmed, fewer of them say as much. */
const MOST_DIMMED = 10_000;
const HUBS = 40;
const NAMED = 60;
const STROKES = 512;
const TYPES = 65_536;
const DIM_NODE = 0.3;
const DIM_EDGE = 0.15;
const DIM_NAME = 0.45;
const IMPLICIT_EDGE = 0.25;
const EDGE_LABELS_FROM = 0.75;

type Light = Pick<Scene, "graph" | "hits" | "known">;

const isLitNode = ({ hits, known }: Light, node: number): boolean =>
  !(hits && !hits[node]) && !(known && !known.nodes[node]);

const isLitEdge = ({ graph, hits, known }: Light, edge: number): boolean =>
  !(hits && !(hits[graph.source[edge] as number] && hits[graph.target[edge] as number])) &&
  !(known && !known.edges[edge]);

/** Draws all that stays the same while nothing but the camera moves. */
export function paint(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  width: number,
  height: number,
): Drawn {
  context.clearRect(0, 0, width, height);
  const inView = nodesInView(scene, camera, width, height);
  paintWashes(context, scene, camera);
  paintImplicit(context, scene, camera);
  const thinned = paintEdges(context, scene, camera, width, height, inView.length);
  paintNodes(context, scene, camera, inView);
  paintNames(context, scene, camera, inView);
  paintGroupNames(context, scene, camera);
  return { nodes: inView.length, thinned };
}

function nodesInView({ graph, shown }: Scene, camera: Camera, width: number, height: number): number[] {
  const view = viewOf(camera, width, height);
  const slack = 40 / camera.k;
  const found: number[] = [];
  // The small ones first, so that the large ones stand before them.
  for (let rank = graph.size - 1; rank >= 0; rank--) {
    const node = graph.ranked[rank] as number;
    if (!shown[node]) continue;
    const x = graph.x[node] as number;
    const y = graph.y[node] as number;
    if (x < view.left - slack || x > view.right + slack) continue;
    if (y < view.top - slack || y > view.bottom + slack) continue;
    found.push(node);
  }
  return found;
}

/** Who shares scenes with whom: nobody states it, so it is drawn lighter than what is stated. */
function paintImplicit(context: CanvasRenderingContext2D, scene: Scene, camera: Camera) {
  const { graph, shown, hits, known, palette, least } = scene;
  context.strokeStyle = palette.edge;
  context.setLineDash([2, 4]);
  for (const { sourceId, targetId, weight } of graph.picture.implicit ?? []) {
    const a = graph.placeOf.get(sourceId);
    const b = graph.placeOf.get(targetId);
    if (weight < least) continue;
    if (a === undefined || b === undefined || !shown[a] || !shown[b]) continue;
    const isDim = hits !== null || (known && !(known.nodes[a] && known.nodes[b]));
    context.globalAlpha = (isDim ? 0.3 : 1) * (0.08 + IMPLICIT_EDGE * weight);
    context.lineWidth = 0.6 + weight;
    context.beginPath();
    context.moveTo(
      (graph.x[a] as number) * camera.k + camera.x,
      (graph.y[a] as number) * camera.k + camera.y,
    );
    context.lineTo(
      (graph.x[b] as number) * camera.k + camera.x,
      (graph.y[b] as number) * camera.k + camera.y,
    );
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Edges in batches: one stroke for hundreds of lines. */
function paintEdges(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  width: number,
  height: number,
  inView: number,
): number | null {
  const { graph, shown, hits, known, palette } = scene;
  const isNear = inView <= NEAR;
  const visible: number[] = [];
  for (let edge = 0; edge < graph.source.length; edge++) {
    const a = graph.source[edge] as number;
    const b = graph.target[edge] as number;
    if (!shown[a] || !shown[b]) continue;
    const ax = (graph.x[a] as number) * camera.k + camera.x;
    const bx = (graph.x[b] as number) * camera.k + camera.x;
    if ((ax < 0 && bx < 0) || (ax > width && bx > width)) continue;
    const ay = (graph.y[a] as number) * camera.k + camera.y;
    const by = (graph.y[b] as number) * camera.k + camera.y;
    if ((ay < 0 && by < 0) || (ay > height && by > height)) continue;
    visible.push(edge);
  }
  const every = Math.max(1, visible.length / (hits ? MOST_DIMMED : MOST_EDGES));
  const plain = inView > FAR ? (every > 1 ? 0.08 : 0.16) : inView > NEAR ? 0.3 : 0.5;
  context.strokeStyle = context.fillStyle = palette.edge;
  context.lineWidth = inView > FAR ? 0.6 : inView > NEAR ? 0.9 : 1.2;
  let count = 0;
  for (const isHit of hits || known ? [false, true] : [true]) {
    context.globalAlpha = isHit ? plain : Math.min(DIM_EDGE, 0.3 * plain);
    context.beginPath();
    let strokes = 0;
    for (let place = 0; place < visible.length; place += every) {
      const edge = visible[Math.floor(place)] as number;
      const a = graph.source[edge] as number;
      const b = graph.target[edge] as number;
      if (isLitEdge(scene, edge) !== isHit) continue;
      context.moveTo(
        (graph.x[a] as number) * camera.k + camera.x,
        (graph.y[a] as number) * camera.k + camera.y,
      );
      const bx = (graph.x[b] as number) * camera.k + camera.x;
      const by = (graph.y[b] as number) * camera.k + camera.y;
      if (isNear && graph.bend[edge] !== 0) {
        const control = controlOf(graph, camera, edge);
        context.quadraticCurveTo(control.x, control.y, bx, by);
      } else context.lineTo(bx, by);
      count++;
      if (++strokes % STROKES === 0) {
        context.stroke();
        context.beginPath();
      }
    }
    context.stroke();
  }
  if (isNear) {
    for (const edge of visible) paintArrow(context, scene, camera, edge, plain);
    if (camera.k >= EDGE_LABELS_FROM) paintWords(context, scene, camera, visible);
  }
  context.globalAlpha = 1;
  return every > 1 ? count : null;
}

/** The point that pulls a curve so that its middle is where the edge bends to. */
export function controlOf(graph: Graph, camera: Camera, edge: number): { x: number; y: number } {
  const [a, b] = [graph.source[edge] as number, graph.target[edge] as number];
  const middle = bentAt(graph, camera, edge);
  const x = (((graph.x[a] as number) + (graph.x[b] as number)) / 2) * camera.k + camera.x;
  const y = (((graph.y[a] as number) + (graph.y[b] as number)) / 2) * camera.k + camera.y;
  return { x: 2 * middle.x - x, y: 2 * middle.y - y };
}

const ARROW = 7;

export function paintArrow(
  context: CanvasRenderingContext2D,
  scene: Light,
  camera: Camera,
  edge: number,
  alpha: number,
): void {
  const { graph } = scene;
  const b = graph.target[edge] as number;
  const from = controlOf(graph, camera, edge);
  const x = (graph.x[b] as number) * camera.k + camera.x;
  const y = (graph.y[b] as number) * camera.k + camera.y;
  const angle = Math.atan2(y - from.y, x - from.x);
  const back = onScreen(graph.radius[b] as number, camera.k) * 1.12 + 2;
  const [tipX, tipY] = [x - back * Math.cos(angle), y - back * Math.sin(angle)];
  context.globalAlpha = isLitEdge(scene, edge) ? alpha : DIM_EDGE;
  context.beginPath();
  context.moveTo(tipX, tipY);
  for (const side of [0.42, -0.42])
    context.lineTo(tipX - ARROW * Math.cos(angle + side), tipY - ARROW * Math.sin(angle + side));
  context.fill();
}

/** What the edges say, where there is room for it. */
function paintWords(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  edges: readonly number[],
): void {
  const { graph, palette } = scene;
  context.font = `11px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = palette.background;
  context.fillStyle = palette.muted;
  const taken = new Room();
  for (const edge of edges) {
    const [a, b] = [graph.source[edge] as number, graph.target[edge] as number];
    if (!isLitEdge(scene, edge)) continue;
    const length =
      Math.hypot(
        (graph.x[a] as number) - (graph.x[b] as number),
        (graph.y[a] as number) - (graph.y[b] as number),
      ) * camera.k;
    const word = scene.word(graph.picture.edges.types[edge] as number);
    const width = widthOf(word, 11);
    if (length < width + 2 * 30) continue;
    const { x, y } = bentAt(graph, camera, edge);
    if (!taken.take(x - width / 2, y - 7, width, 14)) continue;
    context.globalAlpha = 1;
    context.strokeText(word, x, y);
    context.fillText(word, x, y);
  }
}

function paintNodes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  inView: readonly number[],
): void {
  const { graph, palette } = scene;
  const isFar = inView.length > FAR;
  const hubs = isFar ? new Set(inView.slice(-HUBS)) : null;
  const byLook = new Map<number, number[]>();
  for (const node of inView) {
    // Hubs last, and what was found after what was not.
    const rank = (hubs?.has(node) ? 2 : 0) + (isLitNode(scene, node) ? 1 : 0);
    const look = rank * TYPES + (graph.type[node] as number);
    const alike = byLook.get(look);
    if (alike) alike.push(node);
    else byLook.set(look, [node]);
  }
  for (const [look, nodes] of [...byLook].sort(([a], [b]) => a - b)) {
    const type = graph.picture.types[graph.type[nodes[0] as number] as number] as string;
    const rank = Math.floor(look / TYPES);
    const isDot = isFar && rank < 2;
    context.globalAlpha = rank % 2 === 1 ? 1 : DIM_NODE;
    context.fillStyle = palette.fill(type);
    context.strokeStyle = palette.stroke(type);
    context.lineWidth = 1;
    context.beginPath();
    for (const node of nodes) {
      const x = (graph.x[node] as number) * camera.k + camera.x;
      const y = (graph.y[node] as number) * camera.k + camera.y;
      const radius = onScreen(graph.radius[node] as number, camera.k);
      if (isDot || radius < 2.5) context.rect(x - 1, y - 1, 2, 2);
      else trace(context, type, x, y, hubs ? Math.max(6, radius) : radius);
    }
    context.fill();
    if (!isDot) context.stroke();
  }
  context.globalAlpha = 1;
}

/** Names under the nodes: the best connected first, as long as there is room. */
function paintNames(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  inView: readonly number[],
): void {
  const { graph, hits, palette } = scene;
  const most = inView.length > FAR ? HUBS : inView.length > NEAR ? NAMED : NEAR;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = palette.background;
  context.fillStyle = palette.text;
  const size = camera.k < 0.45 ? 11 : 12.5;
  context.font = `500 ${size}px ${palette.font}`;
  const taken = new Room();
  let count = 0;
  for (let place = inView.length - 1; place >= 0 && count < most; place--) {
    const node = inView[place] as number;
    if (hits && !hits[node]) continue;
    context.globalAlpha = isLitNode(scene, node) ? 1 : DIM_NAME;
    const name = graph.picture.nodes.names[node] as string;
    const shown = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const width = widthOf(shown, size);
    const x = (graph.x[node] as number) * camera.k + camera.x;
    const radius = onScreen(graph.radius[node] as number, camera.k);
    const y = (graph.y[node] as number) * camera.k + camera.y + radius * 1.2 + 3;
    if (!taken.take(x - width / 2, y, width, size + 2)) continue;
    context.strokeText(shown, x, y);
    context.fillText(shown, x, y);
    count++;
  }
  context.globalAlpha = 1;
}

/** How wide a text is, without asking the canvas: near enough to keep names apart. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) > 0x2e80 ? size : size * 0.56;
  return width;
}

const CELL = 16;

/** Which parts of the screen have a text already. */
export class Room {
  private readonly cells = new Set<number>();

  /** Takes a box; false if some of it is taken. */
  take(x: number, y: number, width: number, height: number): boolean {
    const wanted: number[] = [];
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++) {
      for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++) {
        const cell = row * 10_000 + column;
        if (this.cells.has(cell)) return false;
        wanted.push(cell);
      }
    }
    for (const cell of wanted) this.cells.add(cell);
    return true;
  }
}
