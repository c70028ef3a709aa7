import { describe, expect, it } from "vitest";
import type { Extraction, Job, ReviewExtractionsResponse, WrittenRow } from "../../client/rest";
import { CHAPTERS } from "../../stories/harbour";
import { placesIn } from "../../story/places";
import { said } from "../../texts/language";
import { overridesOf, untouched } from "./Adjust";
import { tallied } from "./preview";
import {
  doubtfulOnes,
  factsOf,
  finderOf,
  joinsOf,
  likeIt,
  neighbourOf,
  ordered,
  otherOf,
  restored,
  sureOnes,
  wanted,
} from "./proposals";
import { namesIn, passageIn } from "./source";
import { texts } from "./texts";
import { readingsIn } from "./useReadings";

const proposal = (entityName: string, more: Partial<Extraction> = {}): Extraction => ({
  id: entityName,
  storyId: "story",
  manuscriptId: null,
  chapter: 0,
  scene: 0,
  kind: "entity",
  suggestion: "new",
  entityName,
  entityType: "character",
  attributesJson: {},
  aliases: [],
  sameAs: null,
  sourceText: "",
  sourceStart: null,
  sourceEnd: null,
  sourceFound: false,
  confidence: 0.8,
  extractor: "local",
  reviewed: false,
  reviewAction: "pending",
  linkedLorebookId: null,
  linkedEntityId: null,
  version: 1,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  ...more,
});

const names = (proposals: readonly Extraction[]) => proposals.map(({ entityName }) => entityName);
const ALL = { kind: "all", type: "all", least: 0, q: "", order: "newest" } as const;

describe("the queue", () => {
  const queue = [
    proposal("a", { confidence: 0.9 }),
    proposal("b", { confidence: 0.5, kind: "event", sourceText: "Fog rises" }),
    proposal("c", { confidence: 0.49, entityType: "location" }),
  ];

  it("counts nine tenths as sure, and under one half as doubtful", () => {
    expect(names(sureOnes(queue))).toEqual(["a"]);
    expect(names(doubtfulOnes(queue))).toEqual(["c"]);
  });

  it("tells why names are one person's in words, and only what the local rules found", () => {
    const join = { name: "行者", other: "孙悟空", reason: "stated", quotation: "人称行者", chapter: 1 };
    const attributesJson = { times: 9, joins: [join], 身份: "徒弟" };
    const found = proposal("a", { extractor: "local", attributesJson });
    expect(joinsOf(found)).toEqual([join]);
    expect(factsOf(found)).toEqual([["身份", "徒弟"]]);
    expect(joinsOf({ ...found, extractor: "agent" })).toEqual([]);
    expect(joinsOf(proposal("b", { extractor: "local", attributesJson: { joins: "?" } }))).toEqual([]);
  });

  it("is ordered by use, confidence or place, and keeps its order where those are equal", () => {
    const use = (id: string, times: number) => ({
      ...{ id, times, firstChapter: 0, firstScene: 0, lastChapter: 0, lastScene: 0 },
    });
    const uses = new Map([use("b", 3), use("c", 41)].map((one) => [one.id, one]));
    const told = queue.map((one, place) => ({ ...one, chapter: [4, 4, 1][place] ?? 0, scene: 0 }));
    expect(names(ordered(told, "newest", uses))).toEqual(["a", "b", "c"]);
    expect(names(ordered(told, "use", uses))).toEqual(["c", "b", "a"]);
    expect(names(ordered(told, "confidence", uses))).toEqual(["a", "b", "c"]);
    expect(names(ordered(told, "place", uses))).toEqual(["c", "a", "b"]);
  });

  it("can be narrowed by kind, type, confidence and words of the quotation", () => {
    expect(names(wanted(queue, { ...ALL, kind: "event" }))).toEqual(["b"]);
    expect(names(wanted(queue, { ...ALL, type: "location" }))).toEqual(["c"]);
    expect(names(wanted(queue, { ...ALL, least: 0.5 }))).toEqual(["a", "b"]);
    expect(names(wanted(queue, { ...ALL, q: "FOG " }))).toEqual(["b"]);
  });

  it("gets back what was refused, and only that", () => {
    const [a, b, c] = queue;
    if (!a || !b || !c) throw new Error("three wait");
    expect(names(restored([proposal("new"), c], [a, b, c], new Set(["a"])))).toEqual(["new", "a", "c"]);
  });

  it("goes on with the next one, at the end with the one before", () => {
    expect(neighbourOf(queue, "a", new Set(["a"]))).toBe("b");
    expect(neighbourOf(queue, "a", new Set(["a", "b"]))).toBe("c");
    expect(neighbourOf(queue, "c", new Set(["c"]))).toBe("b");
    expect(neighbourOf(queue, "c", new Set(["a", "b", "c"]))).toBeNull();
  });
});

