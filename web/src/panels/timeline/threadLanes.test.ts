import { expect, it } from "vitest";
import type { PlacedPoint, StoryThread } from "../../client/rest";
import { chaptersOf, stretchOf } from "./threadLanes";

const at = (chapter: number) => ({ id: `p${chapter}`, chapter, scene: 0, start: 0 }) as PlacedPoint;
const thread = (plants: number[], payoffs: number[], due?: number) =>
  ({
    plants: plants.map(at),
    advances: [],
    payoffs: payoffs.map(at),
    dueAt: due === undefined ? null : { chapter: due, scene: null },
  }) as unknown as StoryThread;

it("runs from the plant to the pay-off, or to where it is due", () => {
  expect(stretchOf(thread([3], [7]))).toEqual({ from: 3, to: 7 });
  expect(stretchOf(thread([3], [], 9))).toEqual({ from: 3, to: 9 });
  expect(stretchOf(thread([], []))).toBeNull();
});

it("shows every chapter in between, and of very many those in which something happens", () => {
  expect(chaptersOf([thread([1], [3]), thread([2], [], 4)])).toEqual([1, 2, 3, 4]);
  expect(chaptersOf([thread([0], [99]), thread([40], [])])).toEqual([0, 40, 99]);
});
