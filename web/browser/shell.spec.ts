import { expect, expectAccessible, open, test } from "./house";

const PLACES = ["write", "lorebook", "graph", "review", "timeline", "entities/nobody", "settings"];

test("a newcomer opens the sample and finds its lorebook", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Open a sample" }).click();
  await expect(page).toHaveURL(/\/stories\/[^/]+\/lorebook$/);
  await expect(page.getByText("45 entries")).toBeVisible();
});

test("a story is begun, and an address of it can be opened again", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title").fill("夜航");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No entries yet")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No entries yet")).toBeVisible();
  await expect(page).toHaveTitle("Lorebook · 夜航 · Fabula");
});

for (const theme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    test(`no fault that axe can see: ${theme}, ${width} px [F17]`, async ({ page, house }) => {
      test.slow();
      const story = await house.sample(theme === "dark" ? "harbor.zh" : "harbor.en");
      await page.setViewportSize({ width, height });
      await page.addInitScript(
        ([value, language]) => {
          localStorage.setItem("fabula:theme", JSON.stringify(value));
          localStorage.setItem("fabula:language", JSON.stringify(language));
        },
        [theme, theme === "dark" ? "zh" : "en"] as const,
      );
      await page.goto("/");
      await page.getByRole("link", { name: /\d/ }).first().waitFor();
      await expectAccessible(page);
      for (const place of PLACES) {
        await open(page, story, place);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await expectAccessible(page);
      }
      const [first] = await house.entries(story);
      await open(page, story, `lorebook?entry=${first?.id}`);
      await page.getByRole("heading", { level: 2, name: String(first?.displayName) }).waitFor();
      await expectAccessible(page);
    });
  }
}

test("everything can be reached from the keyboard [F17]", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "lorebook");
  await page.getByText("45 entries").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/settings$/);
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await expect(page).toHaveURL(/lorebook$/);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Next entry");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/entry=/);
});

test("the palette finds people of the story", async ({ page, house }) => {
  const story = await house.sample("harbor.zh");
  await open(page, story, "lorebook");
  await page.getByText("45 entries").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("江离");
  await expect(page.getByRole("option", { name: /江离/ }).first()).toBeVisible();
  await expectAccessible(page);
});

test("the page speaks both languages and remembers which [F17]", async ({ page, house }) => {
  const story = await house.story("Two tongues");
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: "中文" }).click();
  await expect(page.getByRole("link", { name: "设定集" })).toBeVisible();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
});

test("a story that is not there is told so", async ({ page }) => {
  await open(page, "nowhere", "lorebook");
  await expect(page.getByRole("alert")).toContainText("nowhere");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a lost connection is told, and found again", async ({ page, house, context }) => {
  const story = await house.story("Far out");
  await open(page, story, "lorebook");
  await page.getByText("No entries yet").waitFor();
  await context.setOffline(true);
  await page.getByRole("button", { name: "New entry" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Adrift");
  await page.getByLabel("What is told").fill("Nobody hears.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The server does not answer. Trying again…")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The server does not answer. Trying again…")).toBeHidden();
});
