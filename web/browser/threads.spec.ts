import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

const BELL = "The bell rang thirteen times. Nobody knew why.";
const WHY = "A child had hung on the rope.";

const save = async (request: APIRequestContext, story: string, chapter: number, text: string) => {
  const answer = await request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, {
    data: { text, title: `Scene of ${chapter + 1}` },
  });
  expect(answer.ok()).toBe(true);
  return answer.json();
};

const threadsOf = async (request: APIRequestContext, story: string) =>
  (await (await request.get(`/api/v2/stories/${story}/threads`)).json()).items;

/** Selects words of the open scene as somebody would with a pointer. */
async function select(page: Page, words: string) {
  const text = page.getByRole("textbox", { name: /^Scene of/ });
  await text.click();
  await text.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1;
      if (at >= 0) document.getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length);
    }
  }, words);
}

test("a thread is planted, goes on and is paid off from words of the text", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Bell");
  await house.entry(story, { entryKey: "Mara Venn", category: "character", content: "Keeper." });
  await save(request, story, 0, BELL);
  await save(request, story, 1, WHY);
  await open(page, story, "write?scene=0.0");
  await select(page, "thirteen times");
  await page
    .getByRole("toolbar", { name: "With the selected words" })
    .getByRole("button", { name: "Plant" })
    .click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "New thread" }).click();
  const dialog = page.getByRole("dialog", { name: "New thread" });
  await dialog.getByLabel("Promise to the reader").fill("Why the bell rang");
  await dialog.getByLabel("Kind").selectOption({ label: "Mystery" });
  await dialog.getByRole("combobox", { name: "Whom it concerns" }).fill("Mara");
  await dialog.getByRole("option", { name: /Mara Venn/ }).click();
  await dialog.getByLabel("When it is due").selectOption({ label: "Within some chapters of its plant" });
  await dialog.getByLabel("Chapters").fill("2");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Created “Why the bell rang”")).toBeVisible();
  await expect(page.getByRole("textbox").locator("[data-point=plants]")).toHaveText("thirteen times");

  await open(page, story, "write?scene=1.0");
  await select(page, "hung on the rope");
  await page.keyboard.press("Control+Shift+k");
  const mark = page.getByRole("dialog", { name: "Part of a thread" });
  await mark.getByRole("radio", { name: "Pay off" }).check({ force: true });
  await mark.getByRole("button", { name: "Pay off" }).click();
  await expect(page.getByRole("textbox").locator("[data-point=payoffs]")).toHaveText("hung on the rope");
  const [thread] = await threadsOf(request, story);
  expect(thread).toMatchObject({ kind: "mystery", status: "paid", dueWithin: 2 });
  expect(thread.people).toHaveLength(1);

  await open(page, story, "timeline");
  const lanes = page.getByRole("region", { name: "Threads through the chapters" });
  await expect(lanes.getByRole("link", { name: /^Plants: / })).toBeVisible();
  await expect(lanes.getByRole("link", { name: /^Pay-offs: / })).toBeVisible();
  await expect(lanes.getByText("Due", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await lanes.getByRole("link", { name: "Why the bell rang" }).click();
  const row = page.getByRole("article", { name: "Why the bell rang" });
  await expect(row).toContainText("Paid off");
  await expect(row).toContainText("Mara Venn");
  await row.getByRole("link", { name: /Scene of 2/ }).click();
  await expect.poll(() => page.evaluate(() => window.getSelection()?.toString())).toBe("hung on the rope");
});

test("a thread is written down, changed, seen as of an earlier chapter, deleted and brought back", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Threads");
  const { id: sceneId } = await save(request, story, 0, BELL);
  await save(request, story, 4, WHY);
  await open(page, story, "threads");
  await expect(page.getByText("No promise to the reader yet")).toBeVisible();
  const answer = await request.post(`/api/v2/stories/${story}/threads`, {
    data: {
      title: "The bell",
      kind: "clue",
      dueWithin: 1,
      plants: [{ sceneId, quotation: "The bell rang" }],
    },
  });
  expect(answer.status()).toBe(201);
  const row = page.getByRole("article", { name: "The bell" });
  await expect(row).toContainText("Overdue");
  await page.getByLabel("As of", { exact: true }).selectOption("0");
  await expect(row).toContainText("Open");
  await row.getByRole("button", { name: "Edit “The bell”" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit thread" });
  await dialog.getByLabel("Note of your own").fill("A child did it.");
  await dialog.getByText("Dropped: it will not be paid off").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Dropped");
  await expect(row).toContainText("A child did it.");
  await row.getByRole("button", { name: "Remove “The bell rang”" }).click();
  await expect(row).toContainText("Not in the text yet");
  await row.getByRole("button", { name: "Delete “The bell”" }).click();
  await expect(page.getByText("No promise to the reader yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(row).toBeVisible();
});

test("words that establish a fact are attached to it", async ({ page, house, request }) => {
  const story = await house.story("Evidence");
  const entry = await house.entry(story, {
    entryKey: "Mara Venn",
    category: "character",
    content: "Keeper.",
  });
  await save(request, story, 0, "𠮷 saw that Mara Venn had green eyes.");
  await open(page, story, "write?scene=0.0");
  await select(page, "green eyes");
  await page.getByRole("button", { name: "Established here" }).click();
  const dialog = page.getByRole("dialog", { name: "Established here" });
  await dialog.getByRole("combobox", { name: "About whom or what" }).fill("Mara");
  await dialog.getByRole("option", { name: /Mara Venn/ }).click();
  await expect(dialog.getByLabel("Which fact")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Attach" }).click();
  await expect(page.getByText("Attached to Mara Venn")).toBeVisible();
  const answer = await request.get(`/api/v2/stories/${story}/evidence?kind=entity&id=${entry.entityId}`);
  const { items } = await answer.json();
  expect(items).toMatchObject([{ quotation: "green eyes", start: 25, end: 35 }]);
});

for (const [theme, width] of [
  ["light", 1440],
  ["dark", 390],
] as const) {
  test(`no fault that axe can see: ${theme}, ${width} px`, async ({ page, house, request }) => {
    const story = await house.story("钟", "zh");
    const { id: sceneId } = await save(request, story, 0, "钟响了十三下。没有人知道为什么。");
    await request.post(`/api/v2/stories/${story}/threads`, {
      data: { title: "钟为何而响", kind: "mystery", plants: [{ sceneId, quotation: "钟响了十三下" }] },
    });
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => {
      localStorage.setItem("fabula:theme", JSON.stringify(value));
      localStorage.setItem("fabula:language", '"zh"');
    }, theme);
    await open(page, story, "threads");
    await expect(page.getByRole("article", { name: "钟为何而响" })).toContainText("未回收");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await open(page, story, "write?scene=0.0");
    await expect(page.getByRole("textbox").locator("[data-point=plants]")).toHaveText("钟响了十三下");
    await expectAccessible(page);
  });
}
