import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

const api = (story: string, rest: string) => `/api/v2/stories/${story}/${rest}`;

async function write(request: APIRequestContext, story: string, text: string, place = "chapters/0/scenes/0") {
  expect((await request.put(api(story, place), { data: { text } })).ok()).toBe(true);
}

/** What the context of a text says it was found by, word by word, in the order of the text. */
async function detected(request: APIRequestContext, story: string, text: string): Promise<string[]> {
  const data = { chapter: 0, scene: 0, text };
  const { trace } = await (await request.post(api(story, "context/assemble"), { data })).json();
  const letters = [...text];
  const places = new Map<number, string>();
  for (const { matches } of trace)
    for (const { start, end } of matches ?? []) places.set(start, letters.slice(start, end).join(""));
  return [...places].sort(([one], [other]) => one - other).map(([, word]) => word);
}

const underlined = (page: Page) => page.locator(".ProseMirror [data-name]");

test("traditional, full-width and accented names are underlined as they are told", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Scripts", "zh");
  for (const entryKey of ["龙吟", "Lin", "Zoë", "青云宗", "𠀀青"])
    await house.entry(story, { entryKey, category: "character", content: "一个人。" });
  const settings = { foldTraditional: true };
  expect((await request.patch(`/api/v2/stories/${story}`, { data: { settings } })).ok()).toBe(true);
  const text = "龍吟与龙吟，🐉ＬＩＮ，Zoe\u0308 and ＺＯË。\n\n青雲宗。Linden，𠀀青。";
  await write(request, story, text);
  await open(page, story, "write");
  const words = ["龍吟", "龙吟", "ＬＩＮ", "Zoe\u0308", "ＺＯË", "青雲宗", "𠀀青"];
  await expect(underlined(page)).toHaveText(words);
  expect(await detected(request, story, text)).toEqual(words);
  await underlined(page).first().hover();
  await expect(page.getByRole("dialog", { name: "龙吟" })).toContainText("一个人。");
  await expectAccessible(page);
});

test("what is underlined is what the context finds, however paragraphs are parted and typed", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Law");
  for (const entryKey of ["Jiang Li", "Li Bai", "龙吟", "Ｌｉｎ", "Zoë", "Straße"])
    await house.entry(story, { entryKey, category: "character", content: "Somebody." });
  const texts = [
    "Jiang Li\nBai met Jiang\nLi.\n\nJiang\n\nLi Bai",
    "Jiang\nLi\nBai\n　　Li Bai\n　　Jiang\nLi",
    "🐉LIN, lin🐉 Zoe\u0308 Zoe ZOË\n\nSTRASSE Strasse s\n\n龍吟龙吟龙吟",
  ];
  await write(request, story, texts[0] ?? "");
  await open(page, story, "write");
  for (const text of texts) {
    await write(request, story, text);
    await expect(page.locator(".ProseMirror p").first()).toHaveText(text.split("\n")[0] ?? "");
    const words = await detected(request, story, text);
    expect(words.length).toBeGreaterThan(1);
    // A name that goes on in the next line is two pieces on the page.
    await expect(underlined(page)).toHaveText(words.flatMap((word) => word.split("\n")));
  }
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  await page.keyboard.type("，Jiang");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Li Bai of Strasse");
  await expect(underlined(page).last()).toHaveText("Strasse");
  const paragraphs = await page.locator(".ProseMirror p").allTextContents();
  await expect(underlined(page)).toHaveText(await detected(request, story, paragraphs.join("\n\n")));
});

test("who is not part of the story yet is marked, and the card says so", async ({ page, house, request }) => {
  const story = await house.story("Later");
  await house.entry(story, {
    entryKey: "Egret",
    category: "character",
    content: "A child.",
    since: { chapter: 1 },
  });
  await write(request, story, "Egret came.");
  await write(request, story, "Egret stayed.", "chapters/1/scenes/0");
  await open(page, story, "write?scene=0.0");
  await expect(underlined(page)).toHaveAttribute("data-out-of-time", "not_yet");
  await underlined(page).hover();
  const card = page.getByRole("dialog", { name: "Egret" });
  // The finding of the check may stand there already; it says the same.
  await expect(card).toContainText(/not part of the story yet/i);
  await expectAccessible(page);
  await open(page, story, "write?scene=1.0");
  await expect(underlined(page)).toHaveText("Egret");
  await expect(underlined(page)).not.toHaveAttribute("data-out-of-time");
});

test("underlines go along with the text while nobody answers, and are put right when somebody does", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Slow");
  await house.entry(story, { entryKey: "Egret", category: "character", content: "A child." });
  await write(request, story, "Fog and Egret");
  await open(page, story, "write");
  await expect(underlined(page)).toHaveText("Egret");
  let isDown = true;
  await page.route("**/mentions", (route) => (isDown ? route.abort() : route.continue()));
  await page.locator(".ProseMirror p").click();
  await page.keyboard.press("Home");
  const refused = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/mentions"));
  await page.keyboard.type("Egret, ");
  await refused;
  await expect(page.locator(".ProseMirror p")).toHaveText("Egret, Fog and Egret");
  await expect(underlined(page)).toHaveText("Egret");
  isDown = false;
  await expect(underlined(page)).toHaveText(["Egret", "Egret"]);
});

test("an @ and a quick Enter take the name that was typed, not the one that was shown before", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Quick");
  for (const entryKey of ["Shan", "Shen"])
    await house.entry(story, { entryKey, category: "character", content: "Somebody." });
  await write(request, story, "Fog.");
  await open(page, story, "write");
  await page.locator(".ProseMirror p").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" @Ｓh");
  await expect(page.getByRole("option")).toHaveText(["Shan", "Shen"]);
  let release = () => {};
  const waiting = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/names?*", async (route) => {
    await waiting;
    await route.continue();
  });
  await page.keyboard.type("e");
  await page.keyboard.press("Enter");
  await expect(page.locator(".ProseMirror p")).toHaveText("Fog. @Ｓhe");
  release();
  await expect(page.locator(".ProseMirror p")).toHaveText("Fog. Shen");
});
