import type { StoryEvent } from "../../client/rest";
import { keyOf, type Party, peopleIn } from "./events";

/** The events of one chapter, side by side: from one column up to another. */
export interface Band {
  /** Null of events that have no moment. */
  readonly chapter: number | null;
  readonly from: number;
  readonly to: number;
}

export function bandsOf(events: readonly StoryEvent[]): Band[] {
  const bands: { chapter: number | null; from: number; to: number }[] = [];
  for (const [place, event] of events.entries()) {
    const chapter = event.moment?.chapter ?? null;
    const last = bands.at(-1);
    if (last && last.chapter === chapter) last.to = place + 1;
    else bands.push({ chapter, from: place, to: place + 1 });
  }
  return bands;
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

/** What the list shows, one under the other: chapters as headings, and their events. */
export type Row =
  | { readonly kind: "chapter"; readonly band: Band }
  | { readonly kind: "event"; readonly event: StoryEvent; readonly column: number };

export const rowsOf = (events: readonly StoryEvent[]): Row[] =>
  bandsOf(events).flatMap((band): Row[] => [
    { kind: "chapter", band },
    ...events.slice(band.from, band.to).map(
      (event, place): Row => ({
        kind: "event",
        event,
        column: band.from + place,
      }),
    ),
  ]);
