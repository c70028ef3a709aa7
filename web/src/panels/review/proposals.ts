import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import {
  type Extraction,
  listExtractions,
  listProposalUses,
  type ProposalKind,
  type ProposalUse,
} from "../../client/rest";
import { HIGH, LOW } from "../../design/Confidence";
import { queries, storyKey } from "../../server/server";

const AT_ONCE = 1_000;
const DECIDED = 200;

export const KINDS: readonly ProposalKind[] = ["entity", "alias", "relation", "event", "time"];
export const SHOWN = ["waiting", "decided", "stale"] as const;
export type Shown = (typeof SHOWN)[number];

/** Everything that waits for a decision: it is filtered and counted here, without asking again. */
export const waitingOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("waitingProposals", storyId),
    queryFn: async ({ signal }): Promise<Extraction[]> => {
      const found: Extraction[] = [];
      for (let page = 0; ; page += 1) {
        const { data } = await listExtractions({
          path: { storyId },
          query: { reviewed: false, page, size: AT_ONCE },
          signal,
        });
        found.push(...data.content);
        if (page + 1 >= data.totalPages) return found;
      }
    },
  });

/** How often the waiting names stand in the manuscript; a decision changes nothing of that. */
export const usesOptions = (storyId: string) =>
  queryOptions({
    queryKey: ["proposalUses", storyId],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ProposalUse>> => {
      const { data } = await listProposalUses({ path: { storyId }, signal });
      return new Map(data.items.map((use) => [use.id, use]));
    },
    staleTime: 60_000,
  });

/** What was decided lately. */
export const decidedOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("decidedProposals", storyId),
    queryFn: async ({ signal }): Promise<Extraction[]> => {
      const { data } = await listExtractions({
        path: { storyId },
        query: { reviewed: true, size: DECIDED },
        signal,
      });
      return data.content.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    },
  });

/** The queue with some proposals in it again, each where it stood; what else has happened since stays so. */
export function restored(
  known: readonly Extraction[],
  before: readonly Extraction[],
  ids: ReadonlySet<string>,
): Extraction[] {
  const stood = new Set(before.map(({ id }) => id));
  const here = new Set(known.map(({ id }) => id));
  return [
    ...known.filter(({ id }) => !stood.has(id)),
    ...before.filter(({ id }) => here.has(id) || ids.has(id)),
  ];
}

/** Takes proposals from the queue at once; the function that is given back puts them there again. */
export function hideProposals(storyId: string, ids: ReadonlySet<string>): () => void {
  const { queryKey } = waitingOptions(storyId);
  const before = queries.getQueryData(queryKey) ?? [];
  void queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, (known) => known?.filter(({ id }) => !ids.has(id)));
  return () => queries.setQueryData(queryKey, (known) => known && restored(known, before, ids));
}

/** Which proposals are looked at. */
export interface Filter {
  readonly kind: ProposalKind | "all";
  readonly type: string;
  readonly least: number;
  readonly q: string;
  readonly order: Order;
}

export const ORDERS = ["newest", "use", "confidence", "place"] as const;
export type Order = (typeof ORDERS)[number];

/** The proposals in another order; those that are equal in it stay as they were. */
export function ordered(
  proposals: readonly Extraction[],
  order: Order,
  uses: ReadonlyMap<string, ProposalUse>,
): Extraction[] {
  const times = ({ id }: Extraction) => uses.get(id)?.times ?? 0;
  const place = ({ chapter, scene }: Extraction) => [chapter ?? Infinity, scene ?? Infinity] as const;
  const compare: Record<Order, (one: Extraction, other: Extraction) => number> = {
    newest: () => 0,
    use: (one, other) => times(other) - times(one),
    confidence: (one, other) => other.confidence - one.confidence,
    place: (one, other) => {
      const [chapter, scene] = place(one);
      const [otherChapter, otherScene] = place(other);
      return chapter === otherChapter
        ? scene < otherScene
          ? -1
          : scene > otherScene
            ? 1
            : 0
        : chapter < otherChapter
          ? -1
          : 1;
    },
  };
  return proposals.toSorted(compare[order]);
}

