import { expect, expectAccessible, open, test } from "./house";
import { test as own } from "./servers";

const PARAGRAPH =
  "Mara Venn walked between the glass trees. “Wait,” said Tobias Reed. Mara Venn did not turn.";

const inChinese = () => localStorage.setItem("fabula:language", '"zh"');

own(
  "from an empty database to a context with somebody in it: a paragraph and one click",
  async ({ page, server }, { annotations }) => {
    let clicks = 0;
    const click = async (name: string) => {
      clicks += 1;
      await page.getByRole("button", { name }).click();
    };
    const began = Date.now();
    await page.goto(server.url);
    await expect(page.getByRole("button", { name: "Open a sample" })).toBeVisible();
    await click("New story");
    await page.getByLabel("Title").fill("Glass");
    await page.keyboard.press("Enter");
    // The cursor is in the empty page: nothing is clicked before the first word.
    await expect(page.locator(".ProseMirror")).toBeFocused();
    const toPage = clicks;
    await page.keyboard.type(PARAGRAPH);
    await expect(page.locator("[data-new-name]")).toHaveText(["Mara Venn", "Tobias Reed", "Mara Venn"]);
    await expectAccessible(page);
    await click("Add 2 new names");
    const told = page.getByRole("group", { name: "Context" });
    await expect(told).toContainText("Mara Venn");
    await expect(told).toContainText("Tobias Reed");
    await expect(page.locator("[data-new-name]")).toHaveCount(0);
    await expect(page.locator("[data-name]")).toHaveText(["Mara Venn", "Tobias Reed", "Mara Venn"]);
    const seconds = (Date.now() - began) / 1000;
    annotations.push({ type: "clicks", description: String(clicks) });
    annotations.push({ type: "seconds", description: seconds.toFixed(1) });
    console.log(`from an empty database: ${clicks} clicks, ${seconds.toFixed(1)} s`);
    expect(clicks - toPage).toBe(1);
    expect(clicks).toBe(2);
  },
);

test("adding new names is one step back", async ({ page, house }) => {
  const story = await house.story(`Undone ${Date.now()}`);
  await page.request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: PARAGRAPH } });
  await open(page, story, "write?scene=0.0");
  await page.getByRole("button", { name: "Add 2 new names" }).click();
  await expect(page.locator("[data-name]").first()).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("[data-new-name]").first()).toBeVisible();
  await expect(page.locator("[data-name]")).toHaveCount(0);
});

test("谁是谁：虚线下划线、卡片、键盘；不是名字就不再问", async ({ page, house }) => {
  await page.addInitScript(inChinese);
  const story = await house.story(`谁 ${Date.now()}`, "zh");
  const text = "林远推开门。“苏晚，”林远说道，“走吧。”苏晚说：“林远，等等我。”";
  await page.request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text } });
  await open(page, story, "write?scene=0.0");
  await page.locator("[data-new-name=林远]").first().click();
  const card = page.getByRole("dialog", { name: "“林远”是谁？" });
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await card.getByRole("button", { name: "角色" }).click();
  await expect(page.locator("[data-name]").first()).toHaveText("林远");
  // With the keyboard: the cursor in the name, and the key that asks who it is.
  await page.locator("[data-new-name=苏晚]").first().click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+j");
  const asked = page.getByRole("dialog", { name: "“苏晚”是谁？" });
  await expect(asked.getByRole("button").first()).toBeFocused();
  await asked.getByRole("button", { name: "不是名字" }).press("Enter");
  await expect(page.locator("[data-new-name]")).toHaveCount(0);
  await page.reload();
  await expect(page.locator("[data-name]").first()).toHaveText("林远");
  await expect(page.locator("[data-new-name]")).toHaveCount(0);
});

