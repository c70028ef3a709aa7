import { queryOptions } from "@tanstack/react-query";
import { listEvents, type StoryEvent } from "../../client/rest";
import { storyKey } from "../../server/server";
import type { Pov } from "../../story/pov/pov";

const AT_ONCE = 1_000;

/** All events in the order of the story: they are filtered and drawn here, without asking again. */
export const eventsOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("allEvents", storyId),
    queryFn: async ({ signal }): Promise<StoryEvent[]> => {
      const page = async (number: number) => {
        const { data } = await listEvents({
          path: { storyId },
          query: { page: number, size: AT_ONCE },
          signal,
        });
        return data;
      };
      const first = await page(0);
      const found = [...first.content];
      for (let number = 1; number < first.totalPages; number += 1)
        found.push(...(await page(number)).content);
      return found;
    },
  });

/** Somebody who takes part, or a place: by id, or by a name that waits for somebody. */
export interface Party {
  readonly key: string;
  readonly id: string | null;
  readonly name: string;
  readonly count: number;
}

interface Named {
  readonly entityId: string | null;
  readonly name: string;
}

export const keyOf = ({ entityId, name }: Named): string => entityId ?? `name:${name}`;

/** Everybody whom a function finds in the events, those with the most events first. */
function parties(events: readonly StoryEvent[], of: (event: StoryEvent) => readonly Named[]): Party[] {
  const found = new Map<string, { key: string; id: string | null; name: string; count: number }>();
  for (const event of events) {
    for (const one of new Map(of(event).map((named) => [keyOf(named), named])).values()) {
      const key = keyOf(one);
      const known = found.get(key);
      if (known) known.count += 1;
      else found.set(key, { key, id: one.entityId, name: one.name, count: 1 });
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}

export const peopleIn = (events: readonly StoryEvent[]): Party[] => parties(events, ({ roles }) => roles);
export const placesIn = (events: readonly StoryEvent[]): Party[] =>
  parties(events, ({ locations }) => locations);

/** Whether whoever sees it does not know that it happened. */
export const isUnknownTo = ({ id, secrecy }: StoryEvent, pov: Pov): boolean =>
  pov.id !== null && secrecy === "private" && !pov.known.has(id);

/** Which events are looked at. */
export interface Filter {
  readonly person: string | null;
  readonly place: string | null;
  /** Only what belongs to the outline. */
  readonly outline: boolean;
  readonly q: string;
}

export function wanted(events: readonly StoryEvent[], filter: Filter): StoryEvent[] {
  const q = filter.q.trim().toLowerCase();
  return events.filter(
    (event) =>
      (filter.person === null || event.roles.some((role) => keyOf(role) === filter.person)) &&
      (filter.place === null || event.locations.some((place) => keyOf(place) === filter.place)) &&
      (!filter.outline || event.level === 1) &&
      (q === "" ||
        [event.name, event.summary, event.event, event.timeAnchor, event.causality].some((text) =>
          text.toLowerCase().includes(q),
        )),
  );
}
