import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

const api = (story: string, rest: string) => `/api/v2/stories/${story}/${rest}`;

/** Puts scenes that are called by their texts. */
async function write(request: APIRequestContext, story: string, scenes: Record<string, string>) {
  for (const [place, title] of Object.entries(scenes)) {
    const [chapter, scene] = place.split(".");
    const data = { title, text: `${title} is told.` };
    const answer = await request.put(api(story, `chapters/${chapter}/scenes/${scene}`), { data });
    expect(answer.ok()).toBe(true);
  }
}

/** The scenes of each chapter, as the server has them. */
async function kept(request: APIRequestContext, story: string): Promise<Record<number, string>> {
  const { chapters } = await (await request.get(api(story, "chapters"))).json();
  return Object.fromEntries(
    chapters.map(({ chapter, scenes }: { chapter: number; scenes: { title: string }[] }) => [
      chapter,
      scenes.map(({ title }) => title).join(" "),
    ]),
  );
}

const list = (page: Page) => page.getByRole("navigation", { name: "Chapters and scenes" });
const titles = (page: Page) => list(page).locator("li > button > span:first-child");
const row = (page: Page, title: string) => list(page).getByRole("button", { name: new RegExp(`^${title}`) });

test("a scene is moved with the keyboard, keeps the focus, and its secrets go along", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Moves");
  await write(request, story, { "0.0": "Arrival", "0.1": "Reveal", "1.0": "Flight" });
  const entity = { type: "concept", name: "The pact", since: { chapter: 0, scene: 1 } };
  await request.post("/api/v2/ipc/knowledge:entity:create", { data: { projectId: story, ...entity } });
  await open(page, story, "write?scene=0.1");
  await expect(page.locator(".ProseMirror p")).toHaveText("Reveal is told.");
  await row(page, "Reveal").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(titles(page)).toHaveText(["Reveal", "Arrival", "Flight"]);
  await expect(row(page, "Reveal")).toBeFocused();
  await expect(page).toHaveURL(/scene=0\.0/);
  await expect(page.locator(".ProseMirror p")).toHaveText("Reveal is told.");
  await expect(page.getByText("Moved, and 1 fact with it")).toBeVisible();
  await page.keyboard.press("Alt+ArrowDown");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(titles(page)).toHaveText(["Arrival", "Reveal", "Flight"]);
  await expect(row(page, "Reveal")).toBeFocused();
  await expect.poll(() => kept(request, story)).toEqual({ 0: "Arrival", 1: "Reveal Flight" });
  const found = await request.post("/api/v2/ipc/knowledge:entity:list", { data: { projectId: story } });
  expect((await found.json()).data.items[0].since).toEqual({ chapter: 1, scene: 0 });
  await expectAccessible(page);
});

test("what is typed while the scene is moved elsewhere is neither lost nor written over another", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Race");
  await write(request, story, { "0.0": "One", "0.1": "Two" });
  await open(page, story, "write?scene=0.0");
  await page.locator(".ProseMirror p").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And");
  await request.post(api(story, "chapters/0/scenes/0/move"), { data: { chapter: 0, scene: 1 } });
  await page.keyboard.type(" more.");
  await expect(page).toHaveURL(/scene=0\.1/);
  await page.keyboard.type(" Much more.");
  await expect(page.locator(".ProseMirror p")).toHaveText("One is told. And more. Much more.");
  const text = async (scene: number) =>
    (await (await request.get(api(story, `chapters/0/scenes/${scene}`))).json()).text;
  await expect.poll(() => text(1)).toBe("One is told. And more. Much more.");
  expect(await text(0)).toBe("Two is told.");
});

test("a scene and a chapter are dragged to another place", async ({ page, house, request }) => {
  const story = await house.story("Drag");
  await write(request, story, { "0.0": "One", "0.1": "Two", "1.0": "Three" });
  await open(page, story, "write");
  await row(page, "One").dragTo(row(page, "Three"), { targetPosition: { x: 40, y: 30 } });
  await expect(titles(page)).toHaveText(["Two", "Three", "One"]);
  await expect.poll(() => kept(request, story)).toEqual({ 0: "Two", 1: "Three One" });
  const heads = list(page).locator("header");
  await heads.nth(1).dragTo(heads.nth(0), { targetPosition: { x: 40, y: 4 } });
  await expect(titles(page)).toHaveText(["Three", "One", "Two"]);
  await expect.poll(() => kept(request, story)).toEqual({ 0: "Three One", 1: "Two" });
});

