import { z } from "zod";
import { readKept, writeKept } from "../../../store";
import { addressOf, type Place } from "../place";

/** A scene as it was left in this browser, and the version it began with. */
export interface KeptDraft {
  readonly base: string;
  readonly version: number;
  readonly text: string;
}

const zDraft = z.object({ base: z.string(), version: z.number().int(), text: z.string() });
const nameOf = (storyId: string, place: Place) => `scene:${storyId}:${addressOf(place)}`;

export function keptDraft(storyId: string, place: Place): KeptDraft | null {
  const kept = zDraft.safeParse(readKept(nameOf(storyId, place)));
  return kept.success && kept.data.text !== kept.data.base ? kept.data : null;
}

/** Keeps a draft, or forgets it; says whether there was room. */
export const keepDraft = (storyId: string, place: Place, draft: KeptDraft | null): boolean =>
  writeKept(nameOf(storyId, place), draft ?? undefined);
