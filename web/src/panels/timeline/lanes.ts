import type { StoryEvent, StoryTurn } from "../../client/rest";
import { keyOf, type Party, peopleIn } from "./events";

/** The events of one chapter, or of one time of the world, side by side: from one column up to another. */
export interface Band {
  /** Null of events that have no moment. */
  readonly chapter: number | null;
  /** When it is, in words, where events stand as they happened; empty where that is not known. */
  readonly when?: string;
  readonly from: number;
  readonly to: number;
}

/** In which order scenes and events are looked at. */
export type Order = "told" | "happened";

/** The scenes and events in their order, and when each of them is. */
export interface Turns {
  readonly order: Order;
  readonly items: readonly StoryTurn[];
  readonly whenOf: ReadonlyMap<string, string>;
  /** What stands above everything of the same day. */
  readonly dayOf: ReadonlyMap<string, string>;
}

export function turnsOf(order: Order, items: readonly StoryTurn[]): Turns {
  const days = new Map<number | null, string>();
  for (const { day, when } of items) if (!days.has(day)) days.set(day, when);
  return {
    order,
    items,
    whenOf: new Map(items.map(({ id, when }) => [id, when])),
    dayOf: new Map(items.map(({ id, day }) => [id, days.get(day) ?? ""])),
  };
}

export function bandsOf(events: readonly StoryEvent[], turns?: Turns): Band[] {
  if (turns?.order === "happened") return daysOf(events, turns);
  const bands: { chapter: number | null; from: number; to: number }[] = [];
  for (const [place, event] of events.entries()) {
    const chapter = event.moment?.chapter ?? null;
    const last = bands.at(-1);
    if (last && last.chapter === chapter) last.to = place + 1;
    else bands.push({ chapter, from: place, to: place + 1 });
  }
  return bands;
}

function daysOf(events: readonly StoryEvent[], { dayOf }: Turns): Band[] {
  const bands: { chapter: null; when: string; from: number; to: number }[] = [];
  for (const [place, { id }] of events.entries()) {
    const when = dayOf.get(id) ?? "";
    const last = bands.at(-1);
    if (last?.when === when) last.to = place + 1;
    else bands.push({ chapter: null, when, from: place, to: place + 1 });
  }
  return bands;
}

/** Events as they happened, or as they come: those that the order does not know yet stay at the end. */
export function inOrder(events: readonly StoryEvent[], turns: Turns | undefined): StoryEvent[] {
  if (turns?.order !== "happened") return [...events];
  const place = new Map(turns.items.map(({ id }, at) => [id, at]));
  const at = ({ id }: StoryEvent) => place.get(id) ?? Number.POSITIVE_INFINITY;
  return events.toSorted((one, other) => (at(one) === at(other) ? 0 : at(one) - at(other)));
}

/** Somebody's way through the events. */
export interface Lane extends Party {
  /** The columns of the first and the last event. */
  readonly first: number;
  readonly last: number;
}

/** Those with the most events, in the order in which they enter the story. */
export function lanesOf(events: readonly StoryEvent[], most: number): Lane[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [column, { roles }] of events.entries()) {
    for (const role of roles) {
      const key = keyOf(role);
      if (!first.has(key)) first.set(key, column);
      last.set(key, column);
    }
  }
  return peopleIn(events)
    .slice(0, most)
    .map((party) => ({ ...party, first: first.get(party.key) ?? 0, last: last.get(party.key) ?? 0 }))
    .toSorted((one, other) => one.first - other.first || other.count - one.count);
}

/** The lanes that an event touches, from the topmost down. */
export const touched = (event: StoryEvent, laneOf: ReadonlyMap<string, number>): number[] =>
  [
    ...new Set(event.roles.map((role) => laneOf.get(keyOf(role))).filter((lane) => lane !== undefined)),
  ].toSorted((one, other) => one - other);

const NARROWEST = 24;
const WIDEST = 110;

/** How wide a column is: all events fit if they can. */
export const columnWidth = (room: number, count: number): number =>
  Math.max(NARROWEST, Math.min(WIDEST, Math.floor(room / Math.max(1, count))));

/** What the list shows, one under the other: chapters or times as headings, scenes, and events. */
export type Row =
  | { readonly kind: "chapter"; readonly band: Band }
  | { readonly kind: "scene"; readonly turn: StoryTurn }
  | { readonly kind: "event"; readonly event: StoryEvent; readonly column: number };

export const rowsOf = (events: readonly StoryEvent[], turns?: Turns): Row[] =>
  bandsOf(events, turns).flatMap((band): Row[] => [
    { kind: "chapter", band },
    ...events.slice(band.from, band.to).map(
      (event, place): Row => ({
        kind: "event",
        event,
        column: band.from + place,
      }),
    ),
  ]);

/** The same with the scenes among the events, each in its place. */
export function rowsWithScenes(events: readonly StoryEvent[], turns: Turns): Row[] {
  const rows: Row[] = [];
  const columns = new Map(events.map((event, column) => [event.id, { event, column }]));
  let last: string | undefined;
  for (const turn of turns.items) {
    const found = turn.kind === "event" ? columns.get(turn.id) : null;
    if (found === undefined) continue;
    const chapter = turn.moment?.chapter ?? null;
    const day = turns.dayOf.get(turn.id) ?? "";
    const heading = turns.order === "happened" ? day : String(chapter);
    if (heading !== last) {
      const when = turns.order === "happened" ? { when: day } : {};
      rows.push({ kind: "chapter", band: { chapter, ...when, from: rows.length, to: rows.length } });
    }
    last = heading;
    rows.push(found === null ? { kind: "scene", turn } : { kind: "event", ...found });
    columns.delete(turn.id);
  }
  // Written down a moment ago: the order does not know them yet.
  for (const found of columns.values()) rows.push({ kind: "event", ...found });
  return rows;
}
