import type { InsertionPosition } from "../../client/rest";
import type { Fields } from "./draft";

/** The fields of a World Info entry that Fabula's own fields do not say. */
export interface WorldInfo {
  readonly position: number;
  readonly depth: number;
  readonly role: number;
  readonly outletName: string;
  readonly useProbability: boolean;
  readonly probability: number;
  readonly scanDepth: number | null;
  readonly sticky: number | null;
  readonly cooldown: number | null;
  readonly delay: number | null;
  readonly excludeRecursion: boolean;
  readonly preventRecursion: boolean;
  readonly delayUntilRecursion: number;
  readonly ignoreBudget: boolean;
  readonly vectorized: boolean;
  readonly group: string;
  readonly groupWeight: number;
  readonly groupOverride: boolean;
  readonly triggers: readonly string[];
  readonly characterFilter: CharacterFilter;
  readonly matchPersonaDescription: boolean;
  readonly matchCharacterDescription: boolean;
  readonly matchCharacterPersonality: boolean;
  readonly matchCharacterDepthPrompt: boolean;
  readonly matchScenario: boolean;
  readonly matchCreatorNotes: boolean;
}

interface CharacterFilter {
  readonly isExclude: boolean;
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

export const AT_DEPTH = 4;
export const IN_OUTLET = 7;
export const SOURCES = [
  "matchPersonaDescription",
  "matchCharacterDescription",
  "matchCharacterPersonality",
  "matchCharacterDepthPrompt",
  "matchScenario",
  "matchCreatorNotes",
] as const;
export const TRIGGERS = ["normal", "continue", "impersonate", "swipe", "regenerate", "quiet"] as const;

/** Where an entry stands in a scene, for each of its eight places in a chat. */
const IN_SCENE: readonly InsertionPosition[] = [
  "system_prompt",
  "system_prompt",
  "before_scene",
  "before_scene",
  "after_scene",
  "before_scene",
  "before_scene",
  "before_scene",
];

const KEPT = "sillytavern";
const AS_TEXT = "json";

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an object was kept as its JSON text, because it could not be stored as it is. */
const isText = (kept: Json): kept is { json: string } =>
  Object.keys(kept).length === 1 && typeof kept[AS_TEXT] === "string";

function keptOf(extensions: Json): Json | null {
  const kept = extensions[KEPT];
  if (!isRecord(kept)) return null;
  if (!isText(kept)) return kept;
  try {
    const read: unknown = JSON.parse(kept.json);
    return isRecord(read) ? read : null;
  } catch {
    return null;
  }
}

const numberOr = <T>(value: unknown, otherwise: T): number | T =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise;
const textOr = (value: unknown): string => (typeof value === "string" ? value : "");
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

/** What the entry's World Info object says; what it does not say is as in a new entry of SillyTavern. */
export function worldInfoOf({ extensions }: Pick<Fields, "extensions">): WorldInfo {
  const kept = keptOf(extensions) ?? {};
  const filter = isRecord(kept.characterFilter) ? kept.characterFilter : {};
  const place = numberOr(kept.position, 0);
  return {
    position: place in IN_SCENE ? place : 0,
    depth: numberOr(kept.depth, 4),
    role: numberOr(kept.role, 0),
    outletName: textOr(kept.outletName),
    useProbability: kept.useProbability !== false,
    probability: numberOr(kept.probability, 100),
    scanDepth: numberOr(kept.scanDepth, null),
    sticky: numberOr(kept.sticky, null),
    cooldown: numberOr(kept.cooldown, null),
    delay: numberOr(kept.delay, null),
    excludeRecursion: Boolean(kept.excludeRecursion),
    preventRecursion: Boolean(kept.preventRecursion),
    delayUntilRecursion: kept.delayUntilRecursion === true ? 1 : numberOr(kept.delayUntilRecursion, 0),
    ignoreBudget: Boolean(kept.ignoreBudget),
    vectorized: Boolean(kept.vectorized),
    group: textOr(kept.group),
    groupWeight: numberOr(kept.groupWeight, 100),
    groupOverride: Boolean(kept.groupOverride),
    triggers: textsOf(kept.triggers),
    characterFilter: {
      isExclude: Boolean(filter.isExclude),
      names: textsOf(filter.names),
      tags: textsOf(filter.tags),
    },
    ...(Object.fromEntries(SOURCES.map((source) => [source, Boolean(kept[source])])) as Record<
      (typeof SOURCES)[number],
      boolean
    >),
  };
}

/**
 * What to change in an entry so that its World Info object says this; everything else of it stays as it came.
 *
 * Without such an object its name is one of its keys; with one, its keys are its keywords only.
 */
export function withWorldInfo(fields: Fields, changed: Partial<WorldInfo>): Partial<Fields> {
  const { extensions, keywordsJson, entryKey } = fields;
  const kept = keptOf(extensions);
  const next = { ...kept, ...changed };
  const stored = extensions[KEPT];
  const isAsText = isRecord(stored) && isText(stored);
  const place = changed.position === undefined ? undefined : IN_SCENE[changed.position];
  const name = entryKey.trim();
  return {
    extensions: { ...extensions, [KEPT]: isAsText ? { [AS_TEXT]: JSON.stringify(next) } : next },
    ...(place === undefined ? {} : { insertionPosition: place }),
    ...(kept === null && name !== "" && !keywordsJson.includes(name)
      ? { keywordsJson: [name, ...keywordsJson] }
      : {}),
  };
}
