import { expect, open, test } from "./house";

test("of what was left out only the first is asked for while one writes, and the rest on demand", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Crowd");
  const names = Array.from({ length: 60 }, (_, place) => `Keeper${place}x`);
  const entries = names.map((entryKey) => ({ entryKey, category: "character", content: "Keeps a lamp." }));
  await request.post(`/api/v2/stories/${story}/lorebook/import`, { data: { entries } });
  await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: names.join(", ") } });
  const asked: (number | null)[] = [];
  await page.route("**/context/assemble", async (route) => {
    asked.push(route.request().postDataJSON().leftOutLimit);
    await route.continue();
  });
  await open(page, story, "write");
  const side = page.getByRole("complementary", { name: "Beside the text" });
  await side.getByLabel("Token budget of the context").fill("0");
  await page.keyboard.press("Enter");
  const fold = side.locator("details").filter({ hasText: "Left out" });
  await expect(fold.locator("summary")).toContainText("60");
  await fold.locator("summary").click();
  await expect(fold.getByRole("listitem")).toHaveCount(40);
  // The receipt of the look, which may be asked for beside it, names nothing.
  expect(new Set(asked.filter((limit) => limit !== 0))).toEqual(new Set([40]));
  await fold.getByRole("button", { name: "20 more" }).click();
  await expect(fold.getByRole("listitem")).toHaveCount(60);
  expect(asked.at(-1)).toBe(null);
});

test("a text that brings its own spaces is not indented twice", async ({ page, house, request }) => {
  const story = await house.story("缩进", "zh");
  const text = "　　雾从海上来。\n\n灯亮着。";
  await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text } });
  await open(page, story, "write");
  const indents = () =>
    page
      .locator(".ProseMirror p")
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).textIndent) > 0));
  await expect.poll(indents).toEqual([false, true]);
});

test("Ctrl End goes to the end of a text that is longer than the screen, and Ctrl Home back", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Long");
  const lines = Array.from(
    { length: 200 },
    (_, place) => `Line ${place} ${"of rain on the roof ".repeat(9)}end.`,
  );
  await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: lines.join("\n\n") } });
  await open(page, story, "write");
  await page.locator(".ProseMirror p").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" The last word.");
  await expect(page.locator(".ProseMirror p").last()).toHaveText(/^Line 199 .*end\. The last word\.$/);
  await expect(page.locator(".ProseMirror p").last()).toBeInViewport();
  await page.keyboard.type(" *Nothing* is left of it.");
  await expect(page.locator("[data-italic]")).toHaveText("*Nothing*");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("First. ");
  await expect(page.locator(".ProseMirror p").first()).toHaveText(/^First\. Line 0 /);
});

test("a lost server is said above everything, and covers nothing", async ({ page, house }) => {
  const story = await house.story("Lost");
  await open(page, story, "lorebook");
  await expect(page.getByText("No entries yet")).toBeVisible();
  await page.route("**/api/**", (route) => route.abort());
  await page.getByRole("link", { name: "Timeline" }).click();
  const banner = await page.getByRole("alert").filter({ hasText: "Trying again" }).boundingBox();
  const brand = await page.getByRole("link", { name: "Fabula" }).boundingBox();
  expect(brand?.y).toBeGreaterThanOrEqual((banner?.y ?? 0) + (banner?.height ?? 0));
});

test.describe("on a telephone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("one thing stands below the other, and the search is at hand", async ({ page, house }) => {
    const story = await house.story("Narrow");
    const { entityId } = await house.entry(story, {
      entryKey: "Jiang Li",
      category: "character",
      content: "Keeper of the lamp. ".repeat(30),
    });
    await open(page, story, `entities/${entityId}`);
    const relations = page.getByRole("region", { name: "Relations" });
    await expect(relations).toBeVisible();
    const told = await page.getByText("Keeper of the lamp.").first().boundingBox();
    const below = await relations.boundingBox();
    expect(below?.y).toBeGreaterThan((told?.y ?? 0) + (told?.height ?? 0));
    await page.getByRole("button", { name: "Search" }).click();
    await page.keyboard.type("Jiang");
    await expect(page.getByRole("option", { name: /Jiang Li/ }).first()).toBeVisible();
  });
});
