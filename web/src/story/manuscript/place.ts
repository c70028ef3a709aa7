/** Where a scene stands in the manuscript; both count from 0. */
export interface Place {
  readonly chapter: number;
  readonly scene: number;
}

export const addressOf = ({ chapter, scene }: Place): string => `${chapter}.${scene}`;

export function placeOf(address: string | null): Place | null {
  const found = /^(\d{1,6})\.(\d{1,6})$/.exec(address ?? "");
  return found ? { chapter: Number(found[1]), scene: Number(found[2]) } : null;
}

export const isSamePlace = (one: Place | null, other: Place | null): boolean =>
  one?.chapter === other?.chapter && one?.scene === other?.scene;
