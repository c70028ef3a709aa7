import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { estimate, type LorebookEntry } from "../../client/rest";
import { useSettled } from "../../story/useSettled";
import type { Fields } from "./draft";

const PAUSE_MS = 250;

/** The tokens of an entry as it is being written, counted by the server whenever the writer pauses. */
export function useEstimate(storyId: string, fields: Fields, entry: LorebookEntry | null) {
  const { content, category, attributes } = fields;
  const written = useMemo(() => ({ content, category, attributes }), [content, category, attributes]);
  const counted = useSettled(written, PAUSE_MS);
  const isSaved =
    entry !== null && entry.content === counted.content && entry.attributes === counted.attributes;
  const answer = useQuery({
    queryKey: ["estimate", storyId, counted],
    queryFn: async ({ signal }) => {
      const { data } = await estimate({ path: { storyId }, body: counted, signal });
      return data.estimatedTokens;
    },
    enabled: !isSaved,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  return {
    tokens: isSaved ? entry.estimatedTokens : (answer.data ?? entry?.estimatedTokens ?? 0),
    isPending: answer.isFetching || content !== counted.content,
  };
}
