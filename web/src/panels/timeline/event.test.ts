import { expect, it } from "vitest";
import { named } from "./event";

const LI = { entityId: "li", name: "Jiang Li", role: "keeper" };
const TWICE = { entityId: "li", name: "Jiang Li", role: "witness" };

it("keeps those whose names stay with all their parts, and waits for the others by name", () => {
  expect(named(["Egret", "Jiang Li"], [LI, TWICE], { role: "" })).toEqual([
    { entityId: null, name: "Egret", role: "" },
    LI,
    TWICE,
  ]);
  expect(named([], [LI, TWICE], { role: "" })).toEqual([]);
});
