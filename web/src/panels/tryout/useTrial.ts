import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import {
  type CaseBook,
  exportEntries,
  type LorebookCase,
  type StoryLorebook,
  type TriedScan,
  tryLorebook,
} from "../../client/rest";
import { storyKey } from "../../server/server";
import type { TriedBook } from "./trial";

/** The books with their entries as World Info, null until all are there. */
export function useWorldInfo(storyId: string, books: readonly StoryLorebook[]) {
  const asked = useQueries({
    queries: books.map(({ id }) => ({
      queryKey: storyKey("worldInfo", storyId, id),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<CaseBook> => {
        const { data } = await exportEntries({
          path: { storyId },
          query: { bookId: id, format: "sillytavern" },
          signal,
          parseAs: "json",
          responseValidator: async () => {},
        });
        return data as unknown as CaseBook;
      },
    })),
  });
  const tried: TriedBook[] = [];
  for (const [place, book] of books.entries()) {
    const worldInfo = asked[place]?.data;
    if (worldInfo) tried.push({ book, worldInfo });
  }
  const failed = asked.find(({ error }) => error);
  return {
    books: tried.length === books.length ? tried : null,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}

/** What fires in a case; the answer to the case before is shown until the next one is there. */
export function useTrial(storyId: string, wanted: LorebookCase | null) {
  return useQuery({
    queryKey: storyKey("tryLorebook", storyId, wanted),
    queryFn: async ({ signal }) => {
      const { data } = await tryLorebook({ body: wanted ?? {}, signal });
      return data as TriedScan;
    },
    enabled: wanted !== null,
    placeholderData: wanted === null ? undefined : keepPreviousData,
    gcTime: 60_000,
  });
}
