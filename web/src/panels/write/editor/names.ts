import { queryOptions } from "@tanstack/react-query";
import { listNames, type Vocabulary } from "../../../client/rest";
import { storyKey } from "../../../server/server";
import { type Lexicon, lexiconOf } from "./lexicon";

const last = new Map<string, { text: string; lexicon: Lexicon }>();

/** All words of a story, compiled; where the answer is what it was, so is the lexicon. */
export const namesOptions = (storyId: string) =>
  queryOptions({
    queryKey: storyKey("names", storyId),
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      // Compared as text and not looked through: it is asked after every change of an entity or entry, and may be a megabyte.
      const { data } = await listNames({ path: { storyId }, signal, parseAs: "text" });
      const text = String(data);
      const known = last.get(storyId);
      if (known?.text === text) return known.lexicon;
      const lexicon = lexiconOf((JSON.parse(text) as Vocabulary).items);
      last.clear();
      last.set(storyId, { text, lexicon });
      return lexicon;
    },
  });
