// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import type { LorebookEntry } from "../../client/rest";
import { settled, sharedWords, sortedIds, totals, wanted } from "./arrange";
import { EMPTY, fieldsOf, isLeft, leaveNew, patchOf, readFields } from "./draft";
import { doubtsOf, wholeNumber } from "./EntryForm";

const entry = (name: string, more: Partial<LorebookEntry> = {}): LorebookEntry => ({
  ...EMPTY,
  told: null,
  validFrom: null,
  validTo: null,
  id: name,
  storyId: "story",
  bookId: "own",
  place: 0,
  userId: "local",
  entityId: name,
  entryKey: name,
  displayName: name,
  content: `${name} is told`,
  estimatedTokens: 10,
  extensions: {},
  version: 1,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  ...more,
});

const ALL = { q: "", book: "all", category: "all", level: "all", which: "all" } as const;

describe("the order of the list", () => {
  const entries = [entry("a", { priority: 1 }), entry("b", { priority: 9 }), entry("c", { priority: 5 })];

  it("is by priority, the highest first, then by name", () => {
    expect(sortedIds(entries, "priority")).toEqual(["b", "c", "a"]);
  });

  it("sorts Chinese names by sound", () => {
    expect(sortedIds([entry("张"), entry("白"), entry("李")], "name")).toEqual(["白", "李", "张"]);
  });

  it("stays put when an entry is changed, with new entries on top and deleted ones gone", () => {
    const order = sortedIds(entries, "priority");
    const later = [entry("a", { priority: 100 }), entry("c", { priority: 5 }), entry("new")];
    expect(settled(order, later, "priority")).toEqual(["new", "c", "a"]);
  });
});

describe("what is wanted", () => {
  const entries = [
    entry("Jiang Li", { aliases: ["A-Li"], category: "character" }),
    entry("Tower", { category: "location", keywordsJson: ["a-li "], enabled: false }),
    entry("Style", { category: "custom", estimatedTokens: 900 }),
  ];
  const shared = sharedWords(entries);
  const names = (filter: Partial<Parameters<typeof wanted>[1]>) =>
    wanted(entries, { ...ALL, ...filter }, shared).map(({ id }) => id);

  it("is found by name, word and text, in any width and case", () => {
    expect(names({ q: "ＪＩＡＮＧ" })).toEqual(["Jiang Li"]);
    expect(names({ q: "a-li" })).toEqual(["Jiang Li", "Tower"]);
    expect(names({ q: "is told" })).toHaveLength(3);
  });

  it("can be narrowed to a category, to what is off, over budget, or shares a word", () => {
    expect(names({ category: "custom" })).toEqual(["Style"]);
    expect(names({ which: "disabled" })).toEqual(["Tower"]);
    expect(names({ which: "over" })).toEqual(["Style"]);
    expect(names({ which: "doubled" })).toEqual(["Jiang Li", "Tower"]);
  });

  it("counts tokens of all, and of those that a model can hear", () => {
    expect(totals([...entries, entry("Secret", { aiContextLevel: "never" })])).toEqual({
      all: 930,
      enabled: 910,
    });
  });
});

describe("a draft", () => {
  beforeEach(() => localStorage.clear());

  it("sends only what was changed, with the version it began at", () => {
    const fields = { ...fieldsOf(entry("a")), priority: 3 };
    expect(patchOf(fields, ["priority"], 7)).toEqual({ priority: 3, expectedVersion: 7 });
  });

  it("of an entry that does not exist yet is left in the browser", () => {
    expect(isLeft("story", "new")).toBe(false);
    leaveNew("story", { ...EMPTY, content: "half a sentence" });
    expect(isLeft("story", "new")).toBe(true);
  });

  it("that cannot be read is no draft", () => {
    expect(readFields(EMPTY)).toEqual(EMPTY);
    expect(readFields({ ...EMPTY, priority: "high" })).toBeNull();
  });
});

it("tells which words call other entries, too", () => {
  const fields = { ...EMPTY, entryKey: "Jiang Li", keywordsJson: ["Keeper", "lamp"] };
  const doubts = doubtsOf(
    fields,
    "own",
    [entry("Qin Zhu", { aliases: ["keeper"] }), entry("own")],
    (names) => names,
  );
  expect([...doubts]).toEqual([["Keeper", "Qin Zhu"]]);
});

it("keeps numbers whole, and the old one where nothing sensible was typed", () => {
  expect([wholeNumber("12.6", 1), wholeNumber("", 7), wholeNumber("x", 7)]).toEqual([13, 7, 7]);
});
