import { z } from "zod";
import { readKept, writeKept } from "../../../kept";

/** A scene as it was left in this browser, and the version it began with. */
export interface KeptDraft {
  readonly base: string;
  readonly version: number;
  readonly text: string;
}

const zDraft = z.object({ base: z.string(), version: z.number().int(), text: z.string() });
const nameOf = (storyId: string, sceneId: string) => `scene:${storyId}:${sceneId}`;

export function keptDraft(storyId: string, sceneId: string): KeptDraft | null {
  const kept = zDraft.safeParse(readKept(nameOf(storyId, sceneId)));
  return kept.success && kept.data.text !== kept.data.base ? kept.data : null;
}

/** Keeps a draft, or forgets it; says whether there was room. */
export const keepDraft = (storyId: string, sceneId: string, draft: KeptDraft | null): boolean =>
  writeKept(nameOf(storyId, sceneId), draft ?? undefined);
