// @vitest-environment jsdom
import { cleanup, screen, render as show, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelSetupResponse, NameCover, Story, ToldContext } from "../../client/rest";
import { client } from "../../client/rest/client.gen";
import { queries } from "../../server/server";
import { Placed, STORY } from "../../stories/answering";
import { COVERS } from "../../stories/harbour";
import SettingsPanel from ".";
import { pairsOf, settingsWith } from "./covers";

const cover = (name: string, more: Partial<NameCover> = {}): NameCover => ({
  name,
  ownerId: "a",
  hidden: "青云",
  origin: "others",
  confirmed: false,
  told: false,
  ...more,
});

describe("a name that contains a secret", () => {
  it("is one name, whoever bears it and however it is written", () => {
    const pairs = pairsOf([
      cover("青云宗"),
      cover("青云宗", { ownerId: "b", origin: "author", told: true }),
      cover("Ｑing  Yun", { hidden: "qing" }),
      cover("qing yun", { hidden: "Qing" }),
    ]);
    expect(pairs.map(({ name, origins, isAuthors }) => [name, origins, isAuthors])).toEqual([
      ["青云宗", ["others", "author"], false],
      ["Ｑing  Yun", ["others"], false],
    ]);
    expect(pairsOf([cover("青云山", { origin: "author", told: true })])[0]?.isAuthors).toBe(true);
  });

  it("is entered beside what the settings hold already, and taken out alone", () => {
    const settings = { autoApprove: 0.9, covers: [{ name: "青云山", hidden: "青云" }] };
    const after = settingsWith(settings, cover("青云宗"), true);
    expect(after).toEqual({
      autoApprove: 0.9,
      covers: [
        { name: "青云山", hidden: "青云" },
        { name: "青云宗", hidden: "青云" },
      ],
    });
    expect(settingsWith(after, cover("青云宗"), true)).toEqual(after);
    expect(settingsWith(after, cover("青云宗"), false)).toEqual(settings);
    expect(settingsWith(settings, cover("青云山"), false)).toEqual({ autoApprove: 0.9 });
    expect(
      settingsWith(
        { covers: [{ name: "QING Yun", hidden: "Qing" }] },
        cover("qing yun", { hidden: "qing" }),
        false,
      ),
    ).toEqual({});
  });
});

const toldLast = (memory: ToldContext["memory"], droppedMessages: number): ToldContext => ({
  at: "2026-01-01T00:00:00Z",
  door: "proxy",
  chapter: 0,
  scene: 0,
  memory,
  droppedMessages,
  estimatedTokens: 0,
  totalBudget: 4000,
  messages: [],
  trace: [],
  leftOutCount: 0,
});

/** A server with one story, which answers as the real one does; what it was sent. */
const MODEL: ModelSetupResponse = {
  configured: false,
  mayChange: true,
  fixed: [],
  address: "",
  hasKey: false,
  models: { write: "", read: "", sumUp: "" },
};

function serving(
  covers: readonly NameCover[] | "refused",
  told: readonly ToldContext[] = [],
  model: ModelSetupResponse = MODEL,
) {
  const state = { story: { ...STORY, settings: { autoApprove: 0.9 } } as Story, isRefusing: false };
  const sent: unknown[] = [];
  const confirmed = () => (state.story.settings.covers ?? []) as { name: string }[];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request = typeof input === "string" ? new Request(`http://here${input}`) : input;
    const path = new URL(request.url).pathname;
    if (path.endsWith("/page-token")) return Response.json({ token: null });
    if (path.endsWith("/model")) return Response.json(model);
    if (path.endsWith("/covers")) {
      if (covers === "refused")
        return Response.json({ code: "INTERNAL_ERROR", message: "Broken." }, { status: 500 });
      const items = covers.map((one) => {
        const isConfirmed = confirmed().some(({ name }) => name === one.name);
        return { ...one, confirmed: isConfirmed, told: isConfirmed || one.origin === "author" };
      });
      return Response.json({ items });
    }
    if (path.endsWith("/context/told")) return Response.json({ items: told });
    if (path.endsWith("/history"))
      return Response.json({ content: [], totalElements: 0, totalPages: 0, number: 0, size: 20 });
    if (request.method === "PATCH") {
      const { settings } = await request.json();
      sent.push(settings);
      if (state.isRefusing)
        return Response.json({ code: "FORBIDDEN", message: "You may only read." }, { status: 403 });
      state.story = { ...state.story, settings };
    }
    return Response.json(state.story);
  });
  return { sent, state };
}

const render = (at = "settings") => show(<Placed View={SettingsPanel} path="settings" at={at} />);
const switches = () => screen.getAllByRole<HTMLInputElement>("switch");

