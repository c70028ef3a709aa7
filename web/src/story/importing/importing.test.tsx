// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ImportFileResponse } from "../../client/rest";
import { client } from "../../client/rest/client.gen";
import { queries } from "../../server/server";
import { page, STORY } from "../../stories/answering";
import { languageStore } from "../../texts/language";
import { formatName } from "../lorebooks/formats";
import { ImportDialog } from "./ImportDialog";

const FOUND: ImportFileResponse = {
  kind: "lorebook",
  storyId: null,
  title: "Eldoria",
  isNew: true,
  counts: { entries: 4 },
  format: "sillytavern",
  runs: { key: 4, sticky: 2 },
  ignored: { vectorized: 1 },
  kept: { uid: 4 },
  collisions: [],
  collisionCount: 0,
  dryRun: true,
};

/** A server that finds a lorebook; what was asked of it. */
function serving(refusal: object | null = null) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request = typeof input === "string" ? new Request(`http://here${input}`) : input;
    const { pathname: path, searchParams: query } = new URL(request.url);
    if (path.endsWith("/page-token")) return Response.json({ token: null });
    if (path.endsWith("/stories")) return Response.json(page([STORY]));
    asked.push(query);
    if (refusal) return Response.json(refusal, { status: 400 });
    const into = query.get("storyId");
    return Response.json({
      ...FOUND,
      storyId: into,
      isNew: into === null,
      dryRun: query.get("dryRun") === "true",
      bookId: query.get("dryRun") === "true" ? null : "book",
      ...(into ? { collisions: ["eldoria"], collisionCount: 1 } : {}),
    });
  });
  return asked;
}

describe("the import of a lorebook of another program", () => {
  beforeEach(() => {
    client.setConfig({ baseUrl: "http://here" });
    languageStore.setState("en");
    queries.clear();
    HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
      this.open = true;
    };
    HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
      this.open = false;
    };
  });
  afterEach(() => {
    cleanup();
    languageStore.setState("en");
    client.setConfig({ baseUrl: "" });
    vi.unstubAllGlobals();
  });
  const show = () => {
    render(
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <ImportDialog storyId={STORY.id} file={new File(["{}"], "Eldoria.json")} onClose={() => {}} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    return screen.getByRole("dialog", { name: "Import" });
  };

  it("says before what it is, what has an effect, what has none, and what is there already", async () => {
    const asked = serving();
    const dialog = show();
    const named = await within(dialog).findByText("SillyTavern World Info");
    expect(named.closest("p")?.textContent).toContain("4 entries");
    expect(within(dialog).getByText("vectorized").closest("details")?.textContent).toContain(
      "Kept, but has no effect here 1 field",
    );
    expect(within(dialog).getByText("sticky").closest("details")?.textContent).toContain(
      "Has an effect here 2 fields",
    );
    await within(dialog).findByText("1 name is in the story already");
    await userEvent.selectOptions(within(dialog).getByLabelText("Into"), "A new story");
    expect(within(dialog).queryByText("1 name is in the story already")).toBeNull();
    expect(asked.every((query) => query.get("dryRun") === "true")).toBe(true);
    await userEvent.click(within(dialog).getByRole("button", { name: "Import" }));
    await screen.findByText(/“Eldoria” is there/);
    const [done, ...more] = asked.filter((query) => query.get("dryRun") === null);
    expect(done?.get("storyId")).toBeNull();
    expect(done?.get("title")).toBe("Eldoria");
    expect(more).toEqual([]);
  });

  it("says in the reader's language that a file cannot be taken", async () => {
    languageStore.setState("zh");
    serving({ code: "VALIDATION_ERROR", message: "This PNG has no character card in it." });
    render(
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <ImportDialog file={new File(["x"], "x.png")} onClose={() => {}} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await screen.findByText("此文件无法这样导入。");
    expect(screen.getByRole("alert").textContent).toContain("This PNG has no character card in it.");
  });

  it("says in the reader's language why a file is refused and what to do", async () => {
    languageStore.setState("zh");
    serving({
      code: "VALIDATION_ERROR",
      message: "The lorebook has 60,000 entries; 50,000 are allowed.",
      suggestion: "Split it into several files.",
      details: { reason: "too_many_entries", limit: 50_000, count: 60_000 },
    });
    render(
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <ImportDialog file={new File(["x"], "x.json")} onClose={() => {}} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await screen.findByText("世界书有 60,000 个条目，最多允许 50,000 个。请拆成几个文件。");
    expect(screen.queryByText("Split it into several files.")).toBeNull();
  });
});

it("calls formats by their names, and new ones as the server does", () => {
  expect(formatName("card-v3", "zh")).toBe("角色卡 V3");
  expect(formatName("of-tomorrow", "en")).toBe("of-tomorrow");
});
