import { describe, expect, test } from "vitest";
import type { GraphPictureResponse } from "../../client/rest";
import { arranged, layoutsOf, sizingFor } from "./arranging";
import { graphOf, unlinkedOf } from "./graph";
import { communitiesOf } from "./washes";

const names = ["Ann", "Ben", "Cara", "Dan", "Fort", "Mill", "Guild", "Fire"];
const TYPES = ["character", "location", "faction", "event"];

/** Ann belongs to the guild, Ben was at the fire in the mill; Cara and Dan are mostly named with the fort. */
const picture = (more: Partial<GraphPictureResponse> = {}): GraphPictureResponse => ({
  revision: 1,
  types: TYPES,
  edgeTypes: ["member_of", "participates_in", "occurs_at"],
  nodes: {
    ids: names,
    names,
    types: [0, 0, 0, 0, 1, 1, 2, 3],
    x: names.map((_, place) => place),
    y: names.map(() => 0),
    degrees: names.map(() => 0),
  },
  edges: { ids: ["a", "b", "c"], sources: [0, 1, 7], targets: [6, 7, 5], types: [0, 1, 2] },
  totalNodes: 8,
  totalEdges: 3,
  unplaced: 0,
  implicit: [],
  named: {
    times: [3, 40, 0, 1, 2, 2, 0, 0],
    chapters: [0, 2, null, 2, 0, 1, null, null],
    places: [null, 4, 4, 4, null, null, null, null],
  },
  ...more,
});

const said = (layout: "place" | "faction" | "time") => {
  const graph = arranged(graphOf(picture()), layout, "links", (chapter) => `Chapter ${chapter + 1}`);
  return (graph.groups ?? []).map((group) => [group.name, group.members.map((node) => names[node]).sort()]);
};

describe("layouts", () => {
  test("stand together by place: what is stated before what scenes share", () => {
    expect(said("place")).toEqual([
      ["Mill", ["Ben", "Fire", "Mill"]],
      ["Fort", ["Cara", "Dan", "Fort"]],
      ["", ["Ann", "Guild"]],
    ]);
  });

  test("stand together by faction and by the chapter in which somebody comes", () => {
    expect(said("faction")[0]).toEqual(["Guild", ["Ann", "Guild"]]);
    expect(said("time")).toEqual([
      ["Chapter 1", ["Ann", "Fort"]],
      ["Chapter 2", ["Mill"]],
      ["Chapter 3", ["Ben", "Dan"]],
      ["", ["Cara", "Fire", "Guild"]],
    ]);
  });

  test("are offered only where something sets the nodes apart", () => {
    expect([...layoutsOf(graphOf(picture()))]).toEqual(["free", "place", "faction", "time"]);
    const bare = picture({ named: null, edges: { ids: [], sources: [], targets: [], types: [] } });
    expect([...layoutsOf(graphOf(bare))]).toEqual(["free"]);
  });

  test("leave the free picture as it is, and nobody on top of another", () => {
    const free = graphOf(picture());
    const graph = arranged(free, "place", "links", String);
    expect([...free.x]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const spots = new Set([...graph.x].map((x, node) => `${x.toFixed(1)} ${graph.y[node]?.toFixed(1)}`));
    expect(spots.size).toBe(names.length);
  });
});

describe("sizes", () => {
  test("say how often somebody is named", () => {
    const { radius, ranked } = arranged(graphOf(picture()), "free", "mentions", String);
    expect(ranked[0]).toBe(1);
    expect(radius[1]).toBe(32);
    expect(radius[2]).toBe(8);
    expect(radius[0]).toBeGreaterThan(radius[3] as number);
  });

  test("say it by themselves where most are related to nobody", () => {
    expect(sizingFor(graphOf(picture()))).toBe("links");
    const bare = picture({ edges: { ids: ["a"], sources: [0], targets: [6], types: [0] } });
    expect(sizingFor(graphOf(bare))).toBe("mentions");
    expect(sizingFor(graphOf({ ...bare, named: null }))).toBe("links");
  });
});

test("groups are those with more between them than chance; ties below the line do not count", () => {
  const moment = { chapter: 0, scene: 0 };
  const tie = (a: number, b: number, weight: number) => ({
    sourceId: names[a] as string,
    targetId: names[b] as string,
    weight,
    first: moment,
    last: moment,
  });
  const three = (a: number, weight: number) => [
    tie(a, a + 1, weight),
    tie(a + 1, a + 2, weight),
    tie(a, a + 2, weight),
  ];
  const graph = graphOf(
    picture({
      edges: { ids: [], sources: [], targets: [], types: [] },
      implicit: [...three(0, 0.9), ...three(3, 0.4), tie(2, 3, 0.3)],
    }),
  );
  const groups = (least: number) => communitiesOf(graph, least).map((group) => [...group].sort());
  expect(groups(0)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  expect(groups(0.5)).toEqual([[0, 1, 2]]);
  expect(unlinkedOf(arranged(graph, "time", "links", String), 0.5)).toEqual([]);
});