describe("the settings of a story", () => {
  beforeEach(() => {
    client.setConfig({ baseUrl: "http://here" });
    queries.clear();
  });
  afterEach(() => {
    cleanup();
    client.setConfig({ baseUrl: "" });
    vi.unstubAllGlobals();
  });

  it("list the names that contain a secret, with who wrote them", async () => {
    serving(COVERS);
    render();
    const region = await screen.findByRole("region", { name: "Names that contain a secret" });
    const rows = within(region)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);
    expect(rows[0]).toContain("contains “Mr Salt” · came with an import or from an agent");
    expect(rows[1]).toContain("read in the manuscript");
    expect(rows[3]).toContain("the author wrote it, so it is told");
    expect(switches().map(({ checked, disabled }) => [checked, disabled])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect(switches()[0]?.getAttribute("aria-label")).toBe(
      "May be told: “Fears Mr Salt”, which contains “Mr Salt”",
    );
  });

  it("are kept as they are but for the pair that is confirmed", async () => {
    const { sent, state } = serving(COVERS);
    render();
    await screen.findByRole("region", { name: "Names that contain a secret" });
    const user = userEvent.setup();
    await user.click(switches()[0] as HTMLElement);
    await user.click(switches()[1] as HTMLElement);
    expect(switches().map(({ checked }) => checked)).toEqual([true, true, false, true]);
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({
      autoApprove: 0.9,
      covers: [
        { name: "Fears Mr Salt", hidden: "Mr Salt" },
        { name: "Mr Salt's Wharf", hidden: "Mr Salt" },
      ],
    });
    await screen.findByText("“Mr Salt's Wharf” may be told");
    state.isRefusing = true;
    await user.click(switches()[0] as HTMLElement);
    await screen.findByText("You may only read.");
    await waitFor(() => expect(switches()[0]?.checked).toBe(true));
  });

  it("say nothing of such names where there are none, unless somebody came for them", async () => {
    serving([]);
    const first = render();
    await screen.findByRole("heading", { name: "Export the story" });
    await waitFor(() => expect(screen.queryByText("Loading")).toBeNull());
    expect(screen.queryByText("Names that contain a secret")).toBeNull();
    first.unmount();
    render("settings?covers");
    await screen.findByText("No name contains a secret");
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Names that contain a secret" }));
  });

  it("say whether what comes to mind is told, and keep everything else", async () => {
    const { sent } = serving([]);
    render();
    const told = await screen.findByRole<HTMLInputElement>("radio", { name: "Tell them to a model" });
    expect(told.checked).toBe(true);
    await userEvent.click(screen.getByRole("radio", { name: "Tell only what is named" }));
    await waitFor(() => expect(sent).toEqual([{ autoApprove: 0.9, recallEntries: false }]));
  });

  it("say what gives way in a full window, and that something just did", async () => {
    const { sent } = serving([], [toldLast("none", 0)]);
    const first = render();
    await screen.findByText(/there was no room for the memory at all/);
    const shortened = screen.getByRole<HTMLInputElement>("radio", { name: "The memory is shortened" });
    expect(shortened.checked).toBe(true);
    await userEvent.click(screen.getByRole("radio", { name: "The oldest messages are left out" }));
    await waitFor(() => expect(sent).toEqual([{ autoApprove: 0.9, dropOldestMessages: true }]));
    first.unmount();
    queries.clear();
    serving([], [toldLast("whole", 8)]);
    render();
    await screen.findByText(/8 messages gave way/);
    expect(screen.queryByText(/there was no room/)).toBeNull();
  });

  it("say whether what later scenes bring has to wait", async () => {
    const { sent } = serving([]);
    render();
    const waits = await screen.findByRole<HTMLInputElement>("radio", {
      name: "Wait until the manuscript names them",
    });
    expect(waits.checked).toBe(true);
    await userEvent.click(screen.getByRole("radio", { name: "Tell them from the beginning" }));
    await waitFor(() => expect(sent).toEqual([{ autoApprove: 0.9, datedByAppearance: false }]));
  });

  it("show what clients were told, and why", async () => {
    const trace: ToldContext["trace"] = [
      {
        kind: "entry",
        id: "1",
        label: "eldoria",
        included: true,
        reason: "book_key",
        tokens: 12,
        scan: { bookId: "b", passNumber: 1, key: "forest" },
      },
      { kind: "entry", id: "2", label: "Mr Salt", included: false, reason: "level_never" },
    ];
    const messages = [{ role: "system", content: "The forest is dark." }] as ToldContext["messages"];
    const told = { ...toldLast("cut", 2), model: "fabula/harbour", estimatedTokens: 12, messages, trace };
    serving([], [{ ...told, leftOutCount: 7 }]);
    render();
    const section = await screen.findByRole("region", { name: "What clients were told" });
    const summary = await within(section).findByText(
      "fabula/harbour · Chapter 1 · Scene 1 · 12 of 4,000 tokens · 2 messages left out",
    );
    expect(within(section).getByText("the memory was shortened")).toBeTruthy();
    expect(within(section).queryByText("eldoria")).toBeNull();
    await userEvent.click(summary);
    const piece = (await within(section).findByText("eldoria")).closest("li");
    expect(piece?.textContent).toMatch(/key “forest” · pass 1 · 12 tokens/);
    expect(within(section).getByText("never told")).toBeTruthy();
    expect(within(section).getByText("The forest is dark.")).toBeTruthy();
  });

  it("say so where no client has asked yet", async () => {
    serving([]);
    render();
    await screen.findByText("No client has asked yet");
  });

  it("shows what the settings of the server decide, and the key never", async () => {
    serving(COVERS, [], {
      ...MODEL,
      configured: true,
      fixed: ["address", "key"],
      address: "http://here/v1",
      hasKey: true,
    });
    render();
    const address = await screen.findByLabelText<HTMLInputElement>("Address");
    expect([address.value, address.readOnly]).toEqual(["http://here/v1", true]);
    expect(screen.queryByLabelText("Key")).toBeNull();
  });

  it("say what went wrong, and ask again", async () => {
    serving("refused");
    render();
    await screen.findByText("Broken.");
    serving(COVERS);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(switches()).toHaveLength(4));
  });
});
