import { expect, it } from "vitest";
import type { ChapterInfo } from "../../client/rest";
import { sceneAsked } from "./Irony";

const chapters = [
  { chapter: 0, scenes: [{ scene: 0 }, { scene: 1 }] },
  { chapter: 2, scenes: [{ scene: 3 }] },
  { chapter: 4, scenes: [] },
] as unknown as readonly ChapterInfo[];

it("asks for the scene of the address, for the first of a chapter, and for the last of the manuscript", () => {
  expect(sceneAsked("0.1", { chapters })).toEqual({ chapter: 0, scene: 1 });
  expect(sceneAsked("2.0", { chapters })).toEqual({ chapter: 2, scene: 3 });
  expect(sceneAsked(null, { chapters: chapters.slice(0, 2) })).toEqual({ chapter: 2, scene: 3 });
});

it("asks for nothing where there is no scene", () => {
  expect(sceneAsked(null, { chapters: [] })).toBeNull();
  expect(sceneAsked("4.0", { chapters })).toBeNull();
  expect(sceneAsked("7.0", { chapters })).toBeNull();
  expect(sceneAsked("nonsense", { chapters })).toBeNull();
});
