// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LorebookEntry, StoryLorebook } from "../../client/rest";
import { client } from "../../client/rest/client.gen";
import { queries } from "../../server/server";
import { Placed, page } from "../../stories/answering";
import { languageStore } from "../../texts/language";
import LorebookPanel from ".";
import { sharedWords, wanted } from "./arrange";
import { EMPTY } from "./draft";
import { nameIn } from "./files";
import { lossesByField } from "./losses";

const AT = "2026-01-01T00:00:00Z";
const PATIENCE_MS = 20_000;
/** Parts that are loaded when they are asked for. */
const LOADED = { timeout: PATIENCE_MS };

const book = (id: string, more: Partial<StoryLorebook> = {}): StoryLorebook => ({
  id,
  storyId: "harbour",
  name: id,
  source: "global",
  activation: "sillytavern",
  enabled: true,
  settings: { scanDepth: 2, recursive: true },
  position: 1,
  entryCount: 1,
  extensions: { origin: { format: "novelai" } },
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...more,
});

const entry = (name: string, bookId: string): LorebookEntry => ({
  ...EMPTY,
  told: null,
  validFrom: null,
  validTo: null,
  id: name,
  storyId: "harbour",
  bookId,
  place: 0,
  userId: "local",
  entityId: null,
  category: "custom",
  entryKey: name,
  displayName: name,
  content: `${name} is told`,
  keywordsJson: ["fog"],
  estimatedTokens: 10,
  extensions: {},
  version: 1,
  createdAt: AT,
  updatedAt: AT,
});

const OWN = book("own", { name: "Harbour", activation: "fabula", extensions: {}, version: 0 });
const ENTRIES = [entry("Lamp", "own"), entry("Forest", "Eldoria")];

describe("entries of several books", () => {
  it("can be narrowed to one of them, and share words only within it", () => {
    const shared = sharedWords(ENTRIES);
    expect(shared.size).toBe(0);
    expect(sharedWords([...ENTRIES, entry("Wood", "Eldoria")]).size).toBe(1);
    const filter = { q: "", book: "Eldoria", category: "all", level: "all", which: "all" } as const;
    expect(wanted(ENTRIES, filter, shared).map(({ id }) => id)).toEqual(["Forest"]);
  });
});

describe("what a format cannot say", () => {
  it("is told by field, with how many entries lose it, even if not all are listed", () => {
    const losses = [
      { entry: "a", field: "sticky", becomes: "left_out" },
      { entry: "b", field: "sticky", becomes: "left_out" },
      { entry: "", field: "description", becomes: "left_out" },
      { entry: "a", field: "key", becomes: "changed" },
      { entry: "b", field: "key", becomes: "disabled" },
    ] as const;
    const rows = lossesByField({
      format: "novelai",
      losses: [...losses],
      lossCount: 905,
      fields: { sticky: 900, description: 1, key: 2 },
    });
    expect(rows.map(({ field, becomes, count, entries }) => [field, becomes, count, entries])).toEqual([
      ["sticky", "left_out", 900, ["a", "b"]],
      ["description", "left_out", 1, []],
      ["key", "changed", 1, ["a"]],
      ["key", "disabled", 1, ["b"]],
    ]);
  });
});

it("finds the name of a file in its header", () => {
  expect(nameIn("attachment; filename*=UTF-8''%E7%81%B5%E5%9F%9F.json")).toBe("灵域.json");
  expect(nameIn("attachment; filename*=UTF-8''%E7%81")).toBeNull();
  expect(nameIn(null)).toBeNull();
});

/** A server with two books; what it was sent. */
function serving() {
  const sent: { method: string; path: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request = typeof input === "string" ? new Request(`http://here${input}`) : input;
    const { pathname: path, searchParams: query } = new URL(request.url);
    if (path.endsWith("/page-token")) return Response.json({ token: null });
    if (request.method !== "GET") {
      const text = await request.text();
      sent.push({ method: request.method, path, body: text && JSON.parse(text) });
      if (request.method === "DELETE") return Response.json({ deleted: true, entryCount: 1 });
      if (request.method === "PATCH") return Response.json({ updated: 1 });
      return Response.json(book("Eldoria"));
    }
    if (path.endsWith("/lorebooks")) return Response.json({ items: [OWN, book("Eldoria")], totalCount: 2 });
    if (path.endsWith("/export") && query.get("report") === "true")
      return Response.json(
        query.get("format") === "csv"
          ? {
              format: "csv",
              losses: [{ entry: "Forest", field: "sticky", becomes: "left_out" }],
              lossCount: 1,
              fields: { sticky: 1 },
            }
          : { format: query.get("format"), losses: [], lossCount: 0, fields: {} },
      );
    if (path.endsWith("/lorebook")) return Response.json(page(ENTRIES));
    return Response.json({ items: [], totalCount: 0 });
  });
  return sent;
}

