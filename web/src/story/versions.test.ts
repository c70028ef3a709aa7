import { expect, it } from "vitest";
import { changedFields, combined, merge } from "./versions";

interface Lamp {
  name: string;
  text: string;
  tags: string[];
}
const FIELDS: readonly (keyof Lamp)[] = ["name", "text", "tags"];
const base: Lamp = { name: "Lamp", text: "Old.", tags: ["a"] };

it("merges what only one has changed, and leaves the rest to people", () => {
  const mine = { ...base, text: "Mine.", tags: ["a", "b"] };
  const theirs = { ...base, name: "Light", text: "Theirs." };
  expect(changedFields(FIELDS, base, mine)).toEqual(["text", "tags"]);
  expect(merge(FIELDS, base, mine, theirs)).toEqual({
    merged: { name: "Light", text: "Mine.", tags: ["a", "b"] },
    disputed: ["text"],
  });
});

it("does not dispute what both have changed alike", () => {
  const same = { ...base, name: "Light" };
  expect(merge(FIELDS, base, same, { ...same })).toEqual({ merged: same, disputed: [] });
});

it("puts two lists, two objects or two texts together, and nothing else", () => {
  expect(combined(["a"], ["b", "a"])).toEqual(["a", "b"]);
  expect(combined([{ name: "Li" }], [{ name: "Li" }, { name: "Tao" }])).toEqual([
    { name: "Li" },
    { name: "Tao" },
  ]);
  expect(combined({ age: 1 }, { age: 2, eyes: "grey" })).toEqual({ age: 1, eyes: "grey" });
  expect(combined("Mine.", "Theirs.")).toBe("Mine.\n\nTheirs.");
});
