import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssembledContext, SceneText, TraceItem } from "../../client/rest";
import { OFFLINE, Problem } from "../../server/problem";
import { neighbourOf, nextPlace } from "../../story/manuscript/chapters";
import { placeOf } from "../../story/manuscript/place";
import { calledBy, leftOutOf, sectionsOf } from "./context/sections";
import { callingIn } from "./editor/calling";
import { proseOf, textOfProse } from "./prose";
import type { KeptDraft } from "./saving/drafts";
import { AGAIN_MS, AT_LATEST_MS, createKeeper, PAUSE_MS } from "./saving/keeper";
import { mergeTexts } from "./saving/merge";

describe("a text in paragraphs", () => {
  it.each(["", "one", "a\n\nb", "a\nb", "a\n\n\nb", "a\n\n\n\nb\n", "\n\na\n\n", "一。\n　　二。\n"])(
    "comes out as it went in: %j",
    (text) => {
      expect(textOfProse(proseOf(text))).toBe(text);
    },
  );

  it("is parted by empty lines where all of it is", () => {
    expect(proseOf("a\n\nb\n").paragraphs).toEqual(["a", "b"]);
    expect(proseOf("a\nb\n\nc").paragraphs).toEqual(["a", "b", "", "c"]);
  });
});

describe("two versions of a text", () => {
  it("are put together where they touch different paragraphs", () => {
    expect(mergeTexts("a\n\nb\n\nc", "A\n\nb\n\nc", "a\n\nb\n\nc\n\nd")).toEqual({
      text: "A\n\nb\n\nc\n\nd",
      disputed: 0,
    });
    expect(mergeTexts("a\nb", "a", "a\nb")).toEqual({ text: "a", disputed: 0 });
    expect(mergeTexts("a", "x", "x")).toEqual({ text: "x", disputed: 0 });
  });

  it("both stand where both changed the same", () => {
    const { text, disputed } = mergeTexts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc");
    expect(disputed).toBe(1);
    expect(text).toBe("a\nmine\n\ntheirs\nc");
  });
});

describe("the keeper of a scene", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const scene = (text: string, version: number) => ({ text, version }) as SceneText;

  function desk(draft: KeptDraft | null = null) {
    let text = draft?.text ?? "old";
    let version = 1;
    const sent: [string, number][] = [];
    const kept: (KeptDraft | null)[] = [];
    const room = { isLeft: true };
    const next: { answer: (text: string) => Promise<SceneText> } = {
      answer: async (given) => scene(given, ++version),
    };
    const keeper = createKeeper({
      saved: scene("old", 1),
      draft,
      read: () => text,
      isComposing: () => false,
      show: (shown) => {
        text = shown;
      },
      send: (given, expected) => {
        sent.push([given, expected]);
        return next.answer(given);
      },
      isOwn: (given) => given === "sent from here",
      keep: (left) => {
        kept.push(left);
        return room.isLeft;
      },
      sceneIn: ({ details }) => details.latestSnapshot as SceneText,
    });
    const write = (given: string) => {
      text = given;
      keeper.touch();
    };
    const state = () => keeper.saving.getState().kind;
    return { keeper, write, room, sent, kept, next, state, text: () => text };
  }

  it("saves after a pause, once, and expects the version that it knows", async () => {
    const { write, sent, state } = desk();
    write("a");
    await vi.advanceTimersByTimeAsync(PAUSE_MS / 2);
    write("ab");
    expect(state()).toBe("changed");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(sent).toEqual([["ab", 1]]);
    expect(state()).toBe("saved");
    write("abc");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(sent[1]).toEqual(["abc", 2]);
  });

  it("saves at the latest after a while, though nobody pauses", async () => {
    const { write, sent } = desk();
    for (let past = 0; past <= AT_LATEST_MS; past += 500) {
      write(`text ${past}`);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(sent).toHaveLength(1);
  });

  it("keeps the text in the browser while nobody answers, and sends it when asked again", async () => {
    const { keeper, write, next, kept, state, sent } = desk();
    const { answer } = next;
    next.answer = () => Promise.reject(new Problem(OFFLINE, "gone"));
    write("storm");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(state()).toBe("offline");
    expect(kept.at(-1)).toEqual({ base: "old", version: 1, text: "storm" });
    next.answer = answer;
    await keeper.save();
    expect(state()).toBe("saved");
    expect(kept.at(-1)).toBeNull();
    expect(sent).toHaveLength(2);
  });

  it.each([
    [
      "another writer holds the story",
      new Problem("CONFLICT", "Somebody else changed the same.", null, {}, 409),
    ],
    ["the database is away", new Problem("INTERNAL_ERROR", "The database does not answer.", null, {}, 503)],
  ])("is refused while %s, and tries again by itself", async (_, problem) => {
    const { write, next, kept, state, sent } = desk();
    const { answer } = next;
    next.answer = () => Promise.reject(problem);
    write("storm");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(state()).toBe("refused");
    expect(kept.at(-1)).toEqual({ base: "old", version: 1, text: "storm" });
    next.answer = answer;
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect(state()).toBe("saved");
    expect(sent).toHaveLength(2);
  });

  it("waits for somebody to act where it is refused for good", async () => {
    const { write, next, state, sent } = desk();
    next.answer = () => Promise.reject(new Problem("INVALID_INPUT", "too long", null, {}, 400));
    write("storm");
    await vi.advanceTimersByTimeAsync(PAUSE_MS + 2 * AGAIN_MS);
    expect([state(), sent.length]).toEqual(["refused", 1]);
  });

  it("says so where there is no room to keep it", async () => {
    const { write, next, room, state } = desk();
    next.answer = () => Promise.reject(new Problem(OFFLINE, "gone"));
    room.isLeft = false;
    write("storm");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(state()).toBe("unkept");
  });

  it("stops at a conflict, goes on typing, and saves what was decided over the version that was seen", async () => {
    const { keeper, write, next, state, sent, text } = desk();
    const { answer } = next;
    const details = { latestSnapshot: scene("theirs", 5) };
    next.answer = () => Promise.reject(new Problem("CONFLICT", "changed", null, details));
    write("mine");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(state()).toBe("conflict");
    write("mine too");
    await vi.advanceTimersByTimeAsync(AT_LATEST_MS);
    expect(sent).toHaveLength(1);
    next.answer = answer;
    await keeper.resolve("both", scene("theirs", 5));
    expect(sent[1]).toEqual(["both", 5]);
    expect(text()).toBe("both");
    expect(state()).toBe("saved");
  });

  it("takes no earlier save of its own for a conflict", async () => {
    const { keeper, sent, state } = desk({ base: "old", version: 1, text: "sent from here, and more" });
    keeper.hear(scene("sent from here", 2));
    expect(state()).toBe("changed");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(sent).toEqual([["sent from here, and more", 2]]);
  });

  it("shows what others wrote where nothing was written here", () => {
    const { keeper, text, state } = desk();
    keeper.hear(scene("theirs", 2));
    expect(text()).toBe("theirs");
    expect(state()).toBe("saved");
  });

  it("saves nothing more of a scene that is given up", async () => {
    const { keeper, write, sent, kept } = desk();
    write("doomed");
    await keeper.close();
    keeper.leave();
    await vi.advanceTimersByTimeAsync(AT_LATEST_MS);
    expect(sent).toEqual([]);
    expect(kept.at(-1)).toBeNull();
  });
});