describe("the lorebooks of a story", () => {
  beforeEach(() => {
    client.setConfig({ baseUrl: "http://here" });
    languageStore.setState("en");
    queries.clear();
    localStorage.clear();
    HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
      this.open = true;
    };
    HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
      this.open = false;
    };
  });
  afterEach(() => {
    cleanup();
    client.setConfig({ baseUrl: "" });
    vi.unstubAllGlobals();
  });
  const show = (at = "lorebook?books") => render(<Placed View={LorebookPanel} path="lorebook" at={at} />);
  const rowOf = (name: string) =>
    screen.getByRole("heading", { name, level: 3 }).closest("li") as HTMLLIElement;

  it("stand there with entries, rules, source and origin, the own one first", async () => {
    serving();
    show();
    await screen.findByRole("region", { name: "Lorebooks" }, LOADED);
    const names = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
    expect(names).toEqual(["The story's own lorebook", "Eldoria"]);
    expect(rowOf("Eldoria").textContent).toContain(
      "1 entry · SillyTavern's rules · In every conversation · came as NovelAI lorebook",
    );
    expect(within(rowOf("The story's own lorebook")).queryByRole("button", { name: "Delete" })).toBeNull();
  });

  it(
    "are renamed and set with the version that was seen, and deleted after a question",
    async () => {
      const sent = serving();
      show();
      const user = userEvent.setup();
      await screen.findByRole("region", { name: "Lorebooks" }, LOADED);
      await user.click(within(rowOf("Eldoria")).getByRole("button", { name: "Settings" }));
      const dialog = screen.getByRole("dialog", { name: "Settings of “Eldoria”" });
      await user.type(within(dialog).getByLabelText("Name"), " II");
      await user.click(within(dialog).getByRole("switch", { name: "Texts of entries call further entries" }));
      await user.click(within(dialog).getByRole("button", { name: "Save" }));
      await screen.findByText("Saved Eldoria II");
      expect(sent[0]).toMatchObject({
        method: "PUT",
        body: {
          name: "Eldoria II",
          expectedVersion: 3,
          settings: { scanDepth: 2, recursive: false },
        },
      });
      await user.click(within(rowOf("Eldoria")).getByRole("button", { name: "Delete" }));
      const asked = screen.getByRole("dialog", { name: "Delete “Eldoria”?" });
      expect(sent).toHaveLength(1);
      await user.click(within(asked).getByRole("button", { name: "Delete" }));
      await screen.findByText("Deleted Eldoria");
      expect(sent[1]).toMatchObject({ method: "DELETE" });
      expect(sent[1]?.path.endsWith("/lorebooks/Eldoria")).toBe(true);
    },
    PATIENCE_MS,
  );

  it(
    "say what a format loses before a file is fetched",
    async () => {
      serving();
      show();
      const user = userEvent.setup();
      await screen.findByRole("region", { name: "Lorebooks" }, LOADED);
      await user.click(within(rowOf("Eldoria")).getByRole("button", { name: "Export" }));
      const dialog = await screen.findByRole("dialog", { name: "Export" }, LOADED);
      await within(dialog).findByText("Nothing is lost in this format.");
      await user.selectOptions(within(dialog).getByLabelText("Format"), "csv");
      await within(dialog).findByText("This format cannot say everything:");
      expect(within(dialog).getByText("sticky").closest("li")?.textContent).toContain("is left out");
      expect(within(dialog).getByText("Forest")).toBeTruthy();
    },
    PATIENCE_MS,
  );

  it(
    "give entries to the graph: chosen ones of other programs become entities",
    async () => {
      const sent = serving();
      show("lorebook");
      const user = userEvent.setup();
      await user.click(await screen.findByRole("button", { name: "Select all" }));
      await user.click(screen.getByRole("button", { name: "Make entities…" }));
      const dialog = await screen.findByRole("dialog", { name: "Make entities…" }, LOADED);
      await user.selectOptions(within(dialog).getByLabelText("Category"), "location");
      await user.click(within(dialog).getByRole("button", { name: "Make an entity" }));
      await waitFor(() =>
        expect(sent[0]).toMatchObject({
          method: "PATCH",
          body: { ids: ["Forest"], patch: { category: "location" } },
        }),
      );
    },
    PATIENCE_MS,
  );
});