test("the dialog says what a move means, and one undo takes it back", async ({ page, house, request }) => {
  const story = await house.story("Dialog");
  await write(request, story, { "0.0": "One", "0.1": "Two", "1.0": "Three" });
  await open(page, story, "write?scene=0.0");
  await row(page, "One").hover();
  await page.getByRole("button", { name: "Move One" }).click();
  const dialog = page.getByRole("dialog", { name: "Move “One” to…" });
  await dialog.getByLabel("Chapter").selectOption({ label: "Chapter 2" });
  await dialog.getByLabel("Position").selectOption({ label: "Before Three" });
  await expect(dialog).toContainText("No fact is dated anew.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(titles(page)).toHaveText(["Two", "One", "Three"]);
  await expect(page).toHaveURL(/scene=1\.0/);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(titles(page)).toHaveText(["One", "Two", "Three"]);
  await expect(page).toHaveURL(/scene=0\.0/);
  await expect.poll(() => kept(request, story)).toEqual({ 0: "One Two", 1: "Three" });
});

test("on a telephone a scene is moved with the dialog", async ({ page, house, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const story = await house.story("Small");
  await write(request, story, { "0.0": "One", "0.1": "Two" });
  await open(page, story, "write?scene=");
  await page.getByRole("button", { name: "Move One" }).click();
  const dialog = page.getByRole("dialog", { name: "Move “One” to…" });
  await dialog.getByLabel("Chapter").selectOption({ label: "A new chapter at the end" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(titles(page)).toHaveText(["Two", "One"]);
  await expect.poll(() => kept(request, story)).toEqual({ 0: "Two", 1: "One" });
});

test("删除一章先说清后果，撤销即可恢复", async ({ page, house, request }) => {
  const story = await house.story("雾港", "zh");
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  await write(request, story, { "0.0": "起雾", "0.1": "灯灭", "1.0": "天明" });
  await open(page, story, "write?scene=0.1");
  const chapters = page.getByRole("navigation", { name: "章节与场景" });
  await chapters.getByRole("button", { name: "删除: 第 1 章" }).click();
  const dialog = page.getByRole("dialog", { name: "删除“第 1 章”？" });
  await expect(dialog).toContainText("将删除 2 个场景，共 8 字");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "删除" }).click();
  await expect(chapters.getByRole("heading")).toHaveText(["第 2 章"]);
  await expect(page).toHaveURL(/scene=1\.0/);
  await page.getByRole("status").getByRole("button", { name: "撤销" }).click();
  await expect.poll(() => kept(request, story)).toEqual({ 0: "起雾 灯灭", 1: "天明" });
  await expect(chapters.getByRole("heading")).toHaveText(["第 1 章", "第 2 章"]);
});

test("names of the scene that no entry knows are listed, and chosen ones become entries", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Finds");
  const text =
    "Margaret Hale walked in. “Good evening,” said Margaret Hale. Mr Thornton bowed. “You are late,” said Mr Thornton. Margaret Hale smiled at Mr Thornton.";
  await request.put(api(story, "chapters/0/scenes/0"), { data: { text } });
  await open(page, story, "write?scene=0.0");
  await page.locator(".ProseMirror p").click();
  await page.keyboard.press("Control+Shift+L");
  const dialog = page.getByRole("dialog", { name: "Names that are not known yet" });
  await expect(dialog.getByRole("checkbox", { name: /Margaret Hale/ })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("checkbox", { name: /Thornton/ }).uncheck();
  await dialog.getByRole("button", { name: "Make 1 entry" }).click();
  await expect(page.locator(".ProseMirror [data-name]").first()).toHaveText("Margaret Hale");
  expect((await house.entries(story)).map(({ entryKey }) => entryKey)).toEqual(["Margaret Hale"]);
  await page.keyboard.type("!");
  await expect(page.locator(".ProseMirror p")).toContainText("!");
});
