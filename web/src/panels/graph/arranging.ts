import { type Graph, radiusOf } from "./graph";

/** How the nodes stand: where they were placed, or in order by something else. */
export const LAYOUTS = ["free", "place", "faction", "time"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What the size of a node says. */
export type Sizing = "links" | "mentions";

export interface Group {
  readonly name: string;
  readonly members: readonly number[];
  /** Where its name stands. */
  readonly x: number;
  readonly y: number;
}

const PLACE = "location";
const FACTION = "faction";
const STEP = 92;
const GAP = 80;
/** Room for the name of a group. */
const LEAST_REACH = 74;
const HEADING = 46;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
/** A picture of more groups than this is no picture of groups. */
const MOST_GROUPS = 400;

/** The graph as somebody wants to see it: the same nodes, elsewhere and in other sizes. */
export function arranged(
  graph: Graph,
  layout: Layout,
  sizing: Sizing,
  chapterName: (chapter: number) => string,
): Graph {
  const sized = sizing === "mentions" ? sizedByMentions(graph) : graph;
  if (layout === "free") return sized;
  const groups = groupsOf(graph, layout, chapterName);
  if (groups === null) return sized;
  const [x, y] = [sized.x.slice(), sized.y.slice()];
  return { ...sized, x, y, groups: packed(groups, x, y, layout === "time") };
}

/** By which layouts the nodes of a graph can be set apart. */
export const layoutsOf = (graph: Graph): ReadonlySet<Layout> =>
  new Set(LAYOUTS.filter((layout) => layout === "free" || groupsOf(graph, layout, String) !== null));

/** The size that says most: how often somebody is named, where few are related to anybody. */
export function sizingFor(graph: Graph): Sizing {
  const { named } = graph.picture;
  if (!named?.times.some((count) => count > 0)) return "links";
  let bare = 0;
  for (const degree of graph.degree) if (degree === 0) bare++;
  return bare > graph.size / 2 ? "mentions" : "links";
}

function sizedByMentions(graph: Graph): Graph {
  const times = graph.picture.named?.times;
  if (!times) return graph;
  const most = times.reduce((sum, each) => Math.max(sum, each), 0);
  // The root, so that the area says it.
  const radius = Float32Array.from(
    times,
    (each) => radiusOf(0, 0) + 24 * Math.sqrt(each / Math.max(1, most)),
  );
  const ranked = Uint32Array.from(times, (_, node) => node).sort(
    (a, b) => (times[b] as number) - (times[a] as number) || a - b,
  );
  return { ...graph, radius, ranked };
}

interface Band {
  readonly name: string;
  readonly members: readonly number[];
}

/** Who stands together, the largest group first or in order of time; null where nothing sets them apart. */
function groupsOf(
  graph: Graph,
  layout: Exclude<Layout, "free">,
  chapterName: (chapter: number) => string,
): readonly Band[] | null {
  if (layout === "time") return chaptersOf(graph, chapterName);
  const wanted = layout === "place" ? PLACE : FACTION;
  const homes = statedHomes(graph, wanted);
  const places = layout === "place" ? graph.picture.named?.places : undefined;
  const byHome = new Map<number, number[]>();
  const others: number[] = [];
  for (let rank = 0; rank < graph.size; rank++) {
    const node = graph.ranked[rank] as number;
    const isHome = typeOf(graph, node) === wanted;
    const home = isHome ? node : (homes.get(node) ?? places?.[node] ?? null);
    if (home === null) {
      others.push(node);
      continue;
    }
    const known = byHome.get(home) ?? [];
    if (isHome) known.unshift(node);
    else known.push(node);
    byHome.set(home, known);
  }
  const bands = [...byHome]
    .filter(([, members]) => members.length > 1)
    .map(([home, members]) => ({ name: graph.picture.nodes.names[home] as string, members }))
    .sort((a, b) => b.members.length - a.members.length);
  if (bands.length === 0 || bands.length > MOST_GROUPS) return null;
  const alone = [...byHome.values()].filter((members) => members.length === 1).flat();
  const rest = [...others, ...alone];
  return rest.length > 0 ? [...bands, { name: "", members: rest }] : bands;
}

/** The place or faction with which a node has most relations, itself or through an event it takes part in. */
function statedHomes(graph: Graph, wanted: string): Map<number, number> {
  const direct = new Map<number, number>();
  for (let node = 0; node < graph.size; node++) {
    if (typeOf(graph, node) === wanted) continue;
    const home = mostOf(graph, node, (peer) => (typeOf(graph, peer) === wanted ? peer : undefined));
    if (home !== undefined) direct.set(node, home);
  }
  const found = new Map(direct);
  for (let node = 0; node < graph.size; node++) {
    if (direct.has(node) || typeOf(graph, node) === wanted) continue;
    const home = mostOf(graph, node, (peer) =>
      typeOf(graph, peer) === "event" ? direct.get(peer) : undefined,
    );
    if (home !== undefined) found.set(node, home);
  }
  return found;
}

function mostOf(graph: Graph, node: number, homeOf: (peer: number) => number | undefined) {
  const counts = new Map<number, number>();
  for (let at = graph.first[node] as number; at < (graph.first[node + 1] as number); at++) {
    const home = homeOf(graph.peers[at] as number);
    if (home !== undefined) counts.set(home, (counts.get(home) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [home, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = home;
  return best;
}

const typeOf = (graph: Graph, node: number) => graph.picture.types[graph.type[node] as number];

/** Who comes into the book in which chapter. */
function chaptersOf(graph: Graph, chapterName: (chapter: number) => string): readonly Band[] | null {
  const chapters = graph.picture.named?.chapters;
  const byChapter = new Map<number, number[]>();
  const never: number[] = [];
  for (let rank = 0; rank < graph.size; rank++) {
    const node = graph.ranked[rank] as number;
    const chapter = chapters?.[node];
    if (chapter == null) never.push(node);
    else byChapter.set(chapter, [...(byChapter.get(chapter) ?? []), node]);
  }
  if (byChapter.size < 2 || byChapter.size > MOST_GROUPS) return null;
  const bands = [...byChapter]
    .sort(([a], [b]) => a - b)
    .map(([chapter, members]) => ({ name: chapterName(chapter), members }));
  return never.length > 0 ? [...bands, { name: "", members: never }] : bands;
}

/** Every group as a disc of its nodes, the discs in rows as in a text; by time, they are read in order. */
function packed(bands: readonly Band[], x: Float32Array, y: Float32Array, isOrdered: boolean): Group[] {
  const radius = bands.map(({ members }) =>
    Math.max(LEAST_REACH, STEP * Math.sqrt(members.length) * 0.72 + 24),
  );
  const area = radius.reduce((sum, each) => sum + (2 * each + GAP) ** 2, 0);
  const wide = Math.max(2 * Math.max(...radius), Math.sqrt(area * (isOrdered ? 2 : 1.5)));
  const groups: Group[] = [];
  let [left, top, high] = [0, 0, 0];
  for (const [place, { name, members }] of bands.entries()) {
    const reach = radius[place] as number;
    if (left > 0 && left + 2 * reach > wide) {
      [left, top] = [0, top + high + GAP];
      high = 0;
    }
    const [cx, cy] = [left + reach, top + HEADING + reach];
    for (const [turn, node] of members.entries()) {
      const away = STEP * Math.sqrt(turn) * 0.72;
      x[node] = cx + away * Math.cos(turn * GOLDEN);
      y[node] = cy + away * Math.sin(turn * GOLDEN) * 0.9;
    }
    groups.push({ name, members, x: cx, y: top });
    left += 2 * reach + GAP;
    high = Math.max(high, HEADING + 2 * reach);
  }
  return groups;
}
