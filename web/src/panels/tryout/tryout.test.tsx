// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LorebookCase, StoryLorebook, TracedEntry, TriedScan } from "../../client/rest";
import { client } from "../../client/rest/client.gen";
import { queries } from "../../server/server";
import { Placed } from "../../stories/answering";
import { languageStore } from "../../texts/language";
import TryoutPanel from ".";
import { messagesIn, readingOf } from "./chat";
import { caseOf, excerpt, fatesIn, messageOf, reasonOf } from "./trial";

const AT = "2026-01-01T00:00:00Z";

const book = (id: string, more: Partial<StoryLorebook> = {}): StoryLorebook => ({
  id,
  storyId: "harbour",
  name: id,
  source: "global",
  activation: "sillytavern",
  enabled: true,
  settings: { scanDepth: 2, recursive: true },
  position: 1,
  entryCount: 2,
  extensions: {},
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  ...more,
});

const traced = (comment: string, more: Partial<TracedEntry> = {}): TracedEntry => ({
  book: "Eldoria",
  uid: comment,
  comment,
  fired: false,
  reason: "not_found",
  ...more,
});

const scanned = (trace: TracedEntry[], more: Partial<TriedScan> = {}): TriedScan => ({
  activated: [],
  before: "",
  after: "",
  anTop: [],
  anBottom: [],
  emTop: [],
  emBottom: [],
  atDepth: [],
  outlets: {},
  passes: [{ state: "initial", new: ["x"] }],
  overflow: false,
  budget: 2048,
  seed: "s",
  trace,
  ...more,
});

describe("a pasted text", () => {
  it("is a chat if speakers take turns in it, and a paragraph otherwise", () => {
    expect(readingOf("You: Hello\nMira: Good evening.")).toBe("chat");
    expect(readingOf("你：灯呢？\n江离：灭了。")).toBe("chat");
    expect(readingOf("He had one wish: to sleep.\nThe fog came.")).toBe("paragraph");
    expect(readingOf("After all of this he said only: no.\nAfter that they asked again: why.")).toBe(
      "paragraph",
    );
  });

  it("gives messages with their speakers, whose lines go on until the next one speaks", () => {
    expect(messagesIn("you: Hello\nMira: Good evening.\nShe smiles.", "chat", "You")).toEqual([
      { name: "you", is_user: true, mes: "Hello" },
      { name: "Mira", is_user: false, mes: "Good evening.\nShe smiles." },
    ]);
    expect(messagesIn(" The fog. ", "paragraph", "You")).toEqual([
      { name: "You", is_user: true, mes: "The fog." },
    ]);
    expect(messagesIn("  ", "paragraph", "You")).toEqual([]);
  });

  it("may be a chat file of SillyTavern", () => {
    const file = [
      { user_name: "You", character_name: "Mira" },
      { name: "You", is_user: true, mes: "Hello" },
      { name: "Mira", is_user: false, mes: "Good evening." },
    ];
    const text = file.map((line) => JSON.stringify(line)).join("\n");
    expect(readingOf(text)).toBe("chat");
    expect(messagesIn(text, "chat", "Somebody").map(({ name }) => name)).toEqual(["You", "Mira"]);
  });
});

it("tries every book under a name of its own, at its source", () => {
  const worldInfo = { entries: {} };
  const books = [
    book("a", { name: "Twin" }),
    book("b", { name: "Twin", source: "character" }),
    book("c", { source: "chat" }),
    book("d", { source: "chat" }),
  ].map((one) => ({ book: one, worldInfo }));
  const sent = caseOf(books, { chat: [], user: "You", char: "Mira", settings: { scanDepth: 4 } });
  expect(Object.keys(sent.books ?? {})).toEqual(["Twin", "Twin (2)", "c", "d"]);
  expect(sent.sources).toEqual({
    global: ["Twin"],
    character: ["Twin (2)", "d"],
    chat: "c",
    persona: null,
  });
  expect(sent.settings).toEqual({ scanDepth: 4 });
});

