import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

test("events are drawn by chapter and person, and found by both", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "timeline");
  await expect(page.getByText("13 events")).toBeVisible();
  const picture = page.getByRole("region", { name: "Who is in which event" });
  await expect(picture.getByRole("button", { name: "Empty Ship" })).toBeVisible();
  await expect(picture).toContainText("The Roll of Names");
  await page.getByLabel("Person", { exact: true }).selectOption({ label: "Nameless Man (2)" });
  await expect(page.getByText("2 of 13 events")).toBeVisible();
  await expect(page).toHaveURL(/person=/);
  await page.getByLabel("Place", { exact: true }).selectOption({ label: "Fogharbour (2)" });
  await expect(page.getByRole("article")).toHaveText([/Empty Ship/]);
  await page.reload();
  await expect(page.getByText("1 of 13 events")).toBeVisible();
  await page.getByLabel("Search events").fill("nothing of the kind");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByText("13 events", { exact: true })).toBeVisible();
});

test("an event of the picture opens in the list, with its people", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "timeline");
  const picture = page.getByRole("region", { name: "Who is in which event" });
  await picture.getByRole("button", { name: "Viewing" }).click();
  const event = page.getByRole("article").filter({ hasText: "Zhibai Surgery" }).first();
  await expect(event).toContainText("the only one who knows him");
  await page.keyboard.press("k");
  await expect(page.getByText("Somebody lashed the wheel")).toBeVisible();
  await page.getByRole("link", { name: "Shen Chao", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Shen Chao" })).toBeVisible();
});

test("a person's name in the picture is a filter, too", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "timeline");
  await page.getByRole("button", { name: /^Egret/ }).click();
  await expect(page.getByText("5 of 13 events")).toBeVisible();
  await page.getByRole("button", { name: /^Egret/ }).click();
  await expect(page.getByText("13 events", { exact: true })).toBeVisible();
});

test("an event is written down, seen at once, and taken back", async ({ page, house }) => {
  const story = await house.story("New");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper." });
  await open(page, story, "timeline");
  await expect(page.getByText("Nothing has happened yet")).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New event" });
  await dialog.getByLabel("Name").fill("Lamps Out");
  await dialog.getByLabel("Who takes part").fill("Jiang Li, Nobody Yet,");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("1 event", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Jiang Li" })).toBeVisible();
  await expect(page.getByText("At no known moment").first()).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Nothing has happened yet")).toBeVisible();
});

const REEF = { name: "Lamps Out", summary: "The lamps go out.", level: 1, causality: "Fog." };

async function tellOf(request: APIRequestContext, story: string, fields: object = {}) {
  const answer = await request.post(`/api/v2/stories/${story}/events`, {
    data: {
      ...REEF,
      roles: [{ name: "Jiang Li", role: "keeper" }, "Egret"],
      locations: ["Tower"],
      ...fields,
    },
  });
  expect(answer.status()).toBe(201);
  return answer.json();
}

const eventOf = async (request: APIRequestContext, story: string, id: string) =>
  (await request.get(`/api/v2/stories/${story}/events/${id}`)).json();

test("an event is changed where it stands, its people keep their parts, and undo takes it back", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Edit");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper." });
  await request.put(`/api/v2/stories/${story}/chapters/2/scenes/0`, { data: { text: "Fog.", title: "Fog" } });
  const { id } = await tellOf(request, story);
  await open(page, story, `timeline?event=${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit event" });
  await dialog.getByLabel("What happens").fill("All lamps go out at once.");
  await dialog.getByLabel("When in the telling", { exact: true }).selectOption("2");
  await dialog.getByLabel("Egret: as what").fill("witness");
  await dialog.getByLabel("Who takes part").fill("Shen Chao,");
  await dialog.getByRole("button", { name: "Remove Tower" }).click();
  await dialog.getByText("More", { exact: true }).click();
  await dialog.getByLabel("Signs").fill("A smell of oil\n\nA bell");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved Lamps Out")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("article")).toContainText("All lamps go out at once.");
  const after = await eventOf(request, story, id);
  expect(after.roles.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ["Jiang Li", "keeper"],
    ["Egret", "witness"],
    ["Shen Chao", ""],
  ]);
  expect(after.roles[0].entityId).not.toBeNull();
  expect(after).toMatchObject({
    moment: { chapter: 2, scene: null },
    locations: [],
    logic: ["A smell of oil", "A bell"],
    causality: "Fog.",
    version: 2,
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("article")).toContainText("The lamps go out.");
  expect((await eventOf(request, story, id)).locations).toHaveLength(1);
});

test("two who change one event see both versions, and keep both", async ({ page, house, request }) => {
  const story = await house.story("Two");
  const { id } = await tellOf(request, story);
  await open(page, story, `timeline?event=${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit event" });
  await dialog.getByLabel("What happens").fill("Every lamp goes out.");
  await dialog.getByLabel("When, in the words of the story").fill("At dusk");
  const theirs = { summary: "Nobody lights them again.", roles: ["Jiang Li"], significance: 0.9 };
  await request.put(`/api/v2/stories/${story}/events/${id}`, { data: theirs });
  await dialog.getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "Two versions of Lamps Out" });
  await expect(conflict).toContainText("Nobody lights them again.");
  await expectAccessible(page);
  // Looking away loses nothing.
  await page.keyboard.press("Escape");
  await expect(dialog.getByLabel("What happens")).toHaveValue("Every lamp goes out.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await conflict.getByRole("radio", { name: "Both" }).click();
  await conflict.getByRole("button", { name: "Save this" }).click();
  await expect(page.getByText("Saved Lamps Out")).toBeVisible();
  const after = await eventOf(request, story, id);
  expect(after).toMatchObject({
    summary: "Every lamp goes out.\n\nNobody lights them again.",
    timeAnchor: "At dusk",
    significance: 0.9,
    version: 3,
  });
  expect(after.roles).toHaveLength(1);
});

