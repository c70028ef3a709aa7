import {
  createEvent,
  type EventChange,
  type SceneTime,
  type StoryEvent,
  updateEvent,
} from "../../client/rest";
import { zStoryEvent } from "../../client/rest/zod.gen";
import { revisionOf, written } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import type { GivenTime } from "../../story/worldTime/WorldTimeDialog";

const FIELDS = {
  name: true,
  summary: true,
  timeAnchor: true,
  moment: true,
  roles: true,
  locations: true,
  causality: true,
  logic: true,
  level: true,
  significance: true,
  aiContextLevel: true,
  secrecy: true,
} as const;

/** What one can write of an event. */
export type Fields = Pick<StoryEvent, keyof typeof FIELDS>;

export const NAMES = Object.keys(FIELDS) as (keyof Fields)[];

export const BLANK: Fields = {
  name: "",
  summary: "",
  timeAnchor: "",
  moment: null,
  roles: [],
  locations: [],
  causality: "",
  logic: [],
  level: 1,
  significance: 0.5,
  aiContextLevel: "when_detected",
  secrecy: "public",
};

export const fieldsOf = (event: StoryEvent): Fields =>
  Object.fromEntries(NAMES.map((name) => [name, event[name]])) as unknown as Fields;

const zFields = zStoryEvent.pick(FIELDS);

export function readFields(kept: unknown): Fields | null {
  const found = zFields.safeParse(kept);
  return found.success ? (found.data as Fields) : null;
}

export function readEvent(snapshot: unknown): StoryEvent | null {
  const found = zStoryEvent.safeParse(snapshot);
  return found.success ? (found.data as StoryEvent) : null;
}

type Party = { readonly entityId: string | null; readonly name: string };

/** Those of these names: whoever was there stays who they are, the others are waited for by name. */
export const named = <P extends Party>(
  names: readonly string[],
  known: readonly P[],
  blank: Omit<P, keyof Party>,
) =>
  names.flatMap((name) => {
    const found = known.filter((one) => one.name === name);
    return found.length > 0 ? found : [{ ...blank, entityId: null, name } as unknown as P];
  });

// Somebody who is known goes by their id: a name may have several bearers.
const meant = ({ entityId, name }: Party) => (entityId === null ? { name } : { entityId });

/** The fields as the server takes them. */
const sent = (fields: Fields, wanted: readonly (keyof Fields)[]): EventChange => ({
  ...Object.fromEntries(wanted.map((name) => [name, fields[name]])),
  ...(wanted.includes("name") && { name: fields.name.trim() }),
  ...(wanted.includes("roles") && {
    roles: fields.roles.map((role) => ({ ...meant(role), role: role.role })),
  }),
  ...(wanted.includes("logic") && { logic: fields.logic.map((sign) => sign.trim()).filter(Boolean) }),
  ...(wanted.includes("locations") && { locations: fields.locations.map(meant) }),
});

/** Writes an event down, or what was changed of one that is there. */
export async function sendEvent(
  storyId: string,
  eventId: string | null,
  fields: Fields,
  changed: readonly (keyof Fields)[],
  version: number | null,
): Promise<StoryEvent> {
  if (eventId === null) {
    // Without a name it is called by its summary.
    const names = fields.name.trim() === "" ? NAMES.filter((name) => name !== "name") : NAMES;
    return written(await createEvent({ path: { storyId }, body: sent(fields, names) }));
  }
  const body = { ...sent(fields, changed), expectedVersion: version };
  return written(await updateEvent({ path: { storyId, eventId }, body }));
}

/** Says when an event happens in the story's own time; a refusal is thrown for whoever asked. */
export async function saveEventTime(
  storyId: string,
  eventId: string,
  given: GivenTime,
  done: string,
): Promise<SceneTime | null> {
  const worldTime =
    typeof given === "object" && given !== null && "day" in given
      ? { day: given.day, label: given.label ?? "" }
      : given;
  const answer = await updateEvent({ path: { storyId, eventId }, body: { worldTime } });
  await refreshStory(storyId);
  tellDone(storyId, done, revisionOf(answer));
  return answer.data.worldTime;
}
