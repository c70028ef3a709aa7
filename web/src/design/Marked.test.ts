import { expect, it } from "vitest";
import { pieces, placesOf } from "./Marked";

it("counts characters as the server does, not in halves of surrogate pairs", () => {
  expect(pieces("𠮷野林逸到了", [{ start: 2, end: 4 }])).toEqual([
    { text: "𠮷野", isMarked: false },
    { text: "林逸", isMarked: true },
    { text: "到了", isMarked: false },
  ]);
});

it("makes one of spans that overlap, and forgives those beyond the end", () => {
  const marked = pieces("abcdef", [
    { start: 1, end: 3 },
    { start: 2, end: 4 },
    { start: 5, end: 99 },
  ]);
  expect(marked.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(["bcd", "f"]);
});

it("finds words in any case, each place once", () => {
  expect(placesOf("𠮷 Jiang Li and jiang li", ["JIANG LI"])).toEqual([
    { start: 2, end: 10 },
    { start: 15, end: 23 },
  ]);
  expect(placesOf("abc", [""])).toEqual([]);
});
