import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { readStory, updateStory } from "../../client/rest";
import { listCoversOptions } from "../../client/rest/@tanstack/react-query.gen";
import { act } from "../../story/act";
import { useTexts } from "../../texts/language";
import { type Pair, pairKey, pairsOf, settingsWith } from "./covers";
import { texts } from "./texts";

/** The open names that contain a hidden one, and how the author says which may be told. */
export function useCovers(storyId: string) {
  const t = useTexts(texts);
  const answer = useQuery(listCoversOptions({ path: { storyId } }));
  const pairs = useMemo(() => (answer.data ? pairsOf(answer.data.items) : null), [answer.data]);
  /** What was wanted and is not known to be done yet. */
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map());
  const last = useRef<Promise<void>>(Promise.resolve());
  const write = async (pair: Pair, isConfirmed: boolean) => {
    const done = isConfirmed ? t.mayTell(pair.name) : t.mayNotTell(pair.name);
    await act(storyId, done, async () => {
      // Settings are replaced as a whole: somebody else may have changed another in the meantime.
      const { data } = await readStory({ path: { storyId } });
      const settings = settingsWith(data.settings, pair, isConfirmed);
      return await updateStory({ path: { storyId }, body: { settings } });
    });
    setWanted((now) => {
      if (now.get(pairKey(pair)) !== isConfirmed) return now;
      return new Map([...now].filter(([key]) => key !== pairKey(pair)));
    });
  };
  return {
    pairs,
    error: answer.error,
    retry: () => void answer.refetch(),
    isTold: (pair: Pair) => pair.isAuthors || (wanted.get(pairKey(pair)) ?? pair.isConfirmed),
    /** One after the other, so that none writes over another. */
    confirm: (pair: Pair, isConfirmed: boolean) => {
      setWanted((now) => new Map(now).set(pairKey(pair), isConfirmed));
      last.current = last.current.then(() => write(pair, isConfirmed));
    },
  };
}
