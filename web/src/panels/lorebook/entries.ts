import { queryOptions } from "@tanstack/react-query";
import type { LorebookEntry } from "../../client/rest";
import { listEntries } from "../../client/rest";
import { queries, storyKey } from "../../server/server";

const AT_ONCE = 1_000;

/** The whole lorebook: it is searched, sorted and counted here, without asking again. */
export const entriesOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("wholeLorebook", storyId),
    queryFn: async ({ signal }): Promise<LorebookEntry[]> => {
      const page = async (number: number) => {
        const { data } = await listEntries({
          path: { storyId },
          query: { page: number, size: AT_ONCE },
          signal,
        });
        return data;
      };
      const first = await page(0);
      const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, place) => page(place + 1));
      const pages = [first, ...(await Promise.all(others))];
      return pages.flatMap(({ content }) => content);
    },
  });

/** Shows a change at once; the function that is given back takes it from the page again. */
export function showEntries(
  storyId: string,
  change: (entries: LorebookEntry[]) => LorebookEntry[],
): () => void {
  const { queryKey } = entriesOptions(storyId);
  const before = queries.getQueryData(queryKey);
  queries.setQueryData(queryKey, (entries) => entries && change(entries));
  return () => queries.setQueryData(queryKey, before);
}

export const withEntry =
  (entry: LorebookEntry) =>
  (entries: LorebookEntry[]): LorebookEntry[] =>
    entries.some(({ id }) => id === entry.id)
      ? entries.map((known) => (known.id === entry.id ? entry : known))
      : [entry, ...entries];
