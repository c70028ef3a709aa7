import { describe, expect, it } from "vitest";
import type { HistoryStep } from "../../client/rest";
import { LI, RELATIONS, STEPS } from "../../stories/harbour";
import { typedValue, valueTyped } from "../../story/Attributes";
import { countsByChapter } from "./Appearances";
import { fieldsOf } from "./entity";
import { actionOf, canUndo, differencesOf } from "./history";
import { groupsOf, otherEnd } from "./relations";

it("writes attributes without the relations that are read with them", () => {
  const read = { ...LI, attributes: { age: 27, relations: [{ target: "Shen Chao", type: "ally" }] } };
  expect(fieldsOf(read).attributes).toEqual({ age: 27 });
});

describe("relations", () => {
  const [ally, located] = RELATIONS;
  if (!ally || !located) throw new Error("the story has two relations");
  const towards = { ...ally, id: "r3", sourceEntityId: "tao", targetEntityId: "li", relationType: "ally" };
  const shown = (chapter: number | null) =>
    groupsOf([towards, ally, located], "li", chapter === null ? null : { chapter }).map(
      ({ type, isOutward, relations }) => [type, isOutward, relations.length],
    );

  it("are grouped by type and direction, its own first", () => {
    expect(shown(null)).toEqual([
      ["ally", true, 1],
      ["located_at", true, 1],
      ["ally", false, 1],
    ]);
    expect(otherEnd(towards, "li")).toBe("tao");
  });

  it("are those that hold at a moment, the last chapter of a period included", () => {
    expect(shown(1)).toHaveLength(3);
    expect(shown(2)).toHaveLength(2);
  });
});

describe("the history", () => {
  const [step] = STEPS;
  if (!step) throw new Error("the story has a step");

  it("tells what differs, and not what follows from it", () => {
    const change = {
      kind: "entity",
      id: "li",
      before: { name: "A", version: 1 },
      after: { name: "B", version: 2 },
    };
    expect(differencesOf({ ...step, changes: [change] }, "li")).toEqual([
      { field: "name", before: "A", after: "B" },
    ]);
    expect(differencesOf({ ...step, changes: [{ ...change, before: null }] }, "li")).toEqual([]);
    expect(differencesOf({ ...step, changes: [change] }, "somebody")).toEqual([]);
  });

  it("names steps by what they did", () => {
    const done = (action: string) => actionOf({ ...step, action } as HistoryStep);
    expect(
      ["knowledge:entity:update", "extraction:bulk-review", "knowledge:batch:upsert", "x:y"].map(done),
    ).toEqual(["update", "review", "import", "other"]);
  });

  it("takes back neither what was taken back nor an undo", () => {
    expect(canUndo(step)).toBe(true);
    expect(canUndo({ ...step, revertedBy: 9 })).toBe(false);
    expect(canUndo({ ...step, reverts: 3 })).toBe(false);
  });
});

it("counts by chapter, those that say nothing included", () => {
  const item = { scene: 0, title: "", quotation: "", start: 0, end: 0 };
  const items = [
    { ...item, chapter: 2, count: 3 },
    { ...item, chapter: 2, scene: 1, count: 1 },
    { ...item, chapter: 7, count: 1 },
  ];
  expect(countsByChapter(items, [0, 1, 2])).toEqual([
    [0, 0],
    [1, 0],
    [2, 4],
    [7, 1],
  ]);
});

it("keeps text as text, and reads the rest as JSON while it is some", () => {
  expect(valueTyped("28", "27")).toBe("28");
  expect(valueTyped("28", 27)).toBe(28);
  expect(valueTyped("[1", [1])).toBe("[1");
  expect(typedValue(["a"])).toBe('["a"]');
});
