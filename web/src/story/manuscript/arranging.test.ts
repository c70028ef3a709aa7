import { describe, expect, it } from "vitest";
import type { ChapterInfo } from "../../client/rest";
import { chapterInto, chapterStep, type Move, placeAfter, sceneInto, sceneStep, withMove } from "./arranging";
import type { Place } from "./place";

const chapter = (number: number, titles: Record<number, string>, title = ""): ChapterInfo => ({
  chapter: number,
  title,
  wordCount: Object.keys(titles).length,
  scenes: Object.entries(titles).map(([scene, name]) => ({
    id: name,
    scene: Number(scene),
    title: name,
    wordCount: 1,
    version: 1,
    updatedAt: "",
    worldTime: null,
    pov: null,
    wordGoal: null,
    hasNotes: false,
    opening: "",
  })),
});
const CHAPTERS = [
  chapter(0, { 0: "a", 1: "b", 2: "c" }),
  chapter(1, { 0: "d" }, "Two"),
  chapter(3, {}, "Four"),
];
const told = (chapters: readonly ChapterInfo[]) =>
  chapters.map((known) => `${known.chapter}: ${known.scenes.map(({ title }) => title).join("")}`);
const arranged = (move: Move | null) => told(move ? withMove(move)(CHAPTERS) : CHAPTERS);
const at = (number: number, scene: number): Place => ({ chapter: number, scene });

describe("moving", () => {
  it("renumbers what stands between", () => {
    expect(arranged({ kind: "scene", from: at(0, 0), to: at(0, 2) })).toEqual(["0: bca", "1: d", "3: "]);
    expect(arranged({ kind: "scene", from: at(0, 1), to: at(1, 0) })).toEqual(["0: ac", "1: bd", "3: "]);
    expect(arranged({ kind: "chapter", from: 0, to: 3 })).toEqual(["0: d", "2: ", "3: abc"]);
  });

  it("there and back is nothing", () => {
    for (const [from, to] of [
      [at(0, 0), at(0, 2)],
      [at(0, 1), at(1, 0)],
      [at(1, 0), at(0, 3)],
    ] as const) {
      const there: Move = { kind: "scene", from, to };
      const back: Move = { kind: "scene", from: to, to: from };
      expect(told(withMove(back)(withMove(there)(CHAPTERS)))).toEqual(told(CHAPTERS));
      for (const place of [at(0, 0), at(0, 5), at(1, 0), at(1, 2)])
        expect(placeAfter(back, placeAfter(there, place))).toEqual(place);
    }
  });

  it("goes step by step from chapter to chapter, and stops at the ends", () => {
    expect(arranged(sceneStep(CHAPTERS, at(0, 0), 1))).toEqual(["0: bac", "1: d", "3: "]);
    expect(arranged(sceneStep(CHAPTERS, at(0, 2), 1))).toEqual(["0: ab", "1: cd", "3: "]);
    expect(arranged(sceneStep(CHAPTERS, at(1, 0), 1))).toEqual(["0: abc", "1: ", "3: d"]);
    expect(arranged(sceneStep(CHAPTERS, at(1, 0), -1))).toEqual(["0: abcd", "1: ", "3: "]);
    expect(sceneStep(CHAPTERS, at(0, 0), -1)).toBeNull();
    expect(chapterStep(CHAPTERS, 0, -1)).toBeNull();
    expect(chapterStep(CHAPTERS, 1, 1)).toEqual({ kind: "chapter", from: 1, to: 3 });
  });

  it("drops a scene exactly into the gap that was pointed at", () => {
    expect(arranged(sceneInto(CHAPTERS, at(0, 0), { chapter: 0, before: 2 }))).toEqual([
      "0: bac",
      "1: d",
      "3: ",
    ]);
    expect(arranged(sceneInto(CHAPTERS, at(0, 2), { chapter: 0, before: 1 }))).toEqual([
      "0: acb",
      "1: d",
      "3: ",
    ]);
    expect(arranged(sceneInto(CHAPTERS, at(0, 0), { chapter: 0, before: null }))).toEqual([
      "0: bca",
      "1: d",
      "3: ",
    ]);
    expect(arranged(sceneInto(CHAPTERS, at(0, 0), { chapter: 3, before: null }))).toEqual([
      "0: bc",
      "1: d",
      "3: a",
    ]);
    expect(sceneInto(CHAPTERS, at(0, 1), { chapter: 0, before: 2 })).toBeNull();
    expect(sceneInto(CHAPTERS, at(0, 1), { chapter: 0, before: 1 })).toBeNull();
  });

  it("drops a chapter before another or behind the last", () => {
    expect(arranged(chapterInto(CHAPTERS, 3, 1))).toEqual(["0: abc", "1: ", "2: d"]);
    expect(arranged(chapterInto(CHAPTERS, 0, null))).toEqual(["0: d", "2: ", "3: abc"]);
    expect(arranged(chapterInto(CHAPTERS, 0, 3))).toEqual(["0: d", "1: abc", "3: "]);
    expect(chapterInto(CHAPTERS, 0, 1)).toBeNull();
    expect(chapterInto(CHAPTERS, 3, null)).toBeNull();
  });
});
