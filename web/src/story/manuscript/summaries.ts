import { queryOptions } from "@tanstack/react-query";
import { type ContextSnapshot, listSnapshots } from "../../client/rest";
import { storyKey } from "../../server/server";

const SIZE = 500;

/** The summaries of all scenes, by their places. */
export const summariesOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("summaries", storyId),
    queryFn: async ({ signal }) => {
      const found = new Map<string, ContextSnapshot>();
      for (let page = 1; ; page += 1) {
        const { data } = await listSnapshots({ path: { storyId }, query: { page, size: SIZE }, signal });
        for (const one of data.content) found.set(`${one.chapterIndex}.${one.sceneIndex}`, one);
        if (data.content.length < SIZE) return found;
      }
    },
  });
