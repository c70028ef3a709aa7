import { useEffect, useRef } from "react";
import type { ChapterInfo } from "../../client/rest";
import { type Move, withMove } from "./arranging";
import type { Place } from "./place";

/** Where a scene stands. */
export function placeOf(chapters: readonly ChapterInfo[], id: string): Place | null {
  for (const { chapter, scenes } of chapters)
    for (const scene of scenes) if (scene.id === id) return { chapter, scene: scene.scene };
  return null;
}

/** The chapters after all moves that were asked for: a key may be pressed again before the last move is drawn. */
export function useAhead(chapters: readonly ChapterInfo[]) {
  const known = useRef(chapters);
  const undrawn = useRef(0);
  useEffect(() => {
    undrawn.current = Math.max(0, undrawn.current - 1);
    if (undrawn.current === 0) known.current = chapters;
  }, [chapters]);
  return {
    chapters: () => known.current,
    take: (move: Move) => {
      undrawn.current += 1;
      known.current = withMove(move)([...known.current]);
    },
  };
}
