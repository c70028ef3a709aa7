import type { Camera } from "./camera";
import { controlOf, paintArrow, type Scene } from "./painter";
import { onScreen } from "./picking";
import { through, trace } from "./shapes";

/** What changes from one moment to the next, on a canvas of its own. */
export interface Marks {
  readonly hover: number | null;
  readonly hoverEdge: number | null;
  readonly node: number | null;
  readonly edge: number | null;
  /** A relation that is being drawn: from a node to the pointer, or to the node under it. */
  readonly link: {
    readonly from: number;
    readonly x: number;
    readonly y: number;
    readonly to: number | null;
  } | null;
  /** Edges that have just come, and when. */
  readonly fresh: ReadonlyMap<string, number>;
}

const PULSE = "91,127,103";
const PULSE_MS = 1_200;
const FRESH_MS = 600;
const MOST_PULSES = 200;

/** Draws the marks; says whether there is something that goes on moving. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  width: number,
  height: number,
  marks: Marks,
  now: number,
  isStill: boolean,
): boolean {
  context.clearRect(0, 0, width, height);
  const { graph, palette, shown } = scene;
  context.lineJoin = "round";
  const chosen = marks.node ?? marks.hover;
  if (chosen !== null && shown[chosen]) paintTies(context, scene, camera, chosen);
  for (const edge of new Set([marks.edge, marks.hoverEdge])) {
    if (edge === null) continue;
    context.strokeStyle = context.fillStyle = palette.accent;
    context.lineWidth = edge === marks.edge ? 3 : 2;
    line(context, scene, camera, edge, 1);
  }
  let goesOn = false;
  for (const [id, since] of marks.fresh) {
    const share = isStill ? 1 : Math.min(1, (now - since) / FRESH_MS);
    const edge = graph.picture.edges.ids.indexOf(id);
    if (edge < 0 || share >= 1) continue;
    goesOn = true;
    context.strokeStyle = context.fillStyle = palette.accent;
    context.lineWidth = 2 + 3 * (1 - share);
    line(context, scene, camera, edge, 1 - share);
  }
  if (marks.hover !== null && marks.hover !== marks.node && shown[marks.hover])
    lit(context, scene, camera, marks.hover);
  if (marks.node !== null && shown[marks.node]) glow(context, scene, camera, marks.node);
  if (marks.link) paintLink(context, scene, camera, marks.link);
  return paintPulses(context, scene, camera, width, height, now, isStill) || goesOn;
}

const at = ({ graph }: Scene, camera: Camera, node: number) => ({
  x: (graph.x[node] as number) * camera.k + camera.x,
  y: (graph.y[node] as number) * camera.k + camera.y,
  r: onScreen(graph.radius[node] as number, camera.k),
  type: graph.picture.types[graph.type[node] as number] as string,
});

/** Where a line leaves a node: the marks are drawn over the nodes, and must not cross their faces. */
function atRim({ x, y, r }: { x: number; y: number; r: number }, towards: { x: number; y: number }) {
  const length = Math.hypot(towards.x - x, towards.y - y) || 1;
  const share = Math.min(1, (r * 1.1) / length);
  return { x: x + (towards.x - x) * share, y: y + (towards.y - y) * share };
}

function line(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  edge: number,
  alpha: number,
): void {
  const { graph } = scene;
  const [a, b] = [
    at(scene, camera, graph.source[edge] as number),
    at(scene, camera, graph.target[edge] as number),
  ];
  const control = controlOf(graph, camera, edge);
  const [from, to] = [atRim(a, control), atRim(b, control)];
  context.globalAlpha = alpha;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.quadraticCurveTo(control.x, control.y, to.x, to.y);
  context.stroke();
  paintArrow(context, { graph, hits: null, known: null }, camera, edge, alpha);
  context.globalAlpha = 1;
}

const MOST_TIES = 400;

