// @vitest-environment jsdom
import { cleanup, screen, render as show, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { client } from "../../client/rest/client.gen";
import { queries } from "../../server/server";
import { Placed, STORY } from "../../stories/answering";
import { OpenQuestions } from "./OpenQuestions";

beforeEach(() => {
  client.setConfig({ baseUrl: "http://here" });
  queries.clear();
});
afterEach(() => {
  cleanup();
  client.setConfig({ baseUrl: "" });
  vi.unstubAllGlobals();
});

const open = { sameCount: 12, tieCount: 1, requestCount: 2, promptTokens: 4_000, answerTokens: 260 };

const JOB = {
  id: "j1",
  storyId: STORY.id,
  kind: "open-questions",
  subject: "",
  status: "done",
  progress: 1,
  attempts: 1,
  message: "13 / 4,180",
  createdAt: "2026-01-01T00:00:00Z",
  finishedAt: "2026-01-01T00:00:01Z",
  runAfter: "2026-01-01T00:00:00Z",
};

function serving(isConfigured: boolean, questions: object = open, unfinished: object[] = []) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: Request | string) => {
    const request = typeof input === "string" ? new Request(`http://here${input}`) : input;
    const path = new URL(request.url).pathname;
    const name = path.split("/").at(-1);
    asked.push(`${request.method} ${name}`);
    if (name === "page-token") return Response.json({ token: null });
    if (name === "settings")
      return Response.json({ languageModel: { configured: isConfigured, name: "small" }, limits: {} });
    if (name === "jobs") {
      const page = { size: 50, number: 0, totalElements: unfinished.length, totalPages: 1 };
      return Response.json({ content: unfinished, page });
    }
    if (name === "j1") return Response.json(JOB);
    if (name !== "questions") return Response.json(STORY);
    if (request.method === "GET") return Response.json(questions);
    return Response.json({ taskId: "j1", status: "queued", message: "" }, { status: 202 });
  });
  return asked;
}

it("tells the price before the model is asked, and asks only then", async () => {
  const asked = serving(true);
  show(<Placed View={() => <OpenQuestions storyId={STORY.id} />} path="review" at="review" />);
  await screen.findByText(/12 names belong to somebody, and 1 tie\..*2 requests, about 4,260 tokens/);
  expect(asked.some((line) => line.startsWith("POST"))).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Ask the model" }));
  await screen.findByText("The model was asked 13 questions: 4,180 tokens");
  expect(asked).toContain("POST questions");
});

it("says nothing without a model, or if nothing is open", async () => {
  const asked = serving(false);
  const first = show(<Placed View={() => <OpenQuestions storyId={STORY.id} />} path="review" at="review" />);
  await waitFor(() => expect(asked).toContain("GET settings"));
  expect(screen.queryByRole("button", { name: "Ask the model" })).toBeNull();
  first.unmount();
  queries.clear();
  const again = serving(true, { ...open, requestCount: 0 });
  show(<Placed View={() => <OpenQuestions storyId={STORY.id} />} path="review" at="review" />);
  await waitFor(() => expect(again).toContain("GET questions"));
  expect(screen.queryByRole("button", { name: "Ask the model" })).toBeNull();
});

it("finds what is being asked already when the page is opened again, and what it cost", async () => {
  const asked = serving(true, open, [{ ...JOB, status: "processing", finishedAt: null }]);
  show(<Placed View={() => <OpenQuestions storyId={STORY.id} />} path="review" at="review" />);
  await screen.findByText("The model was asked 13 questions: 4,180 tokens");
  expect(asked).not.toContain("POST questions");
});
