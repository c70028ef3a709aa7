import { useEffect, useRef } from "react";
import type { ChapterInfo } from "../../../client/rest";
import { idAt, placeOfScene } from "../../../story/manuscript/chapters";
import { addressOf, type Place } from "../../../story/manuscript/place";

interface Followed {
  readonly id: string;
  /** Where the page is, and then where it is on its way to: until it is there, it may be drawn at the old place. */
  readonly addresses: readonly string[];
}

/** The id of the scene that is open; when it is moved, here or elsewhere, its new place is opened. */
export function useFollowing(
  chapters: readonly ChapterInfo[],
  place: Place | null,
  onMoved: (to: Place) => void,
): string | undefined {
  const address = place ? addressOf(place) : "";
  const followed = useRef<Followed | null>(null);
  const there = place ? idAt(chapters, place) : undefined;
  const before = followed.current?.addresses.includes(address) ? followed.current : null;
  const newPlace = before && before.id !== there ? placeOfScene(chapters, before.id) : null;
  const id = newPlace && before ? before.id : there;
  useEffect(() => {
    const way =
      before && before.id === id ? before.addresses.slice(before.addresses.indexOf(address)) : [address];
    const isNews = newPlace !== null && way.at(-1) !== addressOf(newPlace);
    const addresses = isNews ? [...way, addressOf(newPlace)] : way;
    followed.current = id ? { id, addresses } : null;
    if (isNews) onMoved(newPlace);
  });
  return id;
}
