// @vitest-environment jsdom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ChapterInfo } from "../../../client/rest";
import { addressOf, type Place } from "../../../story/manuscript/place";
import { useFollowing } from "./useFollowing";

afterEach(cleanup);

const chapterOf = (...ids: string[]): ChapterInfo[] => [
  {
    chapter: 0,
    title: "",
    wordCount: 0,
    scenes: ids.map((id, scene) => ({
      id,
      scene,
      title: id,
      wordCount: 0,
      version: 1,
      updatedAt: "",
      worldTime: null,
      pov: null,
      wordGoal: null,
      hasNotes: false,
      opening: "",
    })),
  },
];

/** A page that is shown the list and the address separately, as they arrive. */
function page(...ids: string[]) {
  const sent: string[] = [];
  let props = { chapters: chapterOf(...ids), place: { chapter: 0, scene: 0 } as Place };
  const drawn = renderHook(
    ({ chapters, place }) => useFollowing(chapters, place, (to) => sent.push(addressOf(to))),
    { initialProps: props },
  );
  const draw = (changed: Partial<typeof props>) => {
    props = { ...props, ...changed };
    drawn.rerender(props);
    return drawn.result.current;
  };
  return {
    sent,
    list: (...now: string[]) => draw({ chapters: chapterOf(...now) }),
    arrive: (scene: number) => draw({ place: { chapter: 0, scene } }),
    again: () => draw({}),
  };
}

describe("an open scene that is moved", () => {
  it("stays on the desk while the address is on its way", () => {
    const { list, again, arrive, sent } = page("one", "two");
    expect(list("two", "one")).toBe("one");
    expect(again()).toBe("one");
    expect(again()).toBe("one");
    expect(arrive(1)).toBe("one");
    expect(sent).toEqual(["0.1"]);
  });

  it("is followed on when it is moved again meanwhile", () => {
    const { list, arrive, sent } = page("one", "two", "three");
    list("two", "one", "three");
    expect(list("two", "three", "one")).toBe("one");
    expect(arrive(1)).toBe("one");
    expect(arrive(2)).toBe("one");
    expect(sent).toEqual(["0.1", "0.2"]);
  });

  it("is followed back when the move is taken back meanwhile", () => {
    const { list, arrive, sent } = page("one", "two");
    list("two", "one");
    expect(list("one", "two")).toBe("one");
    expect(arrive(1)).toBe("one");
    expect(arrive(0)).toBe("one");
    expect(sent).toEqual(["0.1", "0.0"]);
  });

  it("does not keep who opens its old place from what stands there now", () => {
    const { list, arrive, sent } = page("one", "two");
    list("two", "one");
    arrive(1);
    expect(arrive(0)).toBe("two");
    expect(sent).toEqual(["0.1"]);
  });

  it("is let go when it is deleted", () => {
    const { list, sent } = page("one", "two");
    expect(list("two")).toBe("two");
    expect(list("two", "one")).toBe("two");
    expect(sent).toEqual([]);
  });
});
