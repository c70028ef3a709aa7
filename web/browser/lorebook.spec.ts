import { apart, colour, variable } from "./graph";
import { expect, open, test } from "./house";

test("an entry is created, and is an entity, too [MEMORY-3.4.2]", async ({ page, house }) => {
  const story = await house.story("青云");
  await open(page, story, "lorebook");
  await page.getByText("No entries yet").waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Name", { exact: true }).fill("林远");
  await page.getByLabel("What is told").fill("年轻的剑修。");
  await page.getByRole("textbox", { name: "Keywords" }).fill("小远，");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Created 林远")).toBeVisible();
  await expect(page.getByRole("button", { name: /林远.*Character/ })).toBeVisible();
  const [entry] = await house.entries(story);
  expect(entry?.keywordsJson).toEqual(["小远"]);
  expect(entry?.entityId).toBeTruthy();
});

test("the meter counts while one types, and is red over the budget [F02] [MEMORY-3.4.3]", async ({
  page,
  house,
}) => {
  const story = await house.story("Budget");
  const { id } = await house.entry(story, {
    entryKey: "House style",
    content: "Past tense.",
    tokenBudget: 20,
  });
  await open(page, story, `lorebook?entry=${id}`);
  await page.getByLabel("What is told").fill("A very long rule. ".repeat(20));
  await expect(page.getByText("/ 20")).not.toHaveText("3 / 20");
  await expect(page.locator("[data-over] progress")).toBeVisible();
  const bar = await page.locator("[data-over] progress").boundingBox();
  const seen = await colour(page, (bar?.x ?? 0) + 6, (bar?.y ?? 0) + (bar?.height ?? 0) / 2);
  expect(apart(seen, await variable(page, "--color-danger"))).toBeLessThan(20);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved House style")).toBeVisible();
  const [entry] = await house.entries(story);
  await expect(page.getByText(`${entry?.estimatedTokens} / 20`)).toBeVisible();
});

test("a change is shown at once, and undo takes it back", async ({ page, house }) => {
  const story = await house.story("Undo");
  const { id } = await house.entry(story, { entryKey: "Tower", category: "location", content: "Tall." });
  await open(page, story, `lorebook?entry=${id}`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/lorebook/${id}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel("What is told").fill("Tall and dark.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Tall and dark." })).toBeVisible();
  release();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("What is told")).toHaveValue("Tall.");
  expect((await house.entries(story))[0]?.content).toBe("Tall.");
});

