import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";
import { test as own } from "./servers";

const put = (request: APIRequestContext, story: string, chapter: number, text: string) =>
  request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, { data: { text } });

const textOf = async (request: APIRequestContext, story: string, chapter: number): Promise<string> =>
  (await (await request.get(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`)).json()).text;

test("all scenes are read as one job, and not again", async ({ page, house, request }) => {
  const story = await house.story(`Read ${Date.now()}`);
  for (const [chapter, name] of ["Mara Venn", "Tobias Reed", "Ada Quill"].entries())
    await put(request, story, chapter, `${name} walked between the trees. “Wait,” said ${name}.`);
  await open(page, story, "review");
  const read = async () => {
    await page.getByRole("button", { name: "Read a text" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "All scenes" }).click();
    await expect(dialog).toContainText("as one job");
    await dialog.getByRole("button", { name: "Begin" }).click();
  };
  await read();
  await expect(page.getByText(/^Read all scenes: \d+ found$/)).toBeVisible();
  await expect(page.getByText("Tobias Reed").first()).toBeVisible();
  const jobs = await (await request.get(`/api/v2/stories/${story}/jobs`)).json();
  expect(jobs.content.map(({ kind }: { kind: string }) => kind)).toEqual(["manuscript-reading"]);
});

own("a reading of all scenes that was stopped can go on", async ({ page, house, model, request }) => {
  const story = await house.story("Stopped");
  for (const chapter of [0, 1, 2]) await put(request, story, chapter, `Mara Venn walked on, ${chapter}.`);
  await open(page, story, "review");
  await page.getByRole("button", { name: "Read a text" }).first().click();
  await page.getByRole("dialog").getByRole("radio", { name: "All scenes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Begin" }).click();
  await model.next();
  await expect(page.getByRole("progressbar", { name: "Reading all scenes" })).toHaveCount(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Reading all scenes was stopped")).toBeVisible();
  await page.getByRole("button", { name: "Go on" }).click();
  await model.next();
  await expect(page.getByRole("progressbar", { name: "Reading all scenes" })).toHaveCount(1);
  await page.getByRole("button", { name: "Cancel" }).click();
});

own(
  "what is done in the background is told everywhere, listed, and stopped",
  async ({ page, house, model, request }) => {
    const story = await house.story("Busy");
    for (const chapter of [0, 1]) await put(request, story, chapter, `Mara Venn walked on, ${chapter}.`);
    await request.post(`/api/v2/stories/${story}/read-scenes`, { data: { extractor: "model" } });
    await model.next();
    await open(page, story, "lorebook");
    const pill = page.getByRole("button", { name: /^1 job/ });
    await expect(pill).toHaveCount(1);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(pill).toHaveCount(1);
    await expect(pill).toBeInViewport();
    await pill.click();
    const jobs = page.getByRole("dialog", { name: "Background work" });
    await expect(jobs.getByRole("progressbar", { name: "Reading all scenes" })).toBeVisible();
    await expectAccessible(page);
    await jobs.getByRole("button", { name: "Cancel" }).click();
    await expect(jobs).toContainText("Nothing is being done.");
    await expect(jobs).toContainText(/Reading all scenes.*stopped/);
    await jobs.getByRole("button", { name: "Close" }).last().click();
    await expect(pill).toHaveCount(0);
  },
);

test("words are found in the whole book, seen as they would be, and replaced in one step", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story(`Words ${Date.now()}`);
  await put(request, story, 0, "Ann met Anna. ann left.");
  await put(request, story, 1, "Nobody came.");
  await put(request, story, 2, "Then Ann came.");
  await open(page, story, "write?scene=0.0");
  await expect(page.locator(".ProseMirror")).toHaveText("Ann met Anna. ann left.");
  // What is typed and not saved yet is looked through, too.
  await page.locator(".ProseMirror p").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Ann again.");
  await page.keyboard.press("ControlOrMeta+Shift+f");
  const dialog = page.getByRole("dialog", { name: "Find and replace in the whole book" });
  await dialog.getByLabel("Find").fill("Ann");
  await expect(dialog.getByText("4 places in 2 scenes")).toBeVisible();
  await dialog.getByLabel("Replace with").fill("Eve");
  await dialog.getByRole("switch", { name: "Whole words" }).press("Space");
  await expect(dialog.getByText("3 places in 2 scenes")).toBeVisible();
  await expect(dialog.getByRole("listitem").first()).toHaveText("AnnEve met Anna. ann left. Ann again.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Replace 3 places" }).click();
  await expect(page.locator(".ProseMirror")).toHaveText("Eve met Anna. ann left. Eve again.");
  expect(await textOf(request, story, 2)).toBe("Then Eve came.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".ProseMirror")).toHaveText("Ann met Anna. ann left. Ann again.");
  expect(await textOf(request, story, 2)).toBe("Then Ann came.");
});

test("手机宽度下全书替换：只换选中的场景", async ({ page, house, request }) => {
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  await page.setViewportSize({ width: 390, height: 844 });
  const story = await house.story(`替换 ${Date.now()}`, "zh");
  await put(request, story, 0, "林远走了。林远回来了。");
  await put(request, story, 1, "林远说：“好。”");
  await open(page, story, "write");
  await page.getByRole("button", { name: "查找和替换" }).click();
  const dialog = page.getByRole("dialog", { name: "在全书中查找和替换" });
  await dialog.getByLabel("查找").fill("林远");
  await dialog.getByLabel("替换为").fill("林近");
  await expect(dialog.getByText("2 个场景中的 3 处")).toBeVisible();
  await dialog.getByLabel(/^替换：第 1 章/).uncheck();
  const box = await dialog.boundingBox();
  expect(box && box.width <= 390).toBe(true);
  await dialog.getByRole("button", { name: "替换 1 处" }).click();
  await expect(page.getByText("已替换 1 处")).toBeVisible();
  expect(await textOf(request, story, 0)).toBe("林远走了。林远回来了。");
  expect(await textOf(request, story, 1)).toBe("林近说：“好。”");
});

test("the number of words of a whole novel stays in its column", async ({ page, house, request }) => {
  const story = await house.story(`Long ${Date.now()}`);
  await put(request, story, 0, "Fog.");
  await put(request, story, 1, "word ".repeat(123_456).trim());
  await open(page, story, "write?scene=0.0");
  const foot = page.getByText("123,457 words").locator("..");
  await expect(foot).toBeVisible();
  expect(await foot.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
});
