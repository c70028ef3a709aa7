import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { send as sendOnce } from "./send";

const PAGE_TOKEN = "/api/v2/page-token";
const stale = () => Response.json({ code: "FORBIDDEN", details: { reason: "page_token" } }, { status: 403 });
const staleOnChannel = () =>
  Response.json({ ok: false, error: { details: { reason: "page_token" } } }, { status: 403 });

interface Sent {
  readonly url: string;
  readonly page: string | null;
  readonly body: string;
}

/** A server whose page token is `current`; what it was sent, requests for the token aside. */
function serving(current: { token: string | null }, refuse = stale) {
  const sent: Sent[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    if (input === PAGE_TOKEN) {
      asked.push(PAGE_TOKEN);
      return Response.json({ token: current.token });
    }
    const request = new Request(typeof input === "string" ? `http://here${input}` : input, init);
    const page = request.headers.get("X-Fabula-Page");
    sent.push({ url: request.url, page, body: await request.text() });
    return request.method === "GET" || page === current.token ? Response.json({}) : refuse();
  });
  return { sent, asked };
}

let send: typeof sendOnce;

afterEach(() => vi.unstubAllGlobals());

beforeEach(async () => {
  vi.resetModules();
  ({ send } = await import("./send"));
});

it("asks for the page's token once, before the first write", async () => {
  const { sent, asked } = serving({ token: "one" });
  await send("/api/v2/stories");
  expect([asked, sent[0]?.page]).toEqual([[], null]);
  await Promise.all([1, 2].map(() => send("/api/v2/stories", { method: "POST", body: "{}" })));
  expect(asked).toHaveLength(1);
  expect(sent.slice(1).map(({ page }) => page)).toEqual(["one", "one"]);
});

it.each([
  ["REST", stale],
  ["a channel", staleOnChannel],
])("gets the token of a server that started again, and sends the same once more: %s", async (_, refuse) => {
  const current = { token: "one" };
  const { sent, asked } = serving(current, refuse);
  await send("/api/v2/stories", { method: "POST", body: "1" });
  current.token = "two";
  const body = new Blob(["every word"]);
  const request = new Request("http://here/api/v2/imports", { method: "POST", body });
  const answers = await Promise.all(
    [request, "/api/v2/novels"].map((to) =>
      send(to, to === request ? {} : { method: "PUT", body: "a novel" }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(
    sent
      .filter(({ page }) => page === "two")
      .map(({ body }) => body)
      .sort(),
  ).toEqual(["a novel", "every word"]);
  expect(asked).toHaveLength(2);
});

it("gives up after one more time", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: unknown) => {
    asked.push(String(input));
    return input === PAGE_TOKEN ? Response.json({ token: "another" }) : stale();
  });
  expect((await send("/api/v2/stories", { method: "POST" })).status).toBe(403);
  expect(asked).toEqual([PAGE_TOKEN, "/api/v2/stories", PAGE_TOKEN, "/api/v2/stories"]);
});

it("tells any other refusal as it is", async () => {
  const current: { token: string | null } = { token: "one" };
  const { sent } = serving(current, () => Response.json({ code: "FORBIDDEN" }, { status: 403 }));
  await send("/api/v2/stories", { method: "POST" });
  current.token = "two";
  expect((await send("/api/v2/stories", { method: "POST" })).status).toBe(403);
  expect(sent).toHaveLength(2);
});

it("shows nothing where there are accounts, and asks again when nobody answered", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  await expect(send("/api/v2/stories", { method: "POST" })).rejects.toBeInstanceOf(TypeError);
  const { sent, asked } = serving({ token: null });
  expect((await send("/api/v2/stories", { method: "POST" })).status).toBe(200);
  expect([asked.length, sent[0]?.page]).toEqual([1, null]);
});
