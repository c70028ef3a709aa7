import { useEffect } from "react";
import { readKept, writeKept } from "../kept";

const KEPT = 12;

export interface Visit {
  readonly to: string;
  readonly label: string;
}

const visitsKey = (storyId: string) => `visited:${storyId}`;
const isVisit = (one: unknown): one is Visit =>
  typeof one === "object" && one !== null && "to" in one && "label" in one;

/** Where one was in a story, in this browser: the newest first. */
export function visits(storyId: string): Visit[] {
  const kept = readKept(visitsKey(storyId));
  return Array.isArray(kept) ? kept.filter(isVisit) : [];
}

/** Remembers that one is at a place. */
export function useVisited(storyId: string, to: string, label: string): void {
  useEffect(() => {
    const others = visits(storyId).filter((one) => one.to !== to);
    writeKept(visitsKey(storyId), [{ to, label }, ...others].slice(0, KEPT));
  }, [storyId, to, label]);
}