describe("the pieces of a context", () => {
  const item = (id: string, more: Partial<TraceItem>): TraceItem => ({
    kind: "entry",
    id,
    label: id,
    included: true,
    reason: "detected",
    ...more,
  });
  const context = {
    systemPromptEntries: [],
    beforeSceneEntries: [{ id: "a", category: "character", content: "Told.", entityId: "x" }],
    afterSceneEntries: [],
    recentSnapshots: ["[Chapter 1, scene 3] She left."],
    activeCharacters: [{ name: "Egret", currentState: "asleep", emotionalState: "calm" }],
    recollections: [],
    trace: [
      item("a", {
        position: "before_scene",
        tokens: 7,
        matches: [{ term: "A", kind: "name", start: 0, end: 1 }],
      }),
      item("s", { kind: "snapshot", label: "1.3", reason: "recent_scene", tokens: 5 }),
      item("c", { kind: "character", label: "Egret", reason: "active" }),
      item("never", { included: false, reason: "level_never" }),
      item("far", { included: false, reason: "budget", missingTokens: 90 }),
      item("near", { included: false, reason: "budget", missingTokens: 3 }),
    ],
  } as unknown as AssembledContext;

  it("stand in the order in which a model reads them, with what is told", () => {
    expect(sectionsOf(context).map(({ kind, tokens, pieces }) => [kind, tokens, pieces[0]?.text])).toEqual([
      ["before_scene", 7, "Told."],
      ["snapshots", 5, "She left."],
      ["characters", 0, "asleep; calm"],
    ]);
    expect(calledBy(context.trace[0] as TraceItem)).toEqual(["A"]);
  });

  it("that were left out: what nearly fitted first", () => {
    expect(leftOutOf(context).map(({ trace }) => trace.id)).toEqual(["near", "far", "never"]);
  });
});

it("knows an @ before the cursor, and no address", () => {
  const state = (text: string) => {
    const parent = { textBetween: (from: number, to: number) => text.slice(from, to) };
    const $from = { parent, parentOffset: text.length, pos: text.length + 1 };
    return { selection: { empty: true, $from } } as unknown as Parameters<typeof callingIn>[0];
  };
  expect(callingIn(state("Then @sh"))).toEqual({ from: 6, to: 9, query: "sh" });
  expect(callingIn(state("然后@沈"))?.query).toBe("沈");
  expect(callingIn(state("a@sh"))).toBeNull();
  expect(callingIn(state("Then @sh and"))).toBeNull();
});

it("knows where scenes stand and where the next one comes", () => {
  const scenes = (...numbers: number[]) => numbers.map((scene) => ({ scene }) as never);
  const chapters = [
    { chapter: 0, title: "", wordCount: 0, scenes: scenes(0, 2) },
    { chapter: 4, title: "", wordCount: 0, scenes: scenes(0) },
  ];
  expect(nextPlace(chapters)).toEqual({ chapter: 5, scene: 0 });
  expect(nextPlace(chapters, 0)).toEqual({ chapter: 0, scene: 3 });
  expect(nextPlace([])).toEqual({ chapter: 0, scene: 0 });
  expect(neighbourOf(chapters, { chapter: 4, scene: 0 })).toEqual({ chapter: 0, scene: 2 });
  expect(placeOf("3.1")).toEqual({ chapter: 3, scene: 1 });
  expect(placeOf("3")).toBeNull();
});
