import { describe, expect, it } from "vitest";
import type { Entity } from "../../client/knowledge";
import type { GraphPictureResponse } from "../../client/rest";
import { boxOf, fitting, viewOf, zoomedAt } from "./camera";
import { around, graphOf, hitsOf, radiusOf, shownEdges, shownOf, towards } from "./graph";
import { fieldsOf, isUntouched, patchOf, writtenValue } from "./node";
import { Room } from "./painter";
import { edgeAt, isOnRim, nodeAt } from "./picking";
import { withEdge, withEdgeType, withFields, withNode, withoutEdge, withoutNode, withPlace } from "./picture";
import { mixed } from "./shapes";

const PICTURE: GraphPictureResponse = {
  revision: 1,
  types: ["character", "event", "location"],
  edgeTypes: ["ally", "located_at", "participates_in"],
  nodes: {
    ids: ["a", "b", "c", "d"],
    names: ["林逸", "苏瑶", "青云山", "Duel"],
    types: [0, 0, 2, 1],
    x: [0, 100, 0, null],
    y: [0, 0, 100, null],
    degrees: [3, 2, 1, 1],
  },
  edges: {
    ids: ["r1", "r2", "r3", "p1"],
    sources: [0, 1, 0, 0],
    targets: [1, 0, 2, 3],
    types: [0, 0, 1, 2],
  },
  totalNodes: 4,
  totalEdges: 4,
  unplaced: 1,
};
const graph = graphOf(PICTURE);
const all = new Uint8Array(4).fill(1);
const straight = { x: 0, y: 0, k: 1 };

describe("a graph", () => {
  it("gives sizes from 8 to 32, and tells hubs apart when all would be as large", () => {
    expect([0, 3, 6].map((degree) => radiusOf(degree, 6))).toEqual([8, 20, 32]);
    expect(radiusOf(0, 900)).toBe(8);
    expect(radiusOf(900, 900)).toBe(32);
    expect(radiusOf(400, 900)).toBeLessThan(radiusOf(900, 900));
  });

  it("stands where it was placed; who has no place stands near a neighbour", () => {
    expect([graph.x[1], graph.y[2]]).toEqual([100, 100]);
    expect(Math.hypot(graph.x[3] as number, graph.y[3] as number)).toBeLessThan(100);
  });

  it("bends edges between the same two apart, and no other", () => {
    expect(graph.bend[0]).toBeCloseTo(-0.08);
    // The second goes the other way, so that aside is on the other side.
    expect(graph.bend[1]).toBeCloseTo(-0.08);
    expect([graph.bend[2], graph.bend[3]]).toEqual([0, 0]);
  });

  it("ranks by degree and knows who is around whom", () => {
    expect([...graph.ranked]).toEqual([0, 1, 2, 3]);
    expect([...around(graph, 2, 1)]).toEqual([1, 0, 1, 0]);
    expect([...around(graph, 2, 2)]).toEqual([1, 1, 1, 1]);
  });

  it("hides types and those put aside, and with them their edges", () => {
    const nothing = { focus: null, steps: 2, aside: new Set<string>(), hidden: new Set<string>() };
    const shown = shownOf(graph, { ...nothing, hidden: new Set(["event"]), aside: new Set(["c"]) });
    expect([...shown]).toEqual([1, 1, 0, 0]);
    expect(shownEdges(graph, shown)).toBe(2);
    expect([...shownOf(graph, { ...nothing, focus: 3, steps: 1 })]).toEqual([1, 0, 0, 1]);
  });

  it("finds names however they are written, and what was found elsewhere", () => {
    const names = PICTURE.nodes.names.map((name) => name.toLowerCase());
    expect(hitsOf(graph, names, "  ", [])).toBeNull();
    expect([...(hitsOf(graph, names, "ＤＵ", ["c"]) ?? [])]).toEqual([0, 0, 1, 1]);
  });

  it("walks to the neighbour in a direction", () => {
    const placed = Uint8Array.of(1, 1, 1, 0);
    expect(towards(graph, 0, 1, 0, placed)).toBe(1);
    expect(towards(graph, 0, 0, 1, placed)).toBe(2);
    expect(towards(graph, 2, 0, 1, all)).toBeNull();
  });
});

describe("pointing", () => {
  it("hits nodes, their rim, and edges where they bend", () => {
    expect(nodeAt(graph, all, straight, 2, 2)).toBe(0);
    expect(nodeAt(graph, all, straight, 2, 2, 0)).toBeNull();
    expect(nodeAt(graph, new Uint8Array(4), straight, 2, 2)).toBeNull();
    expect(isOnRim(graph, straight, 0, graph.radius[0] as number, 0)).toBe(true);
    expect(isOnRim(graph, straight, 0, 2, 0)).toBe(false);
    expect(edgeAt(graph, all, straight, 0, 50)).toBe(2);
    expect([0, 1]).toContain(edgeAt(graph, all, straight, 50, 8) ?? edgeAt(graph, all, straight, 50, -8));
    expect(edgeAt(graph, all, straight, 70, 70)).toBeNull();
  });
});

