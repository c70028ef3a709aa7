import type { Locator, Page } from "@playwright/test";
import { expect, open, test } from "./house";

/** Twelve formats in which lorebooks go about, with the name of a file in each. */
const FILES = {
  sillytavern: "world.json",
  "card-v2": "card2.json",
  "card-v3": "card3.json",
  "card-v2-png": "card.png",
  "character-book": "book.json",
  "lorebook-v3": "lorebook.json",
  novelai: "novelai.lorebook",
  risu: "risu.json",
  agnai: "agnai.json",
  kobold: "kobold.json",
  aidungeon: "cards.json",
  csv: "table.csv",
} as const;

/** Three novels as they are found: Chinese with chapters by number, English hard-wrapped, English as Markdown. */
const CHAPTERS = 12;
const numbered = Array.from({ length: CHAPTERS }, (_, place) => place + 1);
const DIGITS = "一二三四五六七八九十";
const inChinese = (number: number) => (number <= 10 ? DIGITS[number - 1] : `十${DIGITS[number - 11]}`);
const english = (place: number) =>
  `“You are late,” said Tobias Reed to Mara Venn. The lamp on the quay had burned for ${place} nights, and nobody in Greyport had asked why. Mara Venn sat down. “The ferry waited,” said Mara Venn.`;
const wrapped = (text: string) => text.replace(/(.{1,60})(?:\s|$)/g, "$1\n");
const NOVELS = [
  {
    name: "wugang",
    text: numbered
      .map(
        (place) =>
          `第${inChinese(place)}回 雾起\n\n林远走进园子。苏晚说道：“你来了。”林远笑道：“来了。”苏晚看着林远，低头不语。`,
      )
      .join("\n\n"),
    first: "林远",
    chapter: "第十二回 雾起",
  },
  {
    name: "greyport",
    text: numbered.map((place) => `CHAPTER ${place}\n\n${wrapped(english(place))}`).join("\n\n\n"),
    first: "Mara Venn",
    chapter: "CHAPTER 12",
  },
  {
    name: "lamps",
    text: numbered.map((place) => `# Chapter ${place}: The Lamp\n\n${english(place)}`).join("\n\n"),
    first: "Mara Venn",
    chapter: "Chapter 12: The Lamp",
  },
];

async function choosing(page: Page, name: string, buffer: Buffer): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: "Import" });
  await page
    .getByRole("button", { name: /Import/ })
    .first()
    .click();
  await dialog.getByLabel("File").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
  return dialog;
}

test("three novels become stories with their cast, and open where they end", async ({ page, request }) => {
  test.slow();
  for (const { name, text, first, chapter } of NOVELS) {
    const title = `${name} ${Date.now()}`;
    await page.goto("/");
    const dialog = await choosing(page, `${title}.txt`, Buffer.from(text));
    await expect(dialog).toContainText(`${CHAPTERS} chapters`);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByRole("button", { name: "See who is in it" }).click();
    await expect(page.getByRole("link", { name: first, exact: true })).toBeVisible();
    const story = /stories\/([^/]+)/.exec(page.url())?.[1];
    const { chapters } = await (await request.get(`/api/v2/stories/${story}/chapters`)).json();
    expect(chapters.map((one: { title: string }) => one.title).at(-1)).toBe(chapter);
    await page.goto("/");
    await expect(page.getByRole("listitem").filter({ hasText: title })).toContainText(chapter);
  }
});

test("twelve lorebook files of twelve programs go into one story", async ({ page, house, request }) => {
  test.slow();
  const story = await house.story(`Twelve ${Date.now()}`);
  const books = [];
  for (const format of Object.keys(FILES)) {
    const source = await house.story(`Shelf of ${format}`);
    for (const [entryKey, content] of [
      [`Grey lamp of ${format}`, `It burns without oil, says ${format}.`],
      [`Ferryman of ${format}`, `He takes names for his fare, says ${format}.`],
    ] as const)
      await house.entry(source, { entryKey, category: "custom", content, keywords: [entryKey] });
    const saved = await request.get(`/api/v2/stories/${source}/lorebook/export?format=${format}`);
    expect(saved.status(), format).toBe(200);
    books.push([format, await saved.body()] as const);
  }
  await open(page, story, "lorebook");
  for (const [place, [format, body]] of books.entries()) {
    const dialog = await choosing(page, `${place} ${FILES[format as keyof typeof FILES]}`, body);
    await expect(dialog, format).toContainText("2 entries");
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect(dialog, format).toContainText("is there.");
    await dialog.getByRole("button", { name: "Close" }).last().click();
  }
  const { items } = await (await request.get(`/api/v2/stories/${story}/lorebooks`)).json();
  const told = await Promise.all(
    items.map(async ({ id }: { id: string }) => {
      const answer = await request.get(`/api/v2/stories/${story}/lorebook/export?bookId=${id}`);
      return (await answer.json()).entries.map((entry: { content: string }) => entry.content);
    }),
  );
  const all: string[] = told.flat();
  const missing = books.filter(
    ([format]) => all.filter((content) => content.endsWith(`, says ${format}.`)).length !== 2,
  );
  expect(missing.map(([format]) => format)).toEqual([]);
});