test("a new name is in the list at once, goes back when it is refused, and what was typed stays [F03]", async ({
  page,
  house,
}) => {
  const story = await house.story("Refused");
  const { id } = await house.entry(story, { entryKey: "Egret", content: "A bird." });
  await house.entry(story, { entryKey: "Heron", content: "Another." });
  await open(page, story, `lorebook?entry=${id}`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/lorebook/${id}`, async (route) => {
    if (route.request().method() === "PUT") await held;
    await route.continue();
  });
  await page.getByLabel("Name", { exact: true }).fill("Heron");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const list = page.getByRole("listitem");
  await expect(list.filter({ hasText: "Heron" })).toHaveCount(2);
  release();
  await expect(page.getByText("Your text is kept in this browser.").first()).toBeVisible();
  await expect(list.filter({ hasText: "Heron" })).toHaveCount(1);
  await expect(list.filter({ hasText: "Egret" })).toHaveCount(1);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Heron");
  expect((await house.entries(story)).map(({ entryKey }) => entryKey).sort()).toEqual(["Egret", "Heron"]);
});

test("a conflict loses nothing: mine, theirs, or both", async ({ page, house }) => {
  const story = await house.story("Conflict");
  const { id } = await house.entry(story, {
    entryKey: "Jiang Li",
    category: "character",
    content: "A keeper.",
  });
  await open(page, story, `lorebook?entry=${id}`);
  // Nothing is heard of the other change until one saves.
  await page.route("**/live", (route) => route.abort());
  await page.reload();
  await page.getByLabel("What is told").fill("A keeper of lamps.");
  await house.change(story, id, { content: "A keeper of the tower.", priority: 7 });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions of Jiang Li" });
  await expect(dialog).toContainText("A keeper of the tower.");
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("What is told")).toHaveValue("A keeper of lamps.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("radio", { name: "Both" }).click();
  await dialog.getByRole("button", { name: "Save this" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Saved Jiang Li")).toBeVisible();
  const [entry] = await house.entries(story);
  expect(entry?.content).toBe("A keeper of lamps.\n\nA keeper of the tower.");
  expect(entry?.priority).toBe(7);
});

test("what was typed survives a dead server and a reload", async ({ page, house, context }) => {
  const story = await house.story("Storm");
  const { id } = await house.entry(story, { entryKey: "Egret", category: "character", content: "A child." });
  await open(page, story, `lorebook?entry=${id}`);
  await page.getByLabel("What is told").fill("A child who does not speak.");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Your text is kept in this browser.").first()).toBeVisible();
  await context.setOffline(false);
  await page.reload();
  await expect(page.getByLabel("What is told")).toHaveValue("A child who does not speak.");
  await expect(page.getByText("These changes were not saved yet.")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved Egret")).toBeVisible();
  expect((await house.entries(story))[0]?.content).toBe("A child who does not speak.");
});

test("many are changed in one step, and taken back in one", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "lorebook?cat=location");
  await page.getByRole("button", { name: "Select all" }).click();
  const count = (await house.entries(story)).filter(({ category }) => category === "location").length;
  await expect(page.getByText(`${count} selected`)).toBeVisible();
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText(`${count} entries changed`)).toBeVisible();
  expect((await house.entries(story)).filter(({ enabled }) => !enabled)).toHaveLength(count);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  expect((await house.entries(story)).filter(({ enabled }) => !enabled)).toHaveLength(0);
});

test("deleting says what goes with the entry, and undo brings it back [MEMORY-3.4.3-delete]", async ({
  page,
  house,
}) => {
  const story = await house.sample("harbor.en");
  const jiang = (await house.entries(story)).find(({ entryKey }) => entryKey === "Jiang Li");
  await open(page, story, `lorebook?entry=${jiang?.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Jiang Li”?" });
  await expect(dialog).toContainText("with all its relations");
  await expect(dialog).toContainText(/\d+ relations with \d+ others/);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("44 entries")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("45 entries")).toBeVisible();
});

test("entries are imported, and what was wrong with the others is told", async ({ page, house }) => {
  const story = await house.story("Import");
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  const entries = [
    { entryKey: "Mr Salt", category: "character", content: "Weighs names." },
    { entryKey: "Nothing" },
  ];
  await dialog.getByLabel("Or paste it here").fill(JSON.stringify({ entries }));
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toContainText("1 entry");
  await expect(dialog).toContainText("2. Nothing");
});

test("a change by somebody else is seen without asking", async ({ page, house }) => {
  const story = await house.story("Live");
  const { id } = await house.entry(story, { entryKey: "Inkpot", category: "character", content: "A cat." });
  await open(page, story, `lorebook?entry=${id}`);
  await expect(page.getByLabel("What is told")).toHaveValue("A cat.");
  await house.change(story, id, { content: "A black cat." });
  await expect(page.getByLabel("What is told")).toHaveValue("A black cat.");
});

test("a shared word is shown on both entries", async ({ page, house }) => {
  const story = await house.story("Shared");
  await house.entry(story, {
    entryKey: "Jiang Li",
    category: "character",
    content: "One.",
    keywords: ["the keeper"],
  });
  await house.entry(story, {
    entryKey: "Qin Zhu",
    category: "character",
    content: "Two.",
    keywords: ["The Keeper"],
  });
  await house.entry(story, { entryKey: "Fog", content: "Three." });
  await open(page, story, "lorebook?which=doubled");
  await expect(page.getByText("2 of 3 entries")).toBeVisible();
  await page.getByRole("button", { name: /Jiang Li/ }).click();
  await expect(page.getByText("Words in amber call other entries, too.")).toBeVisible();
});

test("the list stays put while one edits", async ({ page, house }) => {
  const story = await house.story("Order");
  for (const [entryKey, priority] of [
    ["High", 90],
    ["Middle", 50],
    ["Low", 10],
  ] as const)
    await house.entry(story, { entryKey, priority, content: "Told." });
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: /Low/ }).click();
  await page.getByRole("spinbutton", { name: "Priority" }).fill("100");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved Low")).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveText([/High/, /Middle/, /Low/]);
  await page.getByRole("button", { name: "Sort again" }).click();
  await expect(page.getByRole("listitem")).toHaveText([/Low/, /High/, /Middle/]);
});

test("a thousand entries scroll like ten, and search is at hand", async ({ page, house, request }) => {
  const story = await house.story("Large");
  const entries = Array.from({ length: 3_000 }, (_, place) => ({
    entryKey: `Entry ${place}`,
    content: `Text ${place}.`,
  }));
  await request.post(`/api/v2/imports?name=lorebook.json&storyId=${story}`, { data: { entries } });
  await open(page, story, "lorebook");
  await expect(page.getByText("3,000 entries")).toBeVisible();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);
  await page.keyboard.press("/");
  await page.keyboard.type("Text 2718.");
  await expect(page.getByRole("listitem")).toHaveText([/Entry 2718/]);
});

test("on a telephone, one goes from the list to an entry and back [F19]", async ({ page, house }) => {
  const story = await house.sample("harbor.zh");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: /^白鹭号/ }).click();
  await page.getByLabel("内容").fill("一条双桅小货船。");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("已保存 白鹭号")).toBeVisible();
  await page.getByRole("button", { name: "返回列表" }).click();
  await expect(page.getByLabel("搜索条目")).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
});