export function wanted(proposals: readonly Extraction[], filter: Filter): Extraction[] {
  const q = filter.q.trim().toLowerCase();
  return proposals.filter(
    (one) =>
      (filter.kind === "all" || one.kind === filter.kind) &&
      (filter.type === "all" || one.entityType === filter.type) &&
      one.confidence >= filter.least &&
      (q === "" ||
        [one.entityName, ...one.aliases, one.sourceText].some((text) => text.toLowerCase().includes(q))),
  );
}

export const typesOf = (proposals: readonly Extraction[]): string[] =>
  [...new Set(proposals.map(({ entityType }) => entityType))].sort();

export const sureOnes = (proposals: readonly Extraction[]): Extraction[] =>
  proposals.filter(({ confidence }) => confidence >= HIGH);

export const doubtfulOnes = (proposals: readonly Extraction[]): Extraction[] =>
  proposals.filter(({ confidence }) => confidence < LOW);

/** The proposal to look at when those are gone: the next one that stays, else the one before. */
export function neighbourOf(
  proposals: readonly Extraction[],
  openId: string | null,
  gone: ReadonlySet<string>,
): string | null {
  const at = proposals.findIndex(({ id }) => id === openId);
  if (at < 0) return null;
  const stays = ({ id }: Extraction) => !gone.has(id);
  return (proposals.slice(at).find(stays) ?? proposals.slice(0, at).findLast(stays))?.id ?? null;
}

const MODEL = "model:";

/** Who found it: the local rules, a model by its name, or somebody by theirs. */
export function finderOf(extractor: string): { kind: "local" | "model" | "agent"; name: string } {
  if (extractor === "local") return { kind: "local", name: "" };
  if (extractor.startsWith(MODEL)) return { kind: "model", name: extractor.slice(MODEL.length) };
  return { kind: "agent", name: extractor };
}

/** The other end of a relation, or whom another name belongs to. */
export function otherOf({ kind, attributesJson, sameAs }: Extraction): string | null {
  const name = kind === "relation" ? attributesJson.target : kind === "alias" ? attributesJson.aliasOf : null;
  return typeof name === "string" ? name : sameAs;
}

/** What the local rules tell the reviewer only, shown in words elsewhere. */
const FOR_REVIEW = ["times", "firstChapter", "lastChapter", "joins"];

const SHOWN_IN_WORDS: Partial<Record<ProposalKind, readonly string[]>> = {
  relation: ["target", "type"],
  alias: ["aliasOf"],
  time: ["sceneId", "days"],
};

/** How many days after the scene before a proposed world time lies. */
export const daysLaterOf = ({ attributesJson }: Extraction): number => Number(attributesJson.days ?? 0);

/** What a proposal says beside its name, without what is shown elsewhere. */
export function factsOf({ kind, attributesJson, extractor }: Extraction): [string, unknown][] {
  const shown = SHOWN_IN_WORDS[kind] ?? [];
  const told = extractor === "local" ? [...shown, ...FOR_REVIEW] : shown;
  return Object.entries(attributesJson).filter(([key]) => !told.includes(key));
}

const zJoins = z.array(
  z.object({
    name: z.string(),
    other: z.string(),
    reason: z.string(),
    quotation: z.string().default(""),
    chapter: z.number().nullish(),
  }),
);
export type Join = z.infer<typeof zJoins>[number];

/** Why names are taken for one person's, as the local rules found. */
export const joinsOf = ({ attributesJson, extractor }: Extraction): Join[] =>
  extractor === "local" ? zJoins.catch([]).parse(attributesJson.joins) : [];

/** What waits and is like a proposal: of its kind and type, and no surer. */
export const likeIt = (
  all: readonly Extraction[],
  { kind, entityType, confidence }: Extraction,
): Extraction[] =>
  all.filter(
    (one) =>
      !one.reviewed && one.kind === kind && one.entityType === entityType && one.confidence <= confidence,
  );
