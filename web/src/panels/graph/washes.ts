import type { Group } from "./arranging";
import type { Camera } from "./camera";
import type { Graph } from "./graph";
import type { Scene } from "./painter";
import { onScreen } from "./picking";
import { through } from "./shapes";

const TINTS = ["location", "event", "faction", "custom", "character", "concept", "item"];
const WASH = 0.13;
const AROUND = 34;
/** Fewer than this are no group. */
const LEAST = 3;
const MOST = 40;
/** A larger graph has no groups to be seen at a glance. */
const MOST_NODES = 3_000;
const ROUNDS = 12;

/** Those who belong together, on one soft ground: by the order they stand in, or by who is near to whom. */
export function paintWashes(context: CanvasRenderingContext2D, scene: Scene, camera: Camera): void {
  const { graph, shown, hits, known: seenBy, palette } = scene;
  // What was found must stand out.
  if (hits) return;
  const groups = graph.groups ?? communitiesOf(graph, scene.least).map((members) => ({ members }));
  for (const [place, { members }] of groups.entries()) {
    const seen = members.filter((node) => shown[node] && !(seenBy && !seenBy.nodes[node]));
    if (seen.length < (graph.groups ? 1 : LEAST)) continue;
    context.fillStyle = through(palette.fill(TINTS[place % TINTS.length] as string), WASH);
    // One path, so that where two of them meet the ground is no darker.
    context.beginPath();
    for (const node of seen) {
      const x = (graph.x[node] as number) * camera.k + camera.x;
      const y = (graph.y[node] as number) * camera.k + camera.y;
      const radius = onScreen(graph.radius[node] as number, camera.k) + AROUND * Math.min(1.4, camera.k);
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
    context.fill();
  }
}

/** The names of the groups over them. */
export function paintGroupNames(context: CanvasRenderingContext2D, scene: Scene, camera: Camera): void {
  const { graph, shown, palette } = scene;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = palette.background;
  context.fillStyle = palette.muted;
  context.font = `600 ${camera.k < 0.45 ? 12 : 14}px ${palette.font}`;
  for (const { name, members, x, y } of graph.groups ?? ([] as readonly Group[])) {
    if (name === "" || !members.some((node) => shown[node])) continue;
    const said = name.length > 28 ? `${name.slice(0, 27)}…` : name;
    const at = [x * camera.k + camera.x, y * camera.k + camera.y + 12] as const;
    context.strokeText(said, ...at);
    context.fillText(said, ...at);
  }
}

const known = new WeakMap<object, Map<number, readonly (readonly number[])[]>>();

/** Who is nearer to each other than to the rest, by relations and by shared scenes from a weight on. */
export function communitiesOf(graph: Graph, least: number): readonly (readonly number[])[] {
  const kept = known.get(graph.picture) ?? new Map<number, readonly (readonly number[])[]>();
  known.set(graph.picture, kept);
  const found = kept.get(least) ?? (graph.size > MOST_NODES ? [] : spreadLabels(graph, least));
  kept.set(least, found);
  return found;
}

/** Everybody goes to the group with which they have most more than chance, in a fixed order, until nobody does. */
function spreadLabels(graph: Graph, least: number): readonly (readonly number[])[] {
  const ties: Map<number, number>[] = Array.from({ length: graph.size }, () => new Map());
  const tie = (a: number, b: number, weight: number) => {
    if (a === b) return;
    ties[a]?.set(b, (ties[a]?.get(b) ?? 0) + weight);
    ties[b]?.set(a, (ties[b]?.get(a) ?? 0) + weight);
  };
  for (let edge = 0; edge < graph.source.length; edge++)
    tie(graph.source[edge] as number, graph.target[edge] as number, 1);
  for (const { sourceId, targetId, weight } of graph.picture.implicit ?? []) {
    const [a, b] = [graph.placeOf.get(sourceId), graph.placeOf.get(targetId)];
    if (weight >= least && a !== undefined && b !== undefined) tie(a, b, weight);
  }
  const weight = ties.map((own) => [...own.values()].reduce((sum, each) => sum + each, 0));
  const all = weight.reduce((sum, each) => sum + each, 0) || 1;
  const label = Uint32Array.from({ length: graph.size }, (_, node) => node);
  const held = Float64Array.from(weight);
  for (let round = 0; round < ROUNDS; round++) {
    let changes = 0;
    for (const node of graph.ranked) {
      const own = label[node] as number;
      const mine = weight[node] as number;
      held[own] = (held[own] as number) - mine;
      const near = new Map<number, number>([[own, 0]]);
      for (const [peer, each] of ties[node] ?? [])
        near.set(label[peer] as number, (near.get(label[peer] as number) ?? 0) + each);
      let [best, most] = [own, Number.NEGATIVE_INFINITY];
      for (const [one, together] of near) {
        // More than chance would have it: else the largest group would take in everybody.
        const gain = together - (mine * (held[one] as number)) / all;
        if (gain > most || (gain === most && one === own)) [best, most] = [one, gain];
      }
      held[best] = (held[best] as number) + mine;
      label[node] = best;
      if (best !== own) changes++;
    }
    if (changes === 0) break;
  }
  const members = new Map<number, number[]>();
  for (let node = 0; node < graph.size; node++) {
    const own = label[node] as number;
    members.set(own, [...(members.get(own) ?? []), node]);
  }
  return [...members.values()]
    .filter((each) => each.length >= LEAST)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST);
}
