import { useQuery } from "@tanstack/react-query";
import {
  type Extraction,
  extractEntities,
  findNewNames,
  listExtractions,
  type NewName,
  reviewExtraction,
  reviewExtractions,
} from "../../../client/rest";
import { ask } from "../../../server/channel";
import { storyKey } from "../../../server/server";
import { act } from "../../../story/act";
import type { Place } from "../../../story/manuscript/place";
import { useSettled } from "../../../story/useSettled";

const PAUSE_MS = 500;
const KEPT_MS = 10_000;
const AT_MOST = 1_000;
const NONE: readonly NewName[] = [];

/** The text that names are looked for in, and where it stands in the story. */
export interface NamedScene {
  readonly storyId: string;
  readonly place: Place;
  /** Counts up when somebody has paused. */
  readonly edition: number;
  read(): string;
}

/** The names in the open scene that nobody has, asked for when the writer pauses. */
export function useNewNames({ storyId, place, edition, read }: NamedScene): readonly NewName[] {
  const settled = useSettled(edition, PAUSE_MS);
  const { data } = useQuery({
    queryKey: storyKey("newNames", storyId, place, settled),
    queryFn: async ({ signal }) => {
      const text = read();
      if (text.trim() === "") return NONE;
      return (await findNewNames({ path: { storyId }, body: { text, ...place }, signal })).data.items;
    },
    placeholderData: (before) => before,
    gcTime: KEPT_MS,
  });
  return data ?? NONE;
}

/** Whom a name is taken for: as it was found, for one of another type, for somebody known, or for no name. */
export type Meant =
  | { readonly kind: "found" }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "known"; readonly id: string }
  | { readonly kind: "none" };

/** Says who has these names: as a review of what was found in the text, with the quotation it comes from. */
export function settleNames(
  { storyId, place, read }: NamedScene,
  names: readonly NewName[],
  meant: Meant,
  done: string,
): Promise<boolean> {
  return act(storyId, done, async () => {
    const [first] = names;
    if (meant.kind === "type" && first && meant.type !== first.type)
      return ask("knowledge:entity:create", {
        projectId: storyId,
        name: first.name,
        type: meant.type,
        aliases: first.aliases,
      });
    const ids = (await proposalsFor(storyId, place, read(), names)).map(({ id }) => id);
    if (meant.kind === "known")
      return reviewExtraction({
        path: { storyId, extractionId: ids[0] ?? "" },
        body: { action: "merged", mergeTargetEntityId: meant.id },
      });
    const action = meant.kind === "none" ? ("rejected" as const) : ("approved" as const);
    return reviewExtractions({ path: { storyId }, body: { action, ids } });
  });
}

async function proposalsFor(
  storyId: string,
  place: Place,
  text: string,
  names: readonly NewName[],
): Promise<Extraction[]> {
  await extractEntities({ path: { storyId }, body: { text, ...place, extractor: "local" } });
  const query = { reviewed: false, kind: "entity" as const, size: AT_MOST };
  const { data } = await listExtractions({ path: { storyId }, query });
  const meant = new Set(names.map(({ name }) => name));
  return data.content.filter(({ entityName }) => meant.delete(entityName));
}
