import type { GraphPictureResponse } from "../../client/rest";
import type { Group } from "./arranging";

/** The picture as arrays of numbers: what is drawn, walked and searched. */
export interface Graph {
  readonly picture: GraphPictureResponse;
  readonly size: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly radius: Float32Array;
  readonly degree: Uint32Array;
  readonly type: Uint16Array;
  readonly source: Uint32Array;
  readonly target: Uint32Array;
  /** How far an edge bends aside for others between the same two, in parts of its length. */
  readonly bend: Float32Array;
  /** Where a node's neighbours begin in `peers`, and the edges that lead there in `links`. */
  readonly first: Uint32Array;
  readonly peers: Uint32Array;
  readonly links: Uint32Array;
  /** All nodes, the best connected first. */
  readonly ranked: Uint32Array;
  readonly placeOf: ReadonlyMap<string, number>;
  /** Who stands together, where the nodes stand in an order; else nothing. */
  readonly groups?: readonly Group[];
}

const LEAST = 8;
const MOST = 32;
const PER_RELATION = 4;
/** From this degree on every node would be as large as can be; then sizes follow the logarithm. */
const SATURATED = (MOST - LEAST) / PER_RELATION;

export function radiusOf(degree: number, largest: number): number {
  if (largest <= SATURATED) return Math.min(MOST, LEAST + PER_RELATION * degree);
  return LEAST + ((MOST - LEAST) * Math.log1p(degree)) / Math.log1p(largest);
}

export function graphOf(picture: GraphPictureResponse): Graph {
  const { nodes, edges } = picture;
  const size = nodes.ids.length;
  const source = Uint32Array.from(edges.sources);
  const target = Uint32Array.from(edges.targets);
  const degree = new Uint32Array(size);
  for (let edge = 0; edge < source.length; edge++) {
    degree[source[edge] as number] = (degree[source[edge] as number] as number) + 1;
    degree[target[edge] as number] = (degree[target[edge] as number] as number) + 1;
  }
  const largest = degree.reduce((most, each) => Math.max(most, each), 0);
  const web = webOf(size, source, target, degree);
  const graph: Graph = {
    picture,
    size,
    x: new Float32Array(size),
    y: new Float32Array(size),
    radius: Float32Array.from(degree, (each) => radiusOf(each, largest)),
    degree,
    type: Uint16Array.from(nodes.types),
    source,
    target,
    bend: bendsOf(size, source, target),
    ...web,
    ranked: rankedBy(degree, largest),
    placeOf: new Map(nodes.ids.map((id, place) => [id, place])),
  };
  stand(graph);
  return graph;
}

function webOf(size: number, source: Uint32Array, target: Uint32Array, degree: Uint32Array) {
  const first = new Uint32Array(size + 1);
  for (let node = 0; node < size; node++)
    first[node + 1] = (first[node] as number) + (degree[node] as number);
  const next = first.slice();
  const peers = new Uint32Array(2 * source.length);
  const links = new Uint32Array(2 * source.length);
  const enter = (from: number, to: number, edge: number) => {
    const place = next[from] as number;
    next[from] = place + 1;
    peers[place] = to;
    links[place] = edge;
  };
  for (let edge = 0; edge < source.length; edge++) {
    enter(source[edge] as number, target[edge] as number, edge);
    enter(target[edge] as number, source[edge] as number, edge);
  }
  return { first, peers, links };
}

/** Nodes by degree, the largest first, those alike in their order. */
function rankedBy(degree: Uint32Array, largest: number): Uint32Array {
  const begins = new Uint32Array(largest + 2);
  for (const each of degree) begins[largest - each + 1] = (begins[largest - each + 1] as number) + 1;
  for (let rank = 1; rank < begins.length; rank++)
    begins[rank] = (begins[rank] as number) + (begins[rank - 1] as number);
  const ranked = new Uint32Array(degree.length);
  for (let node = 0; node < degree.length; node++) {
    const rank = largest - (degree[node] as number);
    ranked[begins[rank] as number] = node;
    begins[rank] = (begins[rank] as number) + 1;
  }
  return ranked;
}

