import { expect, it } from "vitest";
import type { CheckFinding } from "../../client/rest";
import { countsOf, thereAddress } from "../../story/findings/findings";
import { ALL, groupsOf, wanted } from "./grouping";

const finding = (
  id: string,
  place: [number, number] | null,
  more: Partial<CheckFinding> = {},
): CheckFinding => ({
  id,
  rule: "trait",
  severity: "warning",
  message: `Finding ${id}`,
  entityId: "mara",
  name: "Mara",
  here: place
    ? { chapter: place[0], scene: place[1], sceneId: place.join("."), start: 0, end: 4, quotation: "blue" }
    : { quotation: "" },
  there: null,
  confidence: 0.8,
  fixes: [],
  facts: [],
  waived: false,
  ...more,
});

it("groups findings by scene in the order of the telling, then by rule, with those among facts last", () => {
  const groups = groupsOf([
    finding("a", null, { rule: "kin" }),
    finding("b", [2, 0]),
    finding("c", [0, 1]),
    finding("d", [2, 0], { rule: "name" }),
    finding("e", [2, 0]),
  ]);
  expect(groups.map(({ key }) => key)).toEqual(["0.1", "2.0", "facts"]);
  expect(groups[1]?.rules.map(({ rule, findings }) => [rule, findings.map(({ id }) => id)])).toEqual([
    ["trait", ["b", "e"]],
    ["name", ["d"]],
  ]);
});

it("filters by severity, rule, chapter, confidence and words of either quotation", () => {
  const there = { kind: "scene", id: "s", quotation: "Her eyes were green." } as const;
  const all = [
    finding("a", [0, 0], { severity: "error", there }),
    finding("b", [1, 0], { rule: "name", confidence: 0.4 }),
  ];
  const ids = (changed: Partial<typeof ALL>) => wanted(all, { ...ALL, ...changed }).map(({ id }) => id);
  expect(ids({})).toEqual(["a", "b"]);
  expect(ids({ severity: "error" })).toEqual(["a"]);
  expect(ids({ rule: "name" })).toEqual(["b"]);
  expect(ids({ chapter: "1" })).toEqual(["b"]);
  expect(ids({ least: 0.5 })).toEqual(["a"]);
  expect(ids({ q: "GREEN" })).toEqual(["a"]);
});

it("counts for each scene what nobody has said is intended", () => {
  const counts = countsOf([
    finding("a", [0, 0]),
    finding("b", [0, 0]),
    finding("c", [0, 0], { waived: true }),
    finding("d", null),
  ]);
  expect([...counts]).toEqual([["0.0", 2]]);
});

it("leads to the sentence, the entity or the entry that establishes something", () => {
  const to = (there: CheckFinding["there"]) => thereAddress("s", finding("a", [0, 0], { there }));
  expect(to({ kind: "scene", id: "x", chapter: 1, scene: 2, start: 5, end: 9, quotation: "" })).toBe(
    "/stories/s/write?scene=1.2&at=5-9",
  );
  expect(to({ kind: "entity", id: "e1", quotation: "" })).toBe("/stories/s/entities/e1");
  expect(to({ kind: "state", id: "s1", quotation: "" })).toBe("/stories/s/entities/mara");
  expect(to({ kind: "entry", id: "n", quotation: "" })).toBe("/stories/s/lorebook?entry=n");
  expect(to(null)).toBeNull();
});
