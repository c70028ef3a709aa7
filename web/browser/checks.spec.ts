import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, type House, open, test } from "./house";

const GREEN = "Mara Venn had green eyes. She lit the lamp.";
const BLUE = "Fog came in. Mara Venn had blue eyes. She waited.";

const save = async (request: APIRequestContext, story: string, chapter: number, text: string) => {
  const answer = await request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, {
    data: { text, title: chapter === 0 ? "The Lamp" : "The Fog" },
  });
  expect(answer.ok()).toBe(true);
};

const textOf = async (request: APIRequestContext, story: string, chapter: number) =>
  (await (await request.get(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`)).json()).text;

/** Somebody whose eyes are green in one scene and blue in the next. */
async function contradicted(house: House, request: APIRequestContext): Promise<string> {
  const story = await house.story("Eyes");
  await house.entry(story, { entryKey: "Mara Venn", category: "character", content: "Keeper." });
  await save(request, story, 0, GREEN);
  await save(request, story, 1, BLUE);
  return story;
}

const FINDING = /the eyes of “Mara Venn”/;

test("a contradiction stands with both quotations, each leading to its words", async ({
  page,
  house,
  request,
}) => {
  const story = await contradicted(house, request);
  await open(page, story, "checks");
  const finding = page.getByRole("article", { name: FINDING });
  await expect(finding).toContainText("Mara Venn had blue eyes.");
  await expect(finding).toContainText("Mara Venn had green eyes.");
  await expect(page.getByRole("heading", { name: /The Fog/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: /A trait that differs/ })).toBeVisible();
  await expect(finding.getByRole("meter", { name: "How sure" })).toHaveAttribute("aria-valuetext", "90%");
  await page.getByLabel("Severity").selectOption({ label: "Error" });
  await expect(page.getByText("No finding fits")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await finding.getByRole("link", { name: /The Lamp/ }).click();
  await expect(page).toHaveURL(/write\?scene=0\.0$/);
  await expect
    .poll(() => page.evaluate(() => window.getSelection()?.toString()))
    .toBe("Mara Venn had green eyes.");
});

test("a contradiction is mended in one click, and undo takes it back", async ({ page, house, request }) => {
  const story = await contradicted(house, request);
  await open(page, story, "checks");
  await page.getByRole("button", { name: "Write “green”" }).click();
  await expect(page.getByText("Text changed")).toBeVisible();
  await expect(page.getByText("Nothing contradicts itself")).toBeVisible();
  expect(await textOf(request, story, 1)).toBe(BLUE.replace("blue", "green"));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => textOf(request, story, 1)).toBe(BLUE);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByRole("article", { name: FINDING })).toBeVisible();
});

test("what is intended stays quiet, is listed with its reason, and is reported again", async ({
  page,
  house,
  request,
}) => {
  const story = await contradicted(house, request);
  await open(page, story, "checks");
  await page.getByRole("button", { name: "Intended…" }).click();
  await page.getByLabel("Why is it intended?").fill("She wears lenses.");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing contradicts itself")).toBeVisible();
  await page.getByRole("radio", { name: "Intended" }).click({ force: true });
  await expect(page.getByText("She wears lenses.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Report it again" }).click();
  await expect(page.getByText("Nothing is marked as intended")).toBeVisible();
  await page.getByRole("radio", { name: "Findings" }).click({ force: true });
  await expect(page.getByRole("article", { name: FINDING })).toBeVisible();
});

test("a rule is switched off for one story, and comes back", async ({ page, house, request }) => {
  const story = await contradicted(house, request);
  await open(page, story, "checks?which=rules");
  const trait = page.getByLabel("A trait that differs");
  await expect(trait).toHaveValue("warning");
  await trait.selectOption("off");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Findings" }).click({ force: true });
  await expect(page.getByText("Nothing contradicts itself")).toBeVisible();
  await page.getByRole("radio", { name: "Rules" }).click({ force: true });
  await trait.selectOption("error");
  await page.getByRole("radio", { name: "Findings" }).click({ force: true });
  await expect(page.getByRole("article", { name: FINDING })).toContainText("Error");
});

test("while writing, a contradiction is underlined after saving, told, and mended from its card", async ({
  page,
  house,
  request,
}) => {
  const story = await contradicted(house, request);
  await save(request, story, 1, "Fog came in.");
  await open(page, story, "write?scene=1.0");
  const text = page.getByRole("textbox", { name: "The Fog" });
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Mara Venn had blue eyes.");
  await page.keyboard.press("Control+s");
  const squiggle = text.locator("[data-finding]");
  await expect(squiggle).toHaveText("blue");
  await expect(page.getByRole("status").getByRole("button", { name: "1 contradiction" })).toBeVisible();
  await page.keyboard.press("F8");
  const card = page.getByRole("dialog", { name: FINDING });
  await expect(card).toBeFocused();
  await expect(card).toContainText("Mara Venn had green eyes.");
  await expect(page.getByRole("status").filter({ hasText: FINDING })).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(text).toBeFocused();
  await expect(card).toBeHidden();
  await squiggle.hover();
  await card.getByRole("button", { name: "Write “green”" }).click();
  await expect(text).toHaveText("Fog came in. Mara Venn had green eyes.");
  await expect(squiggle).toHaveCount(0);
  await expect(page.getByRole("button", { name: "1 contradiction" })).toBeHidden();
});

test("the manuscript shows how many contradictions a scene has, after the check that follows a save", async ({
  page,
  house,
  request,
}) => {
  test.slow();
  const story = await house.story("Tree");
  await house.entry(story, { entryKey: "Mara Venn", category: "character", content: "Keeper." });
  await save(request, story, 0, GREEN);
  await save(request, story, 1, "Fog came in.");
  await open(page, story, "write?scene=0.0");
  const row = page
    .getByRole("navigation", { name: "Chapters and scenes" })
    .getByRole("button", { name: /^The Fog/ });
  await expect(row).toBeVisible();
  await expect(row).not.toContainText("contradiction");
  await save(request, story, 1, BLUE);
  await expect(row).toContainText("1 contradiction");
});

for (const [theme, width] of [
  ["light", 1440],
  ["dark", 390],
  ["light", 390],
  ["dark", 1440],
] as const) {
  test(`no fault that axe can see: ${theme}, ${width} px`, async ({ page, house, request }) => {
    const story = await house.story("眼睛", "zh");
    await house.entry(story, { entryKey: "江离", category: "character", content: "守灯人。" });
    await save(request, story, 0, "江离有一双绿色的眼睛。她点亮了灯。");
    await save(request, story, 1, "雾来了。江离有一双蓝色的眼睛。她等着。");
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => {
      localStorage.setItem("fabula:theme", JSON.stringify(value));
      localStorage.setItem("fabula:language", '"zh"');
    }, theme);
    await open(page, story, "checks");
    await expect(page.getByRole("button", { name: "改为“绿”" })).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await open(page, story, "write?scene=1.0");
    const squiggle = page.getByRole("textbox").locator("[data-finding]");
    // While the page settles, the text may move under the pointer: then the next word is told, and one clicks again.
    await expect(async () => {
      await squiggle.click();
      await expect(page.getByRole("dialog")).toContainText("江离有一双绿色的眼睛。", { timeout: 3_000 });
    }).toPass();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
