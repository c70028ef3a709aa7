import { expect, it, vi } from "vitest";
import { ask } from "./channel";
import { eventsIn } from "./events";
import { OFFLINE, problemOf } from "./problem";
import { storyKey, storyOf } from "./server";

it("reads whole events and keeps the beginning of the next", () => {
  const { events, rest } = eventsIn(
    "retry: 2000\nevent: revision\ndata: 7\n\n: still here\n\nevent: gone\nda",
  );
  expect(events).toEqual([{ name: "revision", data: "7" }]);
  expect(rest).toBe("event: gone\nda");
});

it("makes a problem of an error of the server", () => {
  const problem = problemOf(
    { code: "CONFLICT", message: "no", details: { latestVersion: 2 } },
    new Response(null, { status: 409 }),
  );
  expect([problem.code, problem.status, problem.details.latestVersion]).toEqual(["CONFLICT", 409, 2]);
});

it("knows that nobody answered, itself or through a proxy", () => {
  expect(problemOf(new TypeError("Failed to fetch")).code).toBe(OFFLINE);
  expect(problemOf("Bad Gateway", new Response(null, { status: 502 })).isOffline).toBe(true);
  expect(problemOf(new Error("a bug of ours")).isOffline).toBe(false);
});

it("takes a proxy's own page for nobody's answer, over a channel too", async () => {
  const page = new Response("<html>502 Bad Gateway</html>", { status: 502 });
  vi.stubGlobal("fetch", async () => page);
  await expect(ask("knowledge:entity:read", {})).rejects.toMatchObject({ isOffline: true, status: 502 });
  vi.unstubAllGlobals();
});

it("knows which story a question was about", () => {
  expect(storyOf(storyKey("anything", "story"))).toBe("story");
  expect(storyOf(["settings"])).toBeNull();
});
