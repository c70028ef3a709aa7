import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, type House, open, test } from "./house";

const save = async (request: APIRequestContext, story: string, text: string) => {
  const answer = await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, {
    data: { text, title: "The Lamp" },
  });
  expect(answer.ok()).toBe(true);
  return answer.json();
};

/** Two people whose facts rest on words that were rewritten since. */
async function rewritten(house: House, request: APIRequestContext) {
  const story = await house.story("Rewritten");
  const mara = await house.entry(story, { entryKey: "Mara Venn", category: "character", content: "Keeper." });
  const tom = await house.entry(story, { entryKey: "Tom Reed", category: "character", content: "Pilot." });
  const { id: sceneId } = await save(request, story, "Mara Venn kept the lamp. Tom Reed was a pilot.");
  for (const [entry, quotation] of [
    [mara, "Mara Venn kept the lamp."],
    [tom, "Tom Reed was a pilot."],
  ] as const) {
    const answer = await request.post(`/api/v2/stories/${story}/evidence`, {
      data: { kind: "entity", id: entry.entityId, sceneId, quotation },
    });
    expect(answer.status()).toBe(201);
  }
  await save(request, story, "She always kept the lamp. Nobody else came.");
  return { story, mara, tom };
}

test("stale facts stand with what the text said and says, and are confirmed, many at once", async ({
  page,
  house,
  request,
}) => {
  const { story, mara } = await rewritten(house, request);
  await open(page, story, `entities/${mara.entityId}`);
  await page.getByRole("link", { name: "1 stale fact" }).click();
  const list = page.getByRole("list", { name: "Stale facts" });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Those of everybody" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  const own = list.getByRole("listitem").filter({ hasText: "Mara Venn" }).first();
  await expect(own).toContainText("Mara Venn kept the lamp.");
  await expect(own).toContainText("She always kept the lamp.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Still true" }).first().click();
  await expect(page.getByText("2 facts confirmed")).toBeVisible();
  await expect(page.getByText("No stale facts")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
});

test("a stale fact is corrected, and another dropped", async ({ page, house, request }) => {
  const { story } = await rewritten(house, request);
  await open(page, story, "review?which=stale");
  const list = page.getByRole("list", { name: "Stale facts" });
  const of = (name: string) => list.getByRole("listitem").filter({ hasText: name });
  await of("Mara Venn").getByRole("button", { name: "Correct…" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct what is known of Mara Venn" });
  await dialog.getByLabel("What is true").fill("She keeps the light.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("1 fact corrected")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await of("Tom Reed").getByRole("button", { name: "Drop" }).click();
  await expect(page.getByText("No stale facts")).toBeVisible();
});

for (const [theme, width] of [
  ["light", 1440],
  ["dark", 390],
] as const) {
  test(`no fault that axe can see: ${theme}, ${width} px`, async ({ page, house, request }) => {
    const { story } = await rewritten(house, request);
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => {
      localStorage.setItem("fabula:theme", JSON.stringify(value));
      localStorage.setItem("fabula:language", '"zh"');
    }, theme);
    await open(page, story, "review?which=stale");
    await expect(page.getByRole("button", { name: "仍然成立" })).toHaveCount(2);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
