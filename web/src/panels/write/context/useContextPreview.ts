import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type AssembleContextRequest, assemble } from "../../../client/rest";
import { storyKey } from "../../../server/server";
import type { Place } from "../../../story/manuscript/place";
import { isNoPov } from "../../../story/pov/pov";

interface Wish {
  storyId: string;
  place: Place;
  /** Goes up whenever the writer pauses: the text itself would be too long for a key. */
  edition: number;
  budget: number;
  pins: readonly string[];
  /** Who sees it; null for the author. */
  pov: string | null;
  /** How many of the pieces that were left out are named; all where it is null. */
  leftOutLimit: number | null;
  read(): string;
}

/** How much longer than an answer took one waits before the next question. */
const BREATH = 1.5;
const LONGEST_BREATH_MS = 5_000;

export async function askContext(storyId: string, body: AssembleContextRequest, signal?: AbortSignal) {
  const { data } = await assemble({
    path: { storyId },
    body,
    ...(signal && { signal }),
    // In a large story the answer has hundreds of pieces, and it is asked while somebody types.
    responseValidator: async () => {},
  });
  return data;
}

/** The context as somebody sees it; as the author does where they are not part of the story then. */
export async function askSeen(storyId: string, wish: AssembleContextRequest, signal?: AbortSignal) {
  try {
    return { context: await askContext(storyId, wish, signal), isAbsent: false };
  } catch (error) {
    if (!wish.pov || !isNoPov(error)) throw error;
    return { context: await askContext(storyId, { ...wish, pov: null }, signal), isAbsent: true };
  }
}

/** The context of a scene as it is being written: never two questions at once, and rarer where they are costly. */
export function useContextPreview({ storyId, place, edition, budget, pins, pov, leftOutLimit, read }: Wish) {
  const [asked, setAsked] = useState(edition);
  const took = useRef(0);
  const answer = useQuery({
    queryKey: storyKey(
      "write-context",
      storyId,
      place.chapter,
      place.scene,
      budget,
      pins,
      pov,
      leftOutLimit,
      asked,
    ),
    queryFn: async ({ signal }) => {
      const begun = performance.now();
      const wish = { ...place, text: read(), tokenBudget: budget, pinned: [...pins] };
      const told = await askSeen(storyId, { ...wish, pov, leftOutLimit, withMessages: false }, signal);
      took.current = performance.now() - begun;
      return told;
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
    gcTime: 10_000,
  });
  const { isFetching } = answer;
  useEffect(() => {
    if (isFetching || asked === edition) return;
    const breath = asked === 0 ? 0 : Math.min(LONGEST_BREATH_MS, took.current * BREATH);
    const timer = setTimeout(() => setAsked(edition), breath);
    return () => clearTimeout(timer);
  }, [isFetching, asked, edition]);
  return answer;
}