test("a new name becomes another name of somebody known", async ({ page, house }) => {
  const story = await house.story(`Known ${Date.now()}`);
  await house.entry(story, { entryKey: "The Warden", category: "character", content: "Keeps the gate." });
  await page.request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: PARAGRAPH } });
  await open(page, story, "write?scene=0.0");
  await page.locator("[data-new-name='Tobias Reed']").click();
  await page.getByRole("button", { name: "Somebody known…" }).click();
  const dialog = page.getByRole("dialog", { name: "Whose name is “Tobias Reed”?" });
  await dialog.getByRole("combobox").fill("Warden");
  await dialog.getByRole("option", { name: /The Warden/ }).click();
  await dialog.getByRole("button", { name: "The same" }).click();
  await expect(page.locator("[data-name]", { hasText: "Tobias Reed" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Context" })).toContainText("Keeps the gate.");
});

const CHAPTERS = [
  "第一回 风起\n\n贾宝玉走进园子。林黛玉说道：“你来了。”贾宝玉笑道：“来了。”贾宝玉坐下。林黛玉低头。",
  "第二回 雨落\n\n宝二爷来了。贾宝玉说：“今日下雨。”林黛玉道：“是。”",
  "第三回 云散\n\n林黛玉走了。贾宝玉叹道：“散了。”",
];

test("导入之后是人物表：按提及次数，点一下合为一人，可撤销，打开第几回", async ({ page }) => {
  await page.addInitScript(inChinese);
  await page.goto("/");
  const title = `园 ${Date.now()}`;
  await page.getByRole("button", { name: "导入…" }).click();
  const dialog = page.getByRole("dialog", { name: "导入" });
  await dialog.getByLabel("文件").setInputFiles({
    name: `${title}.txt`,
    mimeType: "text/plain",
    buffer: Buffer.from(CHAPTERS.join("\n\n")),
  });
  await dialog.getByRole("button", { name: "导入", exact: true }).click();
  await dialog.getByRole("button", { name: "查看人物" }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/cast$/);
  const story = /stories\/([^/]+)/.exec(page.url())?.[1] ?? "";
  // Whoever a short book does not make sure of is put in by hand here, so that there are two to join.
  for (const name of ["贾宝玉", "林黛玉", "宝二爷"])
    await page.request.post(`/api/v2/stories/${story}/lorebook`, {
      data: { entryKey: name, category: "character", content: "…" },
    });
  const names = page.getByRole("main").getByRole("link", { name: /^(贾宝玉|林黛玉|宝二爷)$/ });
  await expect(names).toHaveText(["贾宝玉", "林黛玉", "宝二爷"]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "与“宝二爷”是同一个人" }).click();
  await expect(page.getByText("谁和“宝二爷”是同一个人？")).toBeVisible();
  await page.getByRole("button", { name: "就是“贾宝玉”" }).click();
  await expect(names).toHaveText(["贾宝玉", "林黛玉"]);
  await expect(
    page.getByRole("main").getByRole("listitem").filter({ hasText: "宝二爷" }).first(),
  ).toBeVisible();
  await page.getByRole("button", { name: "撤销" }).click();
  await expect(names).toHaveText(["贾宝玉", "林黛玉", "宝二爷"]);
  await page.getByRole("link", { name: "打开第二回" }).click();
  await expect(page.locator(".ProseMirror")).toContainText("宝二爷来了");
});

test("one card of the cast dropped on another makes one person of two", async ({ page, house }) => {
  const story = await house.story(`Dropped ${Date.now()}`);
  for (const entryKey of ["Mara Venn", "The Heron"])
    await house.entry(story, { entryKey, category: "character", content: "…" });
  const text = "Mara Venn walked. Mara Venn turned. The Heron was gone.";
  const at = `/api/v2/stories/${story}/chapters/0`;
  await page.request.put(at, { data: { title: "Chapter IX. In which the fog comes in from the sea" } });
  await page.request.put(`${at}/scenes/0`, { data: { text } });
  await open(page, story, "cast");
  const card = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
  await expect(card("The Heron").getByRole("link", { name: "Open Chapter IX", exact: true })).toBeVisible();
  await card("The Heron").dragTo(card("Mara Venn"));
  await expect(card("The Heron")).toHaveCount(0);
  await expect(card("Mara Venn").getByRole("listitem")).toHaveText("The Heron");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(card("The Heron")).toHaveCount(1);
});

test("home: tiles say where to go on; rename, duplicate, export, delete", async ({ page, house }) => {
  const title = `Tile ${Date.now()}`;
  const story = await house.story(title);
  await page.request.put(`/api/v2/stories/${story}/chapters/13/scenes/0`, {
    data: { text: "One two three." },
  });
  await page.request.put(`/api/v2/stories/${story}/chapters/13`, { data: { title: "第十四回" } });
  await page.goto("/");
  const tile = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await expect(tile(title)).toContainText("3 words");
  await expect(tile(title)).toContainText("Continue: 第十四回");
  const choose = async (name: string, action: string) => {
    await tile(name).getByLabel(`More about ${name}`).press("Enter");
    await tile(name).getByRole("button", { name: action }).click();
  };
  await choose(title, "Rename");
  await page.getByLabel("Title").fill(`${title} II`);
  await page.keyboard.press("Enter");
  await expect(tile(`${title} II`)).toBeVisible();
  await choose(`${title} II`, "Duplicate");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(tile(`${title} II (copy)`)).toContainText("Continue: 第十四回");
  await expectAccessible(page);
  const saving = page.waitForEvent("download");
  await choose(`${title} II`, "Export");
  expect((await saving).suggestedFilename()).toBe(`${title} II.zip`);
  await choose(`${title} II (copy)`, "Delete");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete" })).toBeDisabled();
  await dialog.getByLabel("Title").fill(`${title} II (copy)`);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(tile(`${title} II (copy)`)).toHaveCount(0);
  await tile(`${title} II`).getByRole("link").click();
  await expect(page.locator(".ProseMirror")).toHaveText("One two three.");
});

test("at 390 px the cast, the tiles and the card of a name fit", async ({ page, house }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const story = await house.story(`Narrow ${Date.now()}`);
  await page.request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: PARAGRAPH } });
  const fits = () =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  await open(page, story, "write?scene=0.0");
  await page.locator("[data-new-name]").first().click();
  const card = page.getByRole("dialog", { name: "Who is Mara Venn?" });
  const box = await card.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await card.getByRole("button", { name: "Character" }).click();
  await expect(page.locator("[data-name]").first()).toBeVisible();
  await open(page, story, "cast");
  await expect(page.getByRole("link", { name: "Mara Venn" })).toBeVisible();
  expect(await fits()).toBe(true);
  await expectAccessible(page);
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Narrow/ }).first()).toBeVisible();
  expect(await fits()).toBe(true);
});
