import { describe, expect, it } from "vitest";
import { CHAPTERS } from "../stories/harbour";
import { hasOwnNumber, holdsAt, placesIn } from "./places";

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

it("calls a place of the server as people do", () => {
  const places = placesIn(CHAPTERS.chapters, words);
  expect(places.placeName("0.1:40")).toBe("The Empty Ship · Half a Cup");
  expect(places.placeName("12.3")).toBe("Chapter 13 · Scene 4");
  expect(places.placeName("elsewhere")).toBe("elsewhere");
});

it("puts no number of its own before the number that the book prints", () => {
  const titled = (...titles: string[]) =>
    placesIn(
      titles.map((title, chapter) => ({ chapter, title, scenes: [], wordCount: 0 }) as never),
      words,
    );
  const chinese = titled("楔子", "第一回 甄士隐梦幻识通灵", "第二回");
  expect([0, 1, 2].map(chinese.numberBefore)).toEqual([null, null, null]);
  const plain = titled("The Storm", "", "Home");
  expect([0, 1, 2].map(plain.numberBefore)).toEqual([1, null, 3]);
});

it.each([
  ["第十四回 林如海捐馆扬州城", true],
  ["Chapter XIV", true],
  ["IV. The Return", true],
  ["Prologue", true],
  ["12", true],
  ["I remember", false],
  ["Mixed Company", false],
  ["The Chapter House", false],
])("knows whether a title has a number: %s", (title, expected) => {
  expect(hasOwnNumber(title)).toBe(expected);
});

it.each([
  ["第十四回 林如海捐馆扬州城", "第十四回"],
  ["第 12 章　夜雨", "第 12 章"],
  ["Chapter XIV. The Fog", "Chapter XIV"],
  ["Chapter Twenty-One", "Chapter Twenty-One"],
  ["IV. The Return", "IV"],
  ["Prologue", "Prologue"],
  ["The Storm", "The Storm"],
  ["In which nobody comes home and the lamp is lit again", "Chapter 1"],
])("says a chapter in passing: %s", (title, expected) => {
  const places = placesIn([{ chapter: 0, title, scenes: [], wordCount: 0 } as never], words);
  expect(places.shortName(0)).toBe(expected);
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