const BEND = 0.16;

/** Edges between the same two nodes spread like the ribs of a fan; one alone is straight. */
function bendsOf(size: number, source: Uint32Array, target: Uint32Array): Float32Array {
  const bends = new Float32Array(source.length);
  const keys = new Float64Array(source.length);
  for (let edge = 0; edge < source.length; edge++) {
    const a = source[edge] as number;
    const b = target[edge] as number;
    keys[edge] = a < b ? a * size + b : b * size + a;
  }
  const order = Uint32Array.from(keys, (_, edge) => edge).sort(
    (a, b) => (keys[a] as number) - (keys[b] as number) || a - b,
  );
  for (let begin = 0; begin < order.length; ) {
    let end = begin + 1;
    while (end < order.length && keys[order[end] as number] === keys[order[begin] as number]) end++;
    for (let place = begin; end - begin > 1 && place < end; place++) {
      const edge = order[place] as number;
      const aside = (place - begin - (end - begin - 1) / 2) * BEND;
      bends[edge] = (source[edge] as number) < (target[edge] as number) ? aside : -aside;
    }
    begin = end;
  }
  return bends;
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Everybody where they were placed; whoever has no place yet near those they know, or around the picture. */
function stand(graph: Graph): void {
  const { nodes } = graph.picture;
  const waiting: number[] = [];
  let reach = 0;
  for (let node = 0; node < graph.size; node++) {
    const x = nodes.x[node];
    const y = nodes.y[node];
    if (x == null || y == null) {
      waiting.push(node);
      graph.x[node] = Number.NaN;
      continue;
    }
    graph.x[node] = x;
    graph.y[node] = y;
    reach = Math.max(reach, Math.hypot(x, y));
  }
  for (const [turn, node] of waiting.entries()) {
    let [sumX, sumY, count] = [0, 0, 0];
    for (let at = graph.first[node] as number; at < (graph.first[node + 1] as number); at++) {
      const peer = graph.peers[at] as number;
      if (Number.isNaN(graph.x[peer])) continue;
      sumX += graph.x[peer] as number;
      sumY += graph.y[peer] as number;
      count++;
    }
    const away = count > 0 ? 70 : reach + 40 + 24 * Math.sqrt(turn);
    graph.x[node] = (count > 0 ? sumX / count : 0) + away * Math.cos(turn * GOLDEN);
    graph.y[node] = (count > 0 ? sumY / count : 0) + away * Math.sin(turn * GOLDEN);
  }
}

/** Everybody within so many steps of a node. */
export function around(graph: Graph, node: number, steps: number): Uint8Array {
  const near = new Uint8Array(graph.size);
  near[node] = 1;
  let rim = [node];
  for (let step = 0; step < steps; step++) {
    const next: number[] = [];
    for (const one of rim) {
      for (let at = graph.first[one] as number; at < (graph.first[one + 1] as number); at++) {
        const peer = graph.peers[at] as number;
        if (near[peer]) continue;
        near[peer] = 1;
        next.push(peer);
      }
    }
    rim = next;
  }
  return near;
}

export interface Wanted {
  /** Types that are not to be seen. */
  readonly hidden: ReadonlySet<string>;
  readonly focus: number | null;
  readonly steps: number;
  /** Nodes that were put aside one by one. */
  readonly aside: ReadonlySet<string>;
  /** Nodes that are listed beside the picture. */
  readonly tray?: readonly number[];
}

// Fewer than that do not get in the way.
const MANY_UNLINKED = 12;

/** The nodes without a relation and without the thin lines of those often seen together; none where they are few, or where nobody is related. */
export function unlinkedOf(graph: Graph, least = 0): number[] {
  // Where all have their place in an order, nobody is in the way.
  if (graph.groups) return [];
  const isTied = new Uint8Array(graph.size);
  for (const { sourceId, targetId, weight } of graph.picture.implicit ?? [])
    if (weight >= least)
      for (const id of [sourceId, targetId]) isTied[graph.placeOf.get(id) ?? graph.size] = 1;
  const unlinked: number[] = [];
  for (let node = 0; node < graph.size; node++)
    if (graph.degree[node] === 0 && !isTied[node]) unlinked.push(node);
  return unlinked.length > MANY_UNLINKED && unlinked.length < graph.size ? unlinked : [];
}

/** Which nodes are to be seen. */
export function shownOf(graph: Graph, { hidden, focus, steps, aside, tray = [] }: Wanted): Uint8Array {
  const shown = focus === null ? new Uint8Array(graph.size).fill(1) : around(graph, focus, steps);
  const types = graph.picture.types.map((type) => hidden.has(type));
  for (let node = 0; node < graph.size; node++)
    if (types[graph.type[node] as number] && node !== focus) shown[node] = 0;
  for (const node of tray) if (node !== focus) shown[node] = 0;
  for (const id of aside) {
    const node = graph.placeOf.get(id);
    if (node !== undefined) shown[node] = 0;
  }
  return shown;
}

/** Which nodes and edges somebody of the story knows. */
export interface Known {
  readonly nodes: Uint8Array;
  readonly edges: Uint8Array;
}

/** A part in an event is no relation: whoever knows both ends knows it. */
const PARTS: readonly string[] = ["participates_in", "occurs_at"];

export function knownOf(graph: Graph, nodes: ReadonlySet<string>, edges: ReadonlySet<string>): Known {
  const { picture } = graph;
  const known = Uint8Array.from(picture.nodes.ids, (id) => Number(nodes.has(id)));
  const isPart = picture.edgeTypes.map((type) => PARTS.includes(type));
  return {
    nodes: known,
    edges: Uint8Array.from(picture.edges.ids, (id, edge) =>
      isPart[picture.edges.types[edge] as number]
        ? (known[graph.source[edge] as number] as number) & (known[graph.target[edge] as number] as number)
        : Number(edges.has(id)),
    ),
  };
}

/** How many edges are to be seen: those between nodes that are. */
export function shownEdges(graph: Graph, shown: Uint8Array): number {
  let count = 0;
  for (let edge = 0; edge < graph.source.length; edge++)
    if (shown[graph.source[edge] as number] && shown[graph.target[edge] as number]) count++;
  return count;
}

export const folded = (text: string): string => text.normalize("NFKC").toLowerCase().trim();

const foldings = new WeakMap<Graph, readonly string[]>();

/** All names as they are compared; folded once for each graph. */
export function foldedNames(graph: Graph): readonly string[] {
  const known = foldings.get(graph) ?? graph.picture.nodes.names.map(folded);
  foldings.set(graph, known);
  return known;
}

/** The nodes whose names have the words of a search in them, and those that were found elsewhere; null for no search. */
export function hitsOf(graph: Graph, names: readonly string[], text: string, found: readonly string[]) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const hits = new Uint8Array(graph.size);
  for (let node = 0; node < graph.size; node++) {
    const name = names[node] as string;
    if (words.every((word) => name.includes(word))) hits[node] = 1;
  }
  for (const id of found) {
    const node = graph.placeOf.get(id);
    if (node !== undefined) hits[node] = 1;
  }
  return hits;
}

/** The neighbour that lies most in a direction, for walking with the arrow keys. */
export function towards(
  graph: Graph,
  node: number,
  dx: number,
  dy: number,
  shown: Uint8Array,
): number | null {
  let [best, fit] = [null as number | null, 0.3];
  for (let at = graph.first[node] as number; at < (graph.first[node + 1] as number); at++) {
    const peer = graph.peers[at] as number;
    if (!shown[peer] || peer === node) continue;
    const [x, y] = [
      (graph.x[peer] as number) - (graph.x[node] as number),
      (graph.y[peer] as number) - (graph.y[node] as number),
    ];
    const length = Math.hypot(x, y) || 1;
    const cosine = (x * dx + y * dy) / length;
    const value = cosine / (1 + length / 2_000);
    if (value > fit) [best, fit] = [peer, value];
  }
  return best;
}
