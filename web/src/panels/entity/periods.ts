import type { Moment } from "../../client/rest";
import type { Places } from "../../story/places";
import type { Said } from "../../texts/language";
import type { texts } from "./texts";

interface Period {
  readonly since?: Moment | null | undefined;
  readonly until?: Moment | null | undefined;
}

/** From when to when, in words; empty where it is always so. */
export function periodText({ since, until }: Period, places: Places, t: Said<typeof texts>): string {
  if (since && until) {
    const [from, to] = [places.momentName(since), places.momentName(until)];
    return from === to ? from : t.between(from, to);
  }
  if (since) return t.from(places.momentName(since));
  return until ? t.upTo(places.momentName(until)) : "";
}