test("an event goes with the keyboard, its people stay, and undo brings it back", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Gone");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper." });
  const { id } = await tellOf(request, story);
  await open(page, story, "timeline");
  await page.getByRole("article").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  const dialog = page.getByRole("dialog", { name: "Delete “Lamps Out”?" });
  await expect(dialog).toContainText("Those who take part stay (2), and so do its places (1).");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Nothing has happened yet")).toBeVisible();
  expect(await house.entries(story)).toHaveLength(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("article")).toContainText("Lamps Out");
  expect((await eventOf(request, story, id)).roles).toHaveLength(2);
});

test("an event that could not be saved is still there after a reload", async ({ page, house, request }) => {
  const story = await house.story("Storm");
  const { id } = await tellOf(request, story);
  await open(page, story, `timeline?event=${id}`);
  await page.getByRole("button", { name: "Edit" }).waitFor();
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "Edit event" });
  await dialog.getByLabel("What happens").fill("A storm puts them out.");
  await page.route(`**/events/${id}`, (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Your text is kept in this browser.")).toBeVisible();
  await page.reload();
  await page.unroute(`**/events/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(dialog.getByLabel("What happens")).toHaveValue("A storm puts them out.");
  await expect(dialog.getByText("These changes were not saved yet.")).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved Lamps Out")).toBeVisible();
  expect((await eventOf(request, story, id)).summary).toBe("A storm puts them out.");
});

test("five thousand events scroll like ten", async ({ page, house, request }) => {
  test.slow();
  const story = await house.story("Long");
  const entities = Array.from({ length: 5_000 }, (_, place) => ({
    type: "event",
    name: `Event ${place}`,
    description: `What happened as number ${place}.`,
    since: { chapter: Math.floor(place / 50) },
  }));
  const answer = await request.post("/api/v2/ipc/knowledge:batch:upsert", {
    data: { projectId: story, entities },
  });
  expect((await answer.json()).ok).toBe(true);
  await open(page, story, "timeline");
  await expect(page.getByText("5000 events")).toBeVisible();
  expect(await page.getByRole("article").count()).toBeLessThan(60);
  expect(await page.getByRole("button", { name: /^Event \d+$/ }).count()).toBeLessThan(150);
  await page.getByLabel("Search events").fill("number 4242.");
  await expect(page.getByText("1 of 5000 events")).toBeVisible();
  await expect(page.getByRole("article")).toHaveText([/Event 4242/]);
});

for (const [theme, width] of [
  ["light", 1440],
  ["dark", 390],
] as const) {
  test(`no fault that axe can see: ${theme}, ${width} px`, async ({ page, house }) => {
    const story = await house.sample("harbor.zh");
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => {
      localStorage.setItem("fabula:theme", JSON.stringify(value));
      localStorage.setItem("fabula:language", '"zh"');
    }, theme);
    await open(page, story, "timeline");
    await expect(page.getByText("13 个事件")).toBeVisible();
    await page.keyboard.press("j");
    await expect(page.getByText("重要程度")).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
