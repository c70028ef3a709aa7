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