/** The relations of the node that one looks at, and its neighbours' names. */
function paintTies(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, node: number): void {
  const { graph, palette, shown } = scene;
  const [begin, end] = [graph.first[node] as number, graph.first[node + 1] as number];
  context.strokeStyle = context.fillStyle = palette.accent;
  context.lineWidth = 1.6;
  for (let place = begin; place < Math.min(end, begin + MOST_TIES); place++)
    if (shown[graph.peers[place] as number]) line(context, scene, camera, graph.links[place] as number, 0.75);
}

function lit(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, node: number): void {
  const { x, y, r, type } = at(scene, camera, node);
  context.beginPath();
  trace(context, type, x, y, Math.max(4, r));
  context.fillStyle = scene.palette.fill(type);
  context.fill();
  context.fillStyle = "rgba(255,255,255,0.15)";
  context.fill();
  context.strokeStyle = scene.palette.stroke(type);
  context.lineWidth = 1.5;
  context.stroke();
  label(context, scene, node, x, y + Math.max(4, r) * 1.2 + 3);
}

function glow(context: CanvasRenderingContext2D, scene: Scene, camera: Camera, node: number): void {
  const { x, y, r, type } = at(scene, camera, node);
  const colour = scene.palette.fill(type);
  context.save();
  context.shadowBlur = 12;
  context.shadowColor = colour;
  context.strokeStyle = through(colour, 0.4);
  context.lineWidth = 6;
  context.beginPath();
  context.arc(x, y, Math.max(4, r) + 6, 0, 2 * Math.PI);
  context.stroke();
  context.restore();
  context.beginPath();
  trace(context, type, x, y, Math.max(4, r));
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = scene.palette.text;
  context.lineWidth = 1.8;
  context.stroke();
  label(context, scene, node, x, y + Math.max(4, r) * 1.2 + 3);
}

function label(
  context: CanvasRenderingContext2D,
  { graph, palette }: Scene,
  node: number,
  x: number,
  y: number,
): void {
  context.font = `600 13px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineWidth = 4;
  context.strokeStyle = palette.background;
  context.fillStyle = palette.text;
  const name = graph.picture.nodes.names[node] as string;
  context.strokeText(name, x, y);
  context.fillText(name, x, y);
}

function paintLink(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  link: NonNullable<Marks["link"]>,
): void {
  const from = at(scene, camera, link.from);
  const to = link.to === null ? link : at(scene, camera, link.to);
  context.strokeStyle = scene.palette.accent;
  context.lineWidth = 2;
  context.setLineDash([7, 5]);
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.setLineDash([]);
  if (link.to === null) return;
  const target = at(scene, camera, link.to);
  context.beginPath();
  trace(context, target.type, target.x, target.y, target.r + 4);
  context.strokeStyle = "#5b7f67";
  context.stroke();
}

const lists = new WeakMap<Uint8Array, number[]>();

/** What was found, the best connected first: listed once, not for every frame. */
function foundIn(ranked: Uint32Array, hits: Uint8Array): readonly number[] {
  const known = lists.get(hits) ?? [...ranked.filter((node) => hits[node] === 1)];
  lists.set(hits, known);
  return known;
}

/** Rings around what was found; the cost is that of the rings, however large the graph is. */
function paintPulses(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  width: number,
  height: number,
  now: number,
  isStill: boolean,
): boolean {
  const { graph, hits, shown } = scene;
  if (!hits) return false;
  const share = isStill ? 0.45 : (now % PULSE_MS) / PULSE_MS;
  context.lineWidth = 2.5;
  context.strokeStyle = `rgba(${PULSE},${(isStill ? 0.9 : 0.6 * (1 - share) + 0.2).toFixed(3)})`;
  let count = 0;
  context.beginPath();
  for (const node of foundIn(graph.ranked, hits)) {
    if (count >= MOST_PULSES) break;
    if (!shown[node]) continue;
    const { x, y, r } = at(scene, camera, node);
    if (x < -40 || y < -40 || x > width + 40 || y > height + 40) continue;
    const ring = Math.max(4, r) + 3 + 16 * share;
    context.moveTo(x + ring, y);
    context.arc(x, y, ring, 0, 2 * Math.PI);
    count++;
  }
  context.stroke();
  return count > 0 && !isStill;
}
