import { queries, refreshStory, storyOf } from "./server";

/** What changed in a story up to a revision: kinds of rows and their ids, null for everything of these kinds. */
export interface Change {
  readonly revision: number;
  readonly kinds: readonly string[];
  readonly ids: readonly string[] | null;
}

const TOLD = ["scene", "chapter", "snapshot", "proposal"];
const WORLD = [
  "entity",
  "state",
  "relation",
  "relation_type",
  "pending_relation",
  "event",
  "event_role",
  "entry",
  "ontology",
];
const without = (kinds: readonly string[], ...kept: readonly string[]) =>
  kinds.filter((kind) => !kept.includes(kind));

/** The kinds of rows that questions do not depend on; every other kind, and every other question, is asked again. */
const UNCONCERNED: Readonly<Record<string, readonly string[]>> = {
  mentions: [...TOLD, ...without(WORLD, "entity", "entry")],
  readScene: ["story", ...WORLD, ...without(TOLD, "scene")],
  listChapters: ["story", ...WORLD, ...without(TOLD, "scene", "chapter")],
  // What is saved is checked by a job a while later; its end is what asks for the findings again.
  newestChecks: TOLD,
  // Asked anew for each version of its scene.
  sceneChecks: TOLD,
  waitingProposals: without(TOLD, "proposal"),
  decidedProposals: without(TOLD, "proposal"),
  ...Object.fromEntries(
    [
      "wholeLorebook",
      "readEntry",
      "readEntryOfKey",
      "listCovers",
      "picture",
      "node",
      "entity",
      "named",
      "relationsOf",
      "statesOf",
      "relationTypes",
      "readOntology",
      "allEvents",
      "listEvents",
      "readEvent",
    ].map((id) => [id, TOLD]),
  ),
};

const shown = new Map<number, string>();

/** Notes that the page itself saved a scene as this revision, and shows it already. */
export function noteShown(revision: number | null, sceneId: string): void {
  if (revision !== null) shown.set(revision, sceneId);
}

interface Query {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data: unknown };
}

/** Whether a question may have another answer after a change. */
export function isConcerned({ queryKey, state }: Query, { revision, kinds, ids }: Change): boolean {
  const [head] = queryKey as readonly [{ _id?: string } | undefined];
  const id = head?._id ?? "";
  const unconcerned = UNCONCERNED[id] ?? [];
  if (kinds.every((kind) => unconcerned.includes(kind))) return false;
  if (id !== "readScene" || state.data === undefined || state.data === null) return true;
  const { id: sceneId } = state.data as { id: string };
  return shown.get(revision) !== sceneId && (ids === null || ids.includes(sceneId));
}

/** What a change of a story concerns is asked again; everything if it is not known what changed. */
export function refreshChanged(storyId: string, change: Change | null): Promise<void> {
  if (change === null) return refreshStory(storyId);
  return queries.invalidateQueries({
    predicate: (query) => storyOf(query.queryKey) === storyId && isConcerned(query, change),
  });
}
