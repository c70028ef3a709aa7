import { expect, expectAccessible, open, test } from "./house";

const PLACES = [
  "write",
  "lorebook",
  "tryout",
  "cast",
  "graph",
  "review",
  "checks",
  "threads",
  "knowledge",
  "timeline",
  "entities/nobody",
  "settings",
];

test("a newcomer opens the sample at its last scene and finds its lorebook", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Open a sample" }).click();
  await expect(page).toHaveURL(/\/stories\/[^/]+\/write/);
  await expect(page.locator(".ProseMirror")).toBeVisible();
  await page.getByRole("link", { name: "Lorebook" }).click();
  await expect(page.getByText("45 entries")).toBeVisible();
});

test("a story is begun, and an address of it can be opened again", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "New story" }).click();
  await page.getByLabel("Title").fill("夜航");
  await page.keyboard.press("Enter");
  await expect(page.locator(".ProseMirror")).toBeFocused();
  await page.reload();
  await expect(page.locator(".ProseMirror")).toBeVisible();
  await expect(page).toHaveTitle("Write · 夜航 · Fabula");
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

test("the palette finds a passage of the book, and opens it with its words selected", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Glass");
  const api = `/api/v2/stories/${story}`;
  await request.put(`${api}/chapters/0`, { data: { title: "Chapter IX" } });
  const text = "The harbour slept.\n\nNobody had ever counted the copper herons on the roof.";
  await request.put(`${api}/chapters/0/scenes/0`, { data: { text } });
  await open(page, story, "lorebook");
  await page.getByText("No entries yet").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("copper herons");
  const passage = page.getByRole("option", { name: /counted the copper herons.*Chapter IX/ });
  await expect(passage).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/write/);
  await expect.poll(() => page.evaluate(() => window.getSelection()?.toString())).toContain("copper herons");
});

test("the palette begins scenes, chapters, entries, events and threads, and knows where one was", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Begun");
  const scene = `/api/v2/stories/${story}/chapters/0/scenes/0`;
  await request.put(scene, { data: { text: "Fog.", title: "The quay" } });
  await open(page, story, "write");
  await expect(page.locator(".ProseMirror")).toContainText("Fog.");
  const run = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
  };
  await run("New scene");
  await expect(page).toHaveURL(/write\?scene=0\.1$/);
  await run("New chapter");
  await expect(page).toHaveURL(/write\?scene=1\.0$/);
  await run("New entry");
  await expect(page).toHaveURL(/lorebook\?entry=new$/);
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeVisible();
  await run("New event");
  await expect(page.getByRole("dialog", { name: "New event" })).toBeVisible();
  await page.keyboard.press("Escape");
  await run("New thread");
  await expect(page.getByRole("dialog", { name: "New thread" })).toBeVisible();
  // Closed and opened again at its address, it begins nothing a second time.
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("button", { name: "New thread" }).first()).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const chapters = (await (await request.get(`/api/v2/stories/${story}/chapters`)).json()).chapters;
  expect(chapters.map(({ scenes }: { scenes: unknown[] }) => scenes.length)).toEqual([2, 1]);
  // Where one was comes first, before anything is typed.
  await page.keyboard.press("Control+k");
  const options = page.getByRole("option");
  await expect(options.filter({ hasText: "Recent" })).toHaveCount(3);
  await expect(options.nth(2)).toHaveText(/The quay.*Recent/);
  await expectAccessible(page);
  await options.nth(2).click();
  await expect(page).toHaveURL(/write\?scene=0\.0$/);
  await expect(page.getByRole("button", { name: "Search" }).last()).toContainText(/Ctrl \+ K|⌘K/);
});

test("a step of many changes asks before it is undone", async ({ page, house, request }) => {
  const story = await house.story("Many");
  const entries = Array.from({ length: 25 }, (_, place) => ({
    entryKey: `Lamp ${place}`,
    category: "item",
    content: "It burns.",
  }));
  const taken = await request.post(`/api/v2/stories/${story}/lorebook/import`, { data: { entries } });
  expect(taken.ok()).toBe(true);
  await open(page, story, "lorebook");
  await expect(page.getByText("25 entries")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText(/This step has \d+ changes\. Undo all of them\?/)).toBeVisible();
  await expect(page.getByText("25 entries")).toBeVisible();
  await page.getByRole("button", { name: "Undo all" }).click();
  await expect(page.getByText("No entries yet")).toBeVisible();
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
  await page.getByRole("button", { name: "New entry" }).first().click();
  await page.getByLabel("Name", { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByLabel("Name", { exact: true }).fill("Adrift");
  await page.getByLabel("What is told").fill("Nobody hears.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("The server does not answer. Trying again…")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The server does not answer. Trying again…")).toBeHidden();
});
