import { QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { MemoryRouter, Route, Routes } from "react-router";
import type { Story } from "../client/rest";
import { Toasts } from "../design/toasts";
import { queries } from "../server/server";
import { StoryContext } from "../story/story";

const AT = "2026-01-01T00:00:00Z";

export const STORY: Story = {
  id: "harbour",
  title: "The Lamps of Fogharbour",
  language: "en",
  settings: {},
  revision: 1,
  entityCount: 3,
  relationCount: 2,
  createdAt: AT,
  updatedAt: AT,
};

/** What the server would say, by the end of the address; the longest end that fits counts. */
export type Answers = Record<string, unknown>;

/** An answer that is an error of the server. */
export const refusal = (code: string, message: string, suggestion: string) => ({
  refused: { code, message, suggestion },
});

/** An answer that never comes. */
export const SILENCE = "silence";

export const page = (content: readonly unknown[]) => ({
  content,
  totalElements: content.length,
  totalPages: 1,
  number: 0,
  size: 1_000,
});

const NOTHING: Answers = {
  "/chapters": { chapters: [] },
  "/search": { items: [], queryCostMs: 1 },
  "/history": page([]),
  "/jobs": page([]),
  "/model": {
    configured: false,
    mayChange: true,
    fixed: [],
    address: null,
    hasKey: false,
    models: { write: "", read: "", sumUp: "" },
  },
  "/events": page([]),
  "/extractions": page([]),
  "/context/told": { items: [] },
  "/appearances": { items: [], totalCount: 0 },
  "/knowledge": { knowerId: "li", name: "Jiang Li", items: [], unknownCount: 0 },
  "/knowings": { items: [], totalCount: 0 },
  "/reveals": { items: [], totalCount: 0 },
  "/stale": { items: [], totalCount: 0 },
  "/threads": { items: [], totalCount: 0 },
  "knowledge:relation:list": { items: [], totalCount: 0 },
  "knowledge:relationtype:list": { items: [], totalCount: 0 },
  "knowledge:state:list": { items: [], totalCount: 0 },
  "knowledge:query:byids": { items: [] },
};

/** Lets the page be answered by these for as long as a story is shown. */
export function answering(answers: Answers): () => () => void {
  return () => {
    const real = window.fetch;
    const known = Object.entries({ ...NOTHING, ...answers }).toSorted(
      ([one], [other]) => other.length - one.length,
    );
    queries.clear();
    localStorage.clear();
    window.fetch = (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
      const path = decodeURIComponent(pathname);
      const found = known.find(([end]) => path.endsWith(end));
      if (found?.[1] === SILENCE) return new Promise(() => {});
      return Promise.resolve(said(path, found?.[1]));
    };
    return () => {
      window.fetch = real;
    };
  };
}

function said(path: string, answer: unknown): Response {
  const error =
    answer === undefined
      ? { code: "NOT_FOUND", message: `Nothing at ${path}.` }
      : (answer as { refused?: object }).refused;
  const isChannel = path.includes("/ipc/");
  if (isChannel) return Response.json(error ? { ok: false, error } : { ok: true, data: answer });
  return error ? Response.json(error, { status: answer === undefined ? 404 : 500 }) : Response.json(answer);
}

/** A panel as it stands in the workbench, without the workbench. */
export function Placed({ View, path, at }: { View: ComponentType; path: string; at: string }) {
  return (
    <QueryClientProvider client={queries}>
      <StoryContext value={STORY}>
        <MemoryRouter initialEntries={[`/stories/${STORY.id}/${at}`]}>
          <main style={{ height: "100vh" }}>
            <h1 className="visually-hidden">{STORY.title}</h1>
            <Routes>
              <Route path={`/stories/:storyId/${path}`} element={<View />} />
            </Routes>
          </main>
        </MemoryRouter>
        <Toasts />
      </StoryContext>
    </QueryClientProvider>
  );
}