describe("the entries of a trial", () => {
  it("are told by what became of them, and whether the settings made a difference", () => {
    const usual = scanned([traced("wood", { fired: true }), traced("fog"), traced("glade")]);
    const scan = scanned([
      traced("wood"),
      traced("fog", { fired: true, reason: "key", pass: 2 }),
      traced("lamp", { fired: true, reason: "constant", pass: 1 }),
      traced("glade", { reason: "over_budget" }),
    ]);
    const { fired, overBudget, silent } = fatesIn(scan, usual);
    expect(fired.map(({ entry, change }) => [entry.comment, change])).toEqual([
      ["lamp", "new"],
      ["fog", "new"],
    ]);
    expect(overBudget.map(({ entry }) => entry.comment)).toEqual(["glade"]);
    expect(silent.map(({ entry, change }) => [entry.comment, change])).toEqual([["wood", "gone"]]);
  });

  it("say in which message their key stands, counted from the newest", () => {
    const chat = [{ mes: "first" }, { mes: "last" }];
    expect(messageOf(traced("a", { where: "chat", index: 1 }), chat)?.mes).toBe("first");
    expect(messageOf(traced("a", { where: "recursion", index: 0 }), chat)).toBeNull();
  });

  it("have reasons in both languages, and one that is new keeps its name", () => {
    expect(reasonOf("not_found", "en")).toBe("no key is in the text");
    expect(reasonOf("probability", "zh")).toBe("概率未中");
    expect(reasonOf("of_tomorrow", "en")).toBe("of_tomorrow");
  });

  it("quote only what stands around the key", () => {
    expect(excerpt(`${"a".repeat(200)} forest ${"b".repeat(200)}`, "Forest")).toMatch(/^…a+ forest b+…$/);
    expect(excerpt("a forest", "forest")).toBe("a forest");
  });
});

/** A server with books; it answers a trial by the depth that it is asked for. */
function serving(books: readonly StoryLorebook[]) {
  const cases: LorebookCase[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request = typeof input === "string" ? new Request(`http://here${input}`) : input;
    const path = new URL(request.url).pathname;
    if (path.endsWith("/page-token")) return Response.json({ token: null });
    if (path.endsWith("/lorebooks")) return Response.json({ items: books, totalCount: books.length });
    if (path.endsWith("/export")) return Response.json({ entries: { 0: { uid: 0, key: ["forest"] } } });
    const asked: LorebookCase = await request.json();
    cases.push(asked);
    const isDeep = (asked.settings?.scanDepth ?? 0) > 2;
    return Response.json(
      scanned([
        traced("forest", {
          fired: true,
          reason: "key",
          key: "forest",
          where: "chat",
          index: 0,
          pass: 1,
          tokens: 12,
        }),
        traced("lake", isDeep ? { fired: true, reason: "key", key: "lake", pass: 1, tokens: 5 } : {}),
      ]),
    );
  });
  return cases;
}

describe("the trigger test", () => {
  beforeEach(() => {
    client.setConfig({ baseUrl: "http://here" });
    languageStore.setState("en");
    queries.clear();
  });
  afterEach(() => {
    cleanup();
    client.setConfig({ baseUrl: "" });
    vi.unstubAllGlobals();
  });
  const show = (at = "tryout") => render(<Placed View={TryoutPanel} path="tryout" at={at} />);

  it("shows what fires by which key and where, and what a changed setting adds", async () => {
    const cases = serving([book("own", { activation: "fabula", entryCount: 0 }), book("Eldoria")]);
    show();
    const user = userEvent.setup();
    await user.click(await screen.findByLabelText("Text", { selector: "textarea" }));
    await user.paste("Into the forest.");
    await screen.findByText("1 of 2 entries fire · 1 pass · 12 of 2,048 tokens");
    const result = screen.getByRole("region", { name: "Result" });
    expect(within(result).getByText("key “forest” · in the last message (You) · pass 1")).toBeTruthy();
    expect(within(result).getByText("no key is in the text")).toBeTruthy();
    expect(within(result).getByText("forest", { selector: "mark" })).toBeTruthy();
    await user.click(screen.getByText("Settings of the scan"));
    const depth = screen.getByLabelText("Messages to scan");
    await user.clear(depth);
    await user.type(depth, "6");
    await screen.findByText("Against the lorebook's settings: 1 more, 0 fewer.");
    expect(screen.getByText("fires only with these settings")).toBeTruthy();
    expect(cases.at(-1)?.settings).toMatchObject({ scanDepth: 6, recursive: true });
    await user.click(screen.getByRole("button", { name: "Back to the lorebook's settings" }));
    await waitFor(() => expect(screen.queryByText("fires only with these settings")).toBeNull());
  }, 20_000);

  it("says what to do where there are no entries", async () => {
    serving([book("own", { entryCount: 0 })]);
    show();
    await screen.findByText("This story has no entries yet");
  });
});