describe("the camera", () => {
  it("keeps what is under the pointer there, between 0.1 and 5", () => {
    const near = zoomedAt({ x: 10, y: 20, k: 1 }, 2, 110, 220);
    expect([(110 - near.x) / near.k, (220 - near.y) / near.k]).toEqual([100, 200]);
    expect(zoomedAt(straight, 100, 0, 0).k).toBe(5);
    expect(zoomedAt(straight, 0.001, 0, 0).k).toBe(0.1);
    expect(zoomedAt(straight, 0.001, 0, 0, 0.03).k).toBe(0.03);
  });

  it("sees the whole of a box", () => {
    const box = boxOf(graph.x, graph.y, graph.radius, all);
    const view = viewOf(fitting(box, 800, 600), 800, 600);
    expect(box && view.left < box.left && view.right > box.right && view.top < box.top).toBe(true);
    expect(boxOf(graph.x, graph.y, graph.radius, new Uint8Array(4))).toBeNull();
  });
});

describe("a change to the picture", () => {
  it("adds and takes away a node with its edges", () => {
    const more = withNode({ id: "e", name: "Lamp", type: "item", x: 1, y: 2 })(PICTURE);
    expect([more.nodes.ids[4], more.types[more.nodes.types[4] as number], more.totalNodes]).toEqual([
      "e",
      "item",
      5,
    ]);
    const less = withoutNode("b")(PICTURE);
    expect(less.nodes.ids).toEqual(["a", "c", "d"]);
    expect([less.edges.sources, less.edges.targets]).toEqual([
      [0, 0],
      [1, 2],
    ]);
    expect(less.totalEdges).toBe(2);
    expect(PICTURE.nodes.ids).toHaveLength(4);
  });

  it("adds relations, changes and removes them", () => {
    const more = withEdge({ id: "r4", sourceId: "c", targetId: "b", type: "师徒" })(PICTURE);
    expect(more.edges.ids).toEqual(["r1", "r2", "r3", "p1", "r4"]);
    expect(more.totalEdges).toBe(5);
    expect(withEdge({ id: "r5", sourceId: "x", targetId: "b", type: "ally" })(PICTURE)).toBe(PICTURE);
    const changed = withEdgeType("r1", "enemy")(PICTURE);
    expect(changed.edgeTypes[changed.edges.types[0] as number]).toBe("enemy");
    expect(withoutEdge("p1")(PICTURE)).toMatchObject({ totalEdges: 3, edges: { ids: ["r1", "r2", "r3"] } });
  });

  it("renames and moves", () => {
    expect(withFields("a", { name: "阿离", type: "location" })(PICTURE).nodes).toMatchObject({
      names: ["阿离", "苏瑶", "青云山", "Duel"],
      types: [2, 0, 2, 1],
    });
    expect(withPlace("d", 5, 6)(PICTURE).nodes.x[3]).toBe(5);
  });
});

describe("a node's form", () => {
  const entity = {
    id: "a",
    name: "林逸",
    type: "character",
    description: "",
    attributes: { age: 27, title: "12", relations: [{ target: "苏瑶" }] },
    version: 3,
  } as unknown as Entity;

  it("sends what was changed and nothing else", () => {
    const fields = fieldsOf(entity);
    expect(fields.rows.map(({ key }) => key)).toEqual(["age", "title"]);
    expect(patchOf(entity, fields)).toBeNull();
    const rows = [
      { key: "age", value: "28" },
      { key: "title", value: "13" },
    ];
    expect(patchOf(entity, { ...fields, name: " 小逸 ", rows })).toEqual({
      name: "小逸",
      attributes: { age: 28, title: "13" },
    });
  });

  it("keeps kinds of values", () => {
    expect(writtenValue("28", 27)).toBe(28);
    expect(writtenValue("28", "27")).toBe("28");
    expect(writtenValue('["a"]', undefined)).toEqual(["a"]);
    expect(writtenValue("{no", undefined)).toBe("{no");
  });

  it("knows when somebody else changed only the place", () => {
    expect(isUntouched(entity, { ...entity, version: 4, layoutX: 3 })).toBe(true);
    expect(isUntouched(entity, { ...entity, version: 4, description: "new" })).toBe(false);
  });
});

it("gives every label a room of its own", () => {
  const room = new Room();
  expect(room.take(0, 0, 60, 14)).toBe(true);
  expect(room.take(40, 4, 60, 14)).toBe(false);
  expect(room.take(40, 40, 60, 14)).toBe(true);
});

it("mixes colours", () => {
  expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
});
