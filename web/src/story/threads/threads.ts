import { queryOptions } from "@tanstack/react-query";
import type { KnowledgeQueryByIdsResponse } from "../../client/knowledge";
import type { PlacedPoint, StoryThread, ThreadKind, ThreadStatus } from "../../client/rest";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";

export const ROLES = ["plants", "advances", "payoffs"] as const;
export type Role = (typeof ROLES)[number];

export const KINDS: readonly ThreadKind[] = ["mystery", "promise", "clue", "goal", "debt", "prop"];

/** The most pressing first. */
export const STATUSES: readonly ThreadStatus[] = [
  "overdue",
  "due",
  "paid_in_part",
  "open",
  "planned",
  "paid",
  "dropped",
];

/** What is still owed to the reader. */
export const UNSETTLED: readonly ThreadStatus[] = ["overdue", "due", "paid_in_part", "open"];

/** Where a thread is planted, advanced and paid off, in the order of the telling. */
export const pointsOf = (thread: StoryThread): { role: Role; point: PlacedPoint }[] =>
  ROLES.flatMap((role) => thread[role].map((point) => ({ role, point }))).toSorted(
    (one, other) =>
      one.point.chapter - other.point.chapter ||
      one.point.scene - other.point.scene ||
      (one.point.start ?? 0) - (other.point.start ?? 0),
  );

/** The names of entities by their ids. */
export const namesOptions = (storyId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: storyKey("named", storyId, "threads", ids),
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const wanted = { projectId: storyId, entityIds: ids };
      const { items } = await ask<KnowledgeQueryByIdsResponse>("knowledge:query:byids", wanted, signal);
      return new Map(items.map(({ id, name }) => [id, name]));
    },
  });
