import { describe, expect, it } from "vitest";
import { CHAPTERS } from "../stories/harbour";
import { countedPlace, holdsAt, placesIn } from "./places";

const words = {
  chapter: (number: number) => `Chapter ${number}`,
  scene: (number: number) => `Scene ${number}`,
};

it("calls places by their titles, and by their numbers from 1 where there are none", () => {
  const places = placesIn(CHAPTERS.chapters, words);
  expect(places.momentName({ chapter: 0, scene: 1 })).toBe("The Empty Ship · Half a Cup");
  expect(places.momentName({ chapter: 4 })).toBe("Chapter 5");
  expect(places.momentName({ chapter: 1, scene: 8 })).toBe("Lights Out · Scene 9");
});

it("counts places from 1, as people do", () => {
  expect(countedPlace("0.0")).toBe("1.1");
  expect(countedPlace("12.3:40")).toBe("13.4:40");
  expect(countedPlace("elsewhere")).toBe("elsewhere");
});

describe("what holds at a moment", () => {
  const period = { since: { chapter: 2, scene: 1 }, until: { chapter: 3 } };

  it("begins with its scene and lasts to the end of its last chapter", () => {
    expect(holdsAt(period, { chapter: 2, scene: 0 })).toBe(false);
    expect(holdsAt(period, { chapter: 2, scene: 1 })).toBe(true);
    expect(holdsAt(period, { chapter: 3, scene: 99 })).toBe(true);
    expect(holdsAt(period, { chapter: 4, scene: 0 })).toBe(false);
  });

  it("holds in a chapter if it does in a part of it", () => {
    expect(holdsAt(period, { chapter: 2 })).toBe(true);
    expect(holdsAt(period, { chapter: 1 })).toBe(false);
  });

  it("is everything where no moment is asked for, and what is open is always so", () => {
    expect(holdsAt(period, null)).toBe(true);
    expect(holdsAt({}, { chapter: 9 })).toBe(true);
  });
});
