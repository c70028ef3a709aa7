// The first five minutes as a strip of pictures, in both languages: from the list of stories to a context with somebody
// in it, and from a novel to its cast. FABULA_URL names a running server, FABULA_SHOTS the folder.
import { existsSync, mkdirSync } from "node:fs";
import { chromium } from "@playwright/test";

const { FABULA_URL = "http://127.0.0.1:8765", FABULA_SHOTS = "node_modules/.shots" } = process.env;
const KNOWN = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const SAID = {
  en: {
    begin: "New story",
    title: "Title",
    text: "Mara Venn walked between the glass trees. “Wait,” said Tobias Reed. Mara Venn did not turn.",
    add: /Add \d+ new names?/,
    bring: "Import…",
    file: "File",
    take: "Import",
    cast: "See who is in it",
    novel: [1, 2, 3]
      .map(
        (chapter) =>
          `Chapter ${chapter}\n\nMara Venn came home. “You are late,” said Tobias Reed. Mara Venn sat down.`,
      )
      .join("\n\n"),
  },
  zh: {
    begin: "新建故事",
    title: "标题",
    text: "林远推开门。“苏晚，”林远说道，“走吧。”苏晚说：“林远，等等我。”",
    add: /添加 ?\d+ ?个新名/,
    bring: "导入…",
    file: "文件",
    take: "导入",
    cast: "查看人物",
    novel: ["一", "二", "三"]
      .map(
        (chapter) => `第${chapter}回 风起\n\n林远走进园子。苏晚说道：“你来了。”林远笑道：“来了。”苏晚低头。`,
      )
      .join("\n\n"),
  },
};

mkdirSync(FABULA_SHOTS, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? KNOWN.find(existsSync),
  args: ["--no-sandbox", "--disable-gpu"],
});
const made = new Set();
for (const [language, said] of Object.entries(SAID)) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(
    (kept) => localStorage.setItem("fabula:language", JSON.stringify(kept)),
    language,
  );
  const page = await context.newPage();
  let place = 0;
  const picture = async (name) => {
    place += 1;
    const number = String(place).padStart(2, "0");
    await page.screenshot({ path: `${FABULA_SHOTS}/first-minutes.${language}.${number}-${name}.png` });
    const story = /stories\/([^/]+)/.exec(page.url())?.[1];
    if (story) made.add(story);
  };
  await page.goto(FABULA_URL);
  await page.getByRole("button", { name: said.begin }).first().waitFor();
  await picture("home");
  await page.getByRole("button", { name: said.begin }).first().click();
  await page.getByLabel(said.title).fill(language === "zh" ? "雾" : "Glass");
  await picture("title");
  await page.keyboard.press("Enter");
  await page.locator(".ProseMirror").waitFor();
  await picture("empty-page");
  await page.keyboard.type(said.text);
  await page.locator("[data-new-name]").first().waitFor();
  await picture("new-names");
  await page.getByRole("button", { name: said.add }).click();
  await page.locator("[data-name]").first().waitFor();
  await page.waitForTimeout(1_000);
  await picture("context");
  await page.goto(FABULA_URL);
  await page.getByRole("button", { name: said.bring }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel(said.file)
    .setInputFiles({ name: "strip.txt", mimeType: "text/plain", buffer: Buffer.from(said.novel) });
  await page.waitForTimeout(1_000);
  await picture("novel-found");
  await dialog.getByRole("button", { name: said.take, exact: true }).click();
  await dialog.getByRole("button", { name: said.cast }).waitFor();
  await picture("novel-read");
  await dialog.getByRole("button", { name: said.cast }).click();
  await page.waitForTimeout(1_000);
  await picture("cast");
  await context.close();
}
await browser.close();
for (const story of made) await fetch(`${FABULA_URL}/api/v2/stories/${story}`, { method: "DELETE" });
