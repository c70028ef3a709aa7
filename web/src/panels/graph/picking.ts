import type { Camera } from "./camera";
import type { Graph } from "./graph";

/** How large a node is on the screen: never too small to be hit. */
export const onScreen = (radius: number, k: number): number => Math.max(2, radius * Math.min(k, 1.6));

const REACH = 6;
const LEAST_TARGET = 9;

/** The node under a point of the screen: of several the nearest. */
export function nodeAt(
  graph: Graph,
  shown: Uint8Array,
  camera: Camera,
  px: number,
  py: number,
  except: number | null = null,
): number | null {
  let [best, nearest] = [null as number | null, Infinity];
  for (let node = 0; node < graph.size; node++) {
    if (!shown[node] || node === except) continue;
    const dx = (graph.x[node] as number) * camera.k + camera.x - px;
    if (dx > 50 || dx < -50) continue;
    const dy = (graph.y[node] as number) * camera.k + camera.y - py;
    const distance = Math.hypot(dx, dy);
    const reach = Math.max(LEAST_TARGET, onScreen(graph.radius[node] as number, camera.k) * 1.35);
    if (distance > reach || distance >= nearest) continue;
    [best, nearest] = [node, distance];
  }
  return best;
}

/** Whether a point is on the rim of a node, from where relations are drawn. */
export function isOnRim(graph: Graph, camera: Camera, node: number, px: number, py: number): boolean {
  const radius = onScreen(graph.radius[node] as number, camera.k);
  if (radius < 5) return false;
  const dx = (graph.x[node] as number) * camera.k + camera.x - px;
  const dy = (graph.y[node] as number) * camera.k + camera.y - py;
  const share = Math.hypot(dx, dy) / radius;
  return share >= 0.7 && share <= 1.35;
}

/** The middle of an edge, where it bends to, on the screen. */
export function bentAt(graph: Graph, camera: Camera, edge: number): { x: number; y: number } {
  const [a, b] = [graph.source[edge] as number, graph.target[edge] as number];
  const [ax, ay] = [graph.x[a] as number, graph.y[a] as number];
  const [bx, by] = [graph.x[b] as number, graph.y[b] as number];
  const bend = graph.bend[edge] as number;
  return {
    x: ((ax + bx) / 2 - (by - ay) * bend) * camera.k + camera.x,
    y: ((ay + by) / 2 + (bx - ax) * bend) * camera.k + camera.y,
  };
}

/** The edge under a point of the screen. */
export function edgeAt(
  graph: Graph,
  shown: Uint8Array,
  camera: Camera,
  px: number,
  py: number,
): number | null {
  let [best, nearest] = [null as number | null, REACH];
  for (let edge = 0; edge < graph.source.length; edge++) {
    const a = graph.source[edge] as number;
    const b = graph.target[edge] as number;
    if (!shown[a] || !shown[b]) continue;
    const ax = (graph.x[a] as number) * camera.k + camera.x;
    const bx = (graph.x[b] as number) * camera.k + camera.x;
    const slack = REACH + Math.abs(graph.bend[edge] as number) * 600;
    if (Math.max(ax, bx) < px - slack || Math.min(ax, bx) > px + slack) continue;
    const ay = (graph.y[a] as number) * camera.k + camera.y;
    const by = (graph.y[b] as number) * camera.k + camera.y;
    if (Math.max(ay, by) < py - slack || Math.min(ay, by) > py + slack) continue;
    const distance =
      graph.bend[edge] === 0
        ? toLine(px, py, ax, ay, bx, by)
        : toCurve(px, py, ax, ay, bentAt(graph, camera, edge), bx, by);
    if (distance < nearest) [best, nearest] = [edge, distance];
  }
  return best;
}

function toLine(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - ax - share * dx, py - ay - share * dy);
}

const PIECES = 12;

function toCurve(
  px: number,
  py: number,
  ax: number,
  ay: number,
  middle: { x: number; y: number },
  bx: number,
  by: number,
): number {
  // The control point that lets the curve pass through its middle.
  const [cx, cy] = [2 * middle.x - (ax + bx) / 2, 2 * middle.y - (ay + by) / 2];
  let [nearest, lastX, lastY] = [Infinity, ax, ay];
  for (let piece = 1; piece <= PIECES; piece++) {
    const t = piece / PIECES;
    const x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx;
    const y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by;
    nearest = Math.min(nearest, toLine(px, py, lastX, lastY, x, y));
    [lastX, lastY] = [x, y];
  }
  return nearest;
}
