import { PART_OF, PARTS } from "../../../client/context";
import type { AssembledContext, LoreFragment, TraceItem } from "../../../client/rest";

export type SectionKind = keyof typeof PARTS;
const SECTIONS = Object.keys(PARTS) as SectionKind[];

/** A piece of a context, or one that was left out, with what is told of it. */
export interface Piece {
  readonly trace: TraceItem;
  readonly type: string | null;
  readonly text: string;
  /** Its entity, where the trace speaks of the entry. */
  readonly entityId: string | null;
}

export interface Section {
  readonly kind: SectionKind;
  readonly pieces: readonly Piece[];
  readonly tokens: number;
}

/** What is in, in the order in which a model reads it. */
export function sectionsOf(context: AssembledContext): Section[] {
  const entries = entriesOf(context);
  const pieces = context.trace
    .filter(({ included }) => included)
    .map((trace) => pieceOf(trace, context, entries));
  return SECTIONS.map((kind) => {
    const own = pieces.filter(({ trace }) => sectionOf(trace) === kind);
    const tokens = own.reduce((sum, { trace }) => sum + (trace.tokens ?? 0), 0);
    return { kind, pieces: own, tokens };
  }).filter((section) => section.pieces.length > 0);
}

/** Who of those that the text names is told of, each once. */
export function namedIn(sections: readonly Section[]): Piece[] {
  const found = new Map<string, Piece>();
  for (const { pieces } of sections)
    for (const piece of pieces) {
      const { entityId, type, trace } = piece;
      const isNamed = trace.kind === "character" || trace.reason === "detected";
      if (entityId && type === "character" && isNamed && !found.has(entityId)) found.set(entityId, piece);
    }
  return [...found.values()];
}

/** What was thought of and left out; what only missed room comes first, what missed least first of all. */
export function leftOutOf(context: AssembledContext): Piece[] {
  const missing = ({ trace }: Piece) =>
    trace.reason === "budget" ? (trace.missingTokens ?? 0) : Number.POSITIVE_INFINITY;
  return context.trace
    .filter(({ included }) => !included)
    .map((trace) => pieceOf(trace, context, new Map()))
    .sort((one, other) => {
      const [a, b] = [missing(one), missing(other)];
      return a === b ? 0 : a - b;
    });
}

type Entries = ReadonlyMap<string, LoreFragment>;

const entriesOf = (context: AssembledContext): Entries =>
  new Map(
    [...context.systemPromptEntries, ...context.beforeSceneEntries, ...context.afterSceneEntries].map(
      (entry) => [entry.id, entry],
    ),
  );

function sectionOf({ kind, position }: TraceItem): SectionKind {
  return kind === "entry" ? (position ?? "before_scene") : PART_OF[kind];
}

function pieceOf(trace: TraceItem, context: AssembledContext, entries: Entries): Piece {
  const bare: Piece = { trace, type: null, text: "", entityId: null };
  if (trace.kind === "entry") {
    const entry = entries.get(trace.id);
    return entry
      ? { trace, type: entry.category, text: entry.content, entityId: entry.entityId ?? null }
      : bare;
  }
  if (trace.kind === "snapshot") {
    const told = context.recentSnapshots[placesOf(context).indexOf(trace.label)];
    return { ...bare, text: told?.replace(PLACE_BEFORE, "") ?? "" };
  }
  if (trace.kind === "character") {
    const told = context.activeCharacters.find(({ name }) => name === trace.label);
    const state = [told?.currentState, told?.emotionalState].filter(Boolean).join("; ");
    return { ...bare, type: "character", text: state, entityId: trace.id };
  }
  if (trace.kind === "relation") return bare;
  const told = context.recollections.find(({ kind, id }) => kind === trace.kind && id === trace.id);
  return { ...bare, type: trace.kind === "event" ? "event" : null, text: told?.text ?? "" };
}

/** A model is told the place before the summary; beside the label it would be told twice. */
const PLACE_BEFORE = /^(?:【[^】]*】|\[[^\]]*\] )/;

/** The places of the summaries that are told, in their order: the newest first. */
const placesOf = (context: AssembledContext): string[] =>
  context.trace
    .filter(({ kind, included }) => kind === "snapshot" && included)
    .map(({ label }) => label)
    .sort((one, other) => orderOf(other) - orderOf(one));

const SCENES = 2 ** 21;

function orderOf(place: string): number {
  const [chapter = 0, scene = 0] = place.split(".").map(Number);
  return chapter * SCENES + scene;
}

/** The messages one after the other, as a person would paste them elsewhere. */
export const promptText = ({ messages }: Pick<AssembledContext, "messages">): string =>
  messages.map(({ content }) => content).join("\n\n");

/** The terms of a text that called a piece, each once. */
export const calledBy = ({ matches = [] }: TraceItem): string[] => [
  ...new Set(matches.filter(({ kind }) => kind !== "word").map(({ term }) => term)),
];
