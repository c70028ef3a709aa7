import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { type Change, isConcerned, noteShown, refreshChanged } from "./change";
import { noteRevision, revisionOf, written } from "./revision";
import { queries, storyKey } from "./server";

const change = (kinds: string[], ids: string[] | null = null, revision = 9): Change => ({
  revision,
  kinds,
  ids,
});
const asked = (id: string, data: unknown = {}) => ({ queryKey: storyKey(id, "s"), state: { data } });

it("asks for underlined names again only when names or the way they are matched changed", () => {
  for (const kind of ["entity", "entry", "story", "a kind of tomorrow"])
    expect(isConcerned(asked("mentions"), change([kind, "scene"]))).toBe(true);
  for (const kind of ["scene", "chapter", "snapshot", "proposal", "relation", "state", "event"])
    expect(isConcerned(asked("mentions"), change([kind]))).toBe(false);
});

it("asks again what it knows nothing about, and whatever a new kind of row may concern", () => {
  expect(isConcerned(asked("preview"), change(["scene"]))).toBe(true);
  expect(isConcerned(asked("picture"), change(["scene"]))).toBe(false);
  expect(isConcerned(asked("picture"), change(["scene", "relation"]))).toBe(true);
  expect(isConcerned(asked("picture"), change(["a kind of tomorrow"]))).toBe(true);
});

it("asks for a scene again when that one changed, and not after an autosave of its own", () => {
  const scene = asked("readScene", { id: "here" });
  expect(isConcerned(scene, change(["scene"], ["there"]))).toBe(false);
  expect(isConcerned(scene, change(["scene"], ["here"]))).toBe(true);
  expect(isConcerned(scene, change(["scene"]))).toBe(true);
  expect(isConcerned(asked("readScene", null), change(["scene"], ["there"]))).toBe(true);
  noteShown(12, "here");
  expect(isConcerned(scene, change(["scene"], ["here"], 12))).toBe(false);
  expect(isConcerned(asked("listChapters"), change(["scene"], ["here"], 12))).toBe(true);
});

it("fetches anew what a change concerns and nothing else", async () => {
  const counts = new Map<string, number>();
  const leave = ["mentions", "listChapters"].map((id) =>
    new QueryObserver(queries, {
      queryKey: storyKey(id, "s"),
      queryFn: () => counts.set(id, (counts.get(id) ?? 0) + 1).get(id),
    }).subscribe(() => {}),
  );
  await queries.refetchQueries();
  const [names, chapters] = [counts.get("mentions") ?? 0, counts.get("listChapters") ?? 0];
  await refreshChanged("s", change(["scene"]));
  expect([counts.get("mentions"), counts.get("listChapters")]).toEqual([names, chapters + 1]);
  await refreshChanged("other", null);
  expect([counts.get("mentions"), counts.get("listChapters")]).toEqual([names, chapters + 1]);
  await refreshChanged("s", null);
  expect([counts.get("mentions"), counts.get("listChapters")]).toEqual([names + 1, chapters + 2]);
  for (const end of leave) end();
});

it("knows which step a write was, over REST and over a channel", () => {
  const response = new Response(null, { headers: { "x-fabula-revision": "7" } });
  expect(revisionOf({ data: {}, response })).toBe(7);
  expect(revisionOf(written({ data: { id: "a" }, response }))).toBe(7);
  expect(revisionOf(noteRevision({ id: "a" }, 8))).toBe(8);
  expect(revisionOf({ id: "a" })).toBeNull();
  expect(revisionOf(noteRevision(undefined, 8))).toBeNull();
});
