import { describe, expect, it } from "vitest";
import type { StoryEvent, StoryTurn } from "../../client/rest";
import { peopleIn, wanted } from "./events";
import { bandsOf, columnWidth, inOrder, lanesOf, rowsOf, rowsWithScenes, touched, turnsOf } from "./lanes";

const event = (name: string, chapter: number | null, people: string[], more: Partial<StoryEvent> = {}) =>
  ({
    id: name,
    name,
    summary: "",
    event: "",
    timeAnchor: "",
    causality: "",
    level: 0,
    moment: chapter === null ? null : { chapter, scene: null },
    roles: people.map((person) => ({
      entityId: person.startsWith("?") ? null : person,
      name: person,
      role: "",
    })),
    locations: [],
    ...more,
  }) as unknown as StoryEvent;

const EVENTS = [
  event("a", 0, ["Li", "Shen"], { level: 1 }),
  event("b", 0, ["Shen", "Shen"]),
  event("c", 2, ["Tao", "Shen"], { summary: "Fog" }),
  event("d", null, ["?Egret"], {
    locations: [{ entityId: "pier", name: "Old Pier", properties: {} }],
  }),
];

const ALL = { person: null, place: null, outline: false, q: "" };
const names = (events: readonly { name: string }[]) => events.map(({ name }) => name);

it("puts the events of a chapter side by side, those without a moment last", () => {
  expect(bandsOf(EVENTS)).toEqual([
    { chapter: 0, from: 0, to: 2 },
    { chapter: 2, from: 2, to: 3 },
    { chapter: null, from: 3, to: 4 },
  ]);
  expect(
    rowsOf(EVENTS).map((row) =>
      "column" in row ? row.column : "band" in row ? row.band.chapter : row.turn.id,
    ),
  ).toEqual([0, 0, 1, 2, 2, null, 3]);
});

it("counts somebody once for each event, and gives lanes in the order of entering", () => {
  expect(peopleIn(EVENTS).map(({ name, count }) => [name, count])).toEqual([
    ["Shen", 3],
    ["Li", 1],
    ["Tao", 1],
    ["?Egret", 1],
  ]);
  const lanes = lanesOf(EVENTS, 3);
  expect(lanes.map(({ name, first, last }) => [name, first, last])).toEqual([
    ["Shen", 0, 2],
    ["Li", 0, 0],
    ["Tao", 2, 2],
  ]);
  const laneOf = new Map(lanes.map(({ key }, place) => [key, place]));
  expect(EVENTS.map((one) => touched(one, laneOf))).toEqual([[0, 1], [0], [0, 2], []]);
});

describe("what is wanted", () => {
  it("is narrowed by person, place, outline and words", () => {
    expect(names(wanted(EVENTS, { ...ALL, person: "Tao" }))).toEqual(["c"]);
    expect(names(wanted(EVENTS, { ...ALL, person: "name:?Egret" }))).toEqual(["d"]);
    expect(names(wanted(EVENTS, { ...ALL, place: "pier" }))).toEqual(["d"]);
    expect(names(wanted(EVENTS, { ...ALL, outline: true }))).toEqual(["a"]);
    expect(names(wanted(EVENTS, { ...ALL, q: "fog" }))).toEqual(["c"]);
  });
});

it("uses the room there is, but keeps columns wide enough for a finger's tip", () => {
  expect(columnWidth(1000, 10)).toBe(100);
  expect(columnWidth(1000, 2)).toBe(110);
  expect(columnWidth(1000, 5_000)).toBe(24);
});

describe("as it happened", () => {
  const turn = (id: string, chapter: number | null, day: number | null, kind: "scene" | "event" = "event") =>
    ({
      id,
      kind,
      name: id,
      moment: chapter === null ? null : { chapter, scene: 0 },
      day,
      worldTime: null,
      when: day === null ? "" : `day ${day}`,
    }) as StoryTurn;
  const turns = turnsOf("happened", [
    turn("c", 2, -10),
    turn("s2", 2, -10, "scene"),
    { ...turn("s0", 0, 0, "scene"), when: "the first night (day 0)" },
    turn("a", 0, 0),
    turn("d", null, null),
  ]);

  it("orders events by their day, what is not known yet last", () => {
    expect(names(inOrder(EVENTS, turns))).toEqual(["c", "a", "d", "b"]);
    expect(names(inOrder(EVENTS, turnsOf("told", turns.items)))).toEqual(names(EVENTS));
  });

  it("stands under times instead of chapters", () => {
    expect(bandsOf(inOrder(EVENTS, turns), turns).map(({ when }) => when)).toEqual([
      "day -10",
      "the first night (day 0)",
      "",
    ]);
  });

  it("has the scenes in their places, and loses no event", () => {
    const rows = rowsWithScenes(inOrder(EVENTS, turns), turns).map((row) =>
      row.kind === "chapter" ? row.band.when : row.kind === "scene" ? row.turn.id : row.event.id,
    );
    expect(rows).toEqual(["day -10", "c", "s2", "the first night (day 0)", "s0", "a", "", "d", "b"]);
  });
});
