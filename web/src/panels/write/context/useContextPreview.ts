import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { assemble } from "../../../client/rest";
import { storyKey } from "../../../server/server";
import type { Place } from "../place";

interface Wish {
  storyId: string;
  place: Place;
  /** Goes up whenever the writer pauses: the text itself would be too long for a key. */
  edition: number;
  budget: number;
  pins: readonly string[];
  read(): string;
}

/** The context of a scene as it is being written. */
export function useContextPreview({ storyId, place, edition, budget, pins, read }: Wish) {
  return useQuery({
    queryKey: storyKey("write-context", storyId, place.chapter, place.scene, budget, pins, edition),
    queryFn: async ({ signal }) => {
      const { data } = await assemble({
        path: { storyId },
        body: { ...place, text: read(), tokenBudget: budget, pinned: [...pins] },
        signal,
      });
      return data;
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
}
