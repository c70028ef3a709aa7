// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ChapterInfo } from "../../client/rest";
import { sceneStep, withMove } from "./arranging";
import { placeOf, useAhead } from "./useAhead";

const scene = (id: string, place: number) => ({
  id,
  scene: place,
  title: id,
  wordCount: 1,
  version: 1,
  updatedAt: "",
  worldTime: null,
  pov: null,
  wordGoal: null,
  hasNotes: false,
  opening: "",
});
const before: ChapterInfo[] = [
  { chapter: 0, title: "", wordCount: 2, scenes: [scene("a", 0), scene("b", 1)] },
  { chapter: 1, title: "", wordCount: 1, scenes: [scene("c", 0)] },
];

describe("useAhead", () => {
  it("counts from where the last step leads, though nothing was drawn since", () => {
    const { result } = renderHook(({ chapters }) => useAhead(chapters), {
      initialProps: { chapters: before },
    });
    const first = sceneStep(result.current.chapters(), { chapter: 0, scene: 0 }, 1);
    if (first) result.current.take(first);
    expect(placeOf(result.current.chapters(), "a")).toEqual({ chapter: 0, scene: 1 });
    const second = sceneStep(result.current.chapters(), { chapter: 0, scene: 1 }, 1);
    if (second) result.current.take(second);
    expect(placeOf(result.current.chapters(), "a")).toEqual({ chapter: 1, scene: 0 });
  });

  it("follows what is drawn once every step was seen", () => {
    const { result, rerender } = renderHook(({ chapters }) => useAhead(chapters), {
      initialProps: { chapters: before },
    });
    const move = sceneStep(before, { chapter: 0, scene: 0 }, 1);
    if (!move) throw new Error("no step");
    result.current.take(move);
    const after = withMove(move)(before);
    rerender({ chapters: after });
    expect(result.current.chapters()).toBe(after);
    rerender({ chapters: before });
    expect(result.current.chapters()).toBe(before);
  });
});