it("tells who found it", () => {
  expect(finderOf("local").kind).toBe("local");
  expect(finderOf("model:qwen3:8b")).toEqual({ kind: "model", name: "qwen3:8b" });
  expect(finderOf("my-agent")).toEqual({ kind: "agent", name: "my-agent" });
});

it("shows the ends of a relation in its heading, and the rest below", () => {
  const one = proposal("Jiang Li", {
    kind: "relation",
    attributesJson: { target: "Tower", type: "guards", description: "by night" },
  });
  expect(otherOf(one)).toBe("Tower");
  expect(factsOf(one)).toEqual([["description", "by night"]]);
  expect(namesIn(one)).toEqual(["Jiang Li", "Tower"]);
});

describe("a quotation", () => {
  const scene = "𠮷！雾很浓。江离点灯。雾散了。";

  it("is found at its place, counted in code points, with text around it", () => {
    const found = passageIn(scene, proposal("江离", { sourceText: "江离点灯。", sourceStart: 6 }));
    expect(found).toEqual({ before: "𠮷！雾很浓。", quotation: "江离点灯。", after: "雾散了。" });
  });

  it("is looked for when the scene was changed, and given up when it is gone", () => {
    const moved = proposal("江离", { sourceText: "江离点灯。", sourceStart: 0 });
    expect(passageIn(scene, moved)?.before).toBe("𠮷！雾很浓。");
    expect(passageIn("别的话。", moved)).toBeNull();
  });
});

it("sends only what the reviewer changed", () => {
  const adjustment = untouched("Old Pier Shen Chao");
  expect(overridesOf(adjustment, "Old Pier Shen Chao")).toBeNull();
  expect(overridesOf({ ...adjustment, name: "Shen Chao" }, "Old Pier Shen Chao")).toEqual({
    entryKey: "Shen Chao",
    displayName: "Shen Chao",
  });
  expect(overridesOf({ ...adjustment, level: "never", createEntry: false }, "x")).toBeNull();
});

it("adds up what a batch would write, a row that is made and renamed only once", () => {
  const row = (kind: string, operation: string, name: string): WrittenRow => ({ kind, operation, name });
  const result = (...written: WrittenRow[]) =>
    ({ written }) as unknown as ReviewExtractionsResponse["results"][number];
  const reviewed = {
    results: [
      result(row("entity", "add", "A"), row("entry", "add", "A"), row("entity", "replace", "B")),
      result(row("entity", "replace", "C")),
      result(row("relation", "add", "B → C")),
    ],
  } as unknown as ReviewExtractionsResponse;
  expect(tallied(reviewed)).toEqual([
    { kind: "entity", isNew: true, names: ["B"] },
    { kind: "entity", isNew: false, names: ["C"] },
    { kind: "entry", isNew: true, names: ["A"] },
    { kind: "relation", isNew: true, names: ["B → C"] },
  ]);
});

it("tells of jobs that read something, by the scene they read", () => {
  const words = {
    chapter: (number: number) => `Chapter ${number}`,
    scene: (number: number) => `Scene ${number}`,
  };
  const jobs = [
    { id: "a", kind: "scene-extraction", subject: "0/1" },
    { id: "b", kind: "extraction", subject: "01a1" },
    { id: "c", kind: "embedding", subject: "" },
    { id: "d", kind: "manuscript-reading", subject: "" },
  ] as unknown as Job[];
  expect(readingsIn(jobs, placesIn(CHAPTERS.chapters, words), said(texts, "en"))).toEqual([
    { jobId: "a", label: "The Empty Ship · Half a Cup" },
    { jobId: "b", label: "the pasted text" },
    { jobId: "d", label: "all scenes", goesOn: "auto" },
  ]);
});

it("finds what is like a proposal: of its kind and type, waiting, and no surer", () => {
  const ann = proposal("Ann", { confidence: 0.5 });
  const all = [
    ann,
    proposal("Ben", { confidence: 0.3 }),
    proposal("Sure", { confidence: 0.9 }),
    proposal("Quay", { confidence: 0.3, entityType: "location" }),
    proposal("Done", { confidence: 0.3, reviewed: true }),
  ];
  expect(likeIt(all, ann).map(({ entityName }) => entityName)).toEqual(["Ann", "Ben"]);
});
