import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

const api = (story: string, rest: string) => `/api/v2/stories/${story}/${rest}`;
const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(text),
});

/** A novel with a title that no other test has. */
const novel = (title: string) =>
  `${title}\n\n第一章 起雾\n\n雾从海上来。林远站在灯下，对苏晚说：“别怕。”\n\n第二章 灯灭\n\n灯灭了。苏晚说：“我在。”\n`;

async function chaptersOf(request: APIRequestContext, story: string): Promise<string[]> {
  const { chapters } = await (await request.get(api(story, "chapters"))).json();
  return chapters.map(({ title }: { title: string }) => title);
}

async function storyIn(page: Page): Promise<string> {
  await expect(page).toHaveURL(/stories\/[^/]+\/write/);
  return /stories\/([^/]+)/.exec(page.url())?.[1] ?? "";
}

test("一部小说拖到故事列表上即可导入并通读", async ({ page, request }) => {
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  const title = `雾港 ${Date.now()}`;
  await page.goto("/");
  const dropped = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ""], name ?? ""));
      return transfer;
    },
    [`${title}.txt`, novel(title)],
  );
  await page.getByRole("main").dispatchEvent("dragover", { dataTransfer: dropped });
  await expect(page.getByText("松开以导入文件")).toBeVisible();
  await page.getByRole("main").dispatchEvent("drop", { dataTransfer: dropped });
  const dialog = page.getByRole("dialog", { name: "导入" });
  await expect(dialog).toContainText("小说");
  await expect(dialog).toContainText("2 章 · 2 个场景");
  await dialog.getByText("识别出的章节").click();
  await expect(dialog.getByRole("listitem")).toHaveText([/第一章 起雾.*雾从海上来/, /第二章 灯灭.*灯灭了/]);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "导入", exact: true }).click();
  await expect(dialog.getByText("小说已通读。")).toBeVisible();
  await dialog.getByRole("button", { name: "打开故事" }).click();
  expect(await chaptersOf(request, await storyIn(page))).toEqual(["第一章 起雾", "第二章 灯灭"]);
});

test("a whole story is exported in the settings, and comes back from its archive", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story(`Harbour: ${Date.now()}`);
  await request.put(api(story, "chapters/0/scenes/0"), { data: { text: "Fog came in." } });
  await house.entry(story, { entryKey: "Egret", category: "character", content: "A child." });
  await open(page, story, "settings");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as .zip" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^Harbour_ \d+\.zip$/);
  await page.goto("/");
  await page.getByRole("button", { name: "Import…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByLabel("File").setInputFiles(await saved.path());
  await expect(dialog).toContainText("A whole story");
  await expect(dialog).toContainText("1 chapter · 1 scene · 3 words · 1 entity · 1 entry");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Open the story" }).click();
  const copy = await storyIn(page);
  expect(copy).not.toBe(story);
  await expect(page.locator(".ProseMirror p")).toHaveText("Fog came in.");
});

test("everything that is wrong with a bundle is listed with its place, and nothing is written", async ({
  page,
  house,
}) => {
  const story = await house.story(`Bundle ${Date.now()}`);
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  const wrong = "- {type: Human, name: Ann}\n\n- {type: Item}\n";
  await dialog.getByLabel("File").setInputFiles(file("lore.yaml", wrong));
  await expect(dialog).toContainText("BUNDLE_INVALID");
  await expect(dialog).toContainText("line 1");
  await expect(dialog).toContainText("Did you mean 'Character'?");
  await expect(dialog).toContainText("line 3");
  await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await expectAccessible(page);
  await dialog.getByLabel("File").setInputFiles(file("lore.yaml", "- {type: Character, name: Ann}\n"));
  await expect(dialog).toContainText("A knowledge bundle: 1 entity");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toContainText("is there. 1 entity");
  expect((await house.entries(story)).length).toBe(0);
});

test("a lorebook goes into this story or becomes a new one", async ({ page, house }) => {
  const story = await house.story(`Lore ${Date.now()}`);
  await house.entry(story, { entryKey: "Mr Salt", category: "character", content: "Weighs names." });
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  const entries = [
    { entryKey: "Mr Salt", category: "character", content: "Weighs souls." },
    { entryKey: "Egret", category: "character", content: "A child." },
  ];
  await dialog.getByLabel("File").setInputFiles(file("lore.json", JSON.stringify({ entries })));
  await expect(dialog).toContainText("A lorebook: 1 entry · 1 there already");
  await dialog.getByText("Change entries that are there already").click();
  await expect(dialog).toContainText("A lorebook: 2 entries");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toContainText("2 entries");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const kept = await house.entries(story);
  expect(kept.map(({ content }) => content).sort()).toEqual(["A child.", "Weighs souls."]);
  await page.getByRole("button", { name: "Import" }).first().click();
  await dialog.getByLabel("File").setInputFiles(file("Salt.json", JSON.stringify({ entries })));
  await dialog.getByLabel("Into").selectOption({ label: "A new story" });
  await expect(dialog.getByLabel("Title of the new story")).toHaveValue("Salt");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Open the story" }).click();
  await expect(page).toHaveURL(/lorebook/);
  expect(page.url()).not.toContain(story);
});

test("a World Info book of SillyTavern comes in with its keys and rules [F15]", async ({ page, house }) => {
  const story = await house.story(`World ${Date.now()}`);
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  const entries = {
    0: {
      key: ["fog"],
      keysecondary: ["harbour"],
      selective: true,
      comment: "The fog",
      content: "It takes names.",
    },
    1: { key: [], comment: "Style", content: "Past tense.", constant: true, order: 7 },
    2: { key: ["nothing"], comment: "Blank", content: "" },
  };
  await dialog.getByLabel("File").setInputFiles(file("world.json", JSON.stringify({ entries })));
  await expect(dialog).toContainText("SillyTavern World Info: 3 entries");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const taken = await house.entries(story);
  const [fog, style] = ["The fog", "Style"].map((key) => taken.find(({ entryKey }) => entryKey === key));
  expect(fog).toMatchObject({
    keywordsJson: ["fog"],
    rules: { secondaryKeywords: ["harbour"], secondaryLogic: "and_any" },
  });
  expect(style).toMatchObject({ aiContextLevel: "always", priority: 7 });
});
