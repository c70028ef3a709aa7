// Every place of the page as a picture: two widths, two themes, two languages. Look at them after a change of looks.
// FABULA_URL names a running server, FABULA_SHOTS the folder; words on the command line choose pictures by name.
// FABULA_STORY shows a story that is there already instead of the samples.
import { existsSync, mkdirSync } from "node:fs";
import { chromium } from "@playwright/test";

const {
  FABULA_URL = "http://127.0.0.1:8765",
  FABULA_SHOTS = "node_modules/.shots",
  FABULA_STORY,
} = process.env;
const KNOWN = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const WIDTHS = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };
const THEMES = ["light", "dark"];
const wanted = process.argv.slice(2);

const SAMPLES = {
  en: {
    sample: "harbor.en",
    hero: "Jiang Li",
    text: "At dusk Captain Wen rang the Brass Bell. Old Moss lit the lamp.",
  },
  zh: {
    sample: "harbor.zh",
    hero: "江离",
    text: "黄昏，温船长敲响了铜钟。老苔说：“灯该亮了。”宋渔娘点了点头。",
  },
};

async function ask(path, data) {
  const asked = data === undefined ? {} : { method: "POST", body: JSON.stringify(data) };
  const answer = await fetch(`${FABULA_URL}/api/v2${path}`, {
    ...asked,
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** A story to look at: with scenes, somebody to open, and something that waits for review. */
async function storyFor(language) {
  const { sample, hero, text } = SAMPLES[language];
  const id = FABULA_STORY ?? (await ask(`/samples/${sample}`, {})).id;
  if (!FABULA_STORY) await ask(`/stories/${id}/extract-entities`, { text, chapter: 0, scene: 0 });
  const { content } = await ask(`/stories/${id}/lorebook?size=1000`);
  const entry = content.find(({ entryKey }) => entryKey === hero) ?? content[0];
  const empty = await ask("/stories", { title: language === "zh" ? "空故事" : "Empty", language });
  return { id, entry, empty: empty.id };
}

const press = (key) => (page) => page.keyboard.press(key);

/** What is looked at: its name, its address, and what is done there first. */
const places = ({ id, entry, empty }) => [
  ["home", "/"],
  ["write", `/stories/${id}/write`],
  ["lorebook", `/stories/${id}/lorebook`],
  ["lorebook-entry", `/stories/${id}/lorebook?entry=${entry.id}`],
  [
    "lorebook-bulk",
    `/stories/${id}/lorebook`,
    async (page) => {
      for (const box of await page
        .getByRole("checkbox")
        .all()
        .then((all) => all.slice(0, 3)))
        await box.check({ force: true });
    },
  ],
  [
    "lorebook-import",
    `/stories/${id}/lorebook`,
    (page) =>
      page
        .getByRole("button", { name: /Import|导入/ })
        .first()
        .click(),
  ],
  ["checks", `/stories/${id}/checks`],
  ["checks-rules", `/stories/${id}/checks?which=rules`],
  ["threads", `/stories/${id}/threads`],
  ["knowledge", `/stories/${id}/knowledge`],
  ["graph", `/stories/${id}/graph`],
  ["graph-focus", `/stories/${id}/graph?node=${entry.entityId}`],
  ["graph-table", `/stories/${id}/graph?view=table`],
  ["graph-chapter", `/stories/${id}/graph?chapter=2`],
  ["review", `/stories/${id}/review`],
  ["plan", `/stories/${id}/plan`],
  ["timeline", `/stories/${id}/timeline`],
  ["timeline-happened", `/stories/${id}/timeline?order=happened&pov=${entry.entityId}`],
  ["graph-seen", `/stories/${id}/graph?pov=${entry.entityId}`],
  ["entity", `/stories/${id}/entities/${entry.entityId}`],
  ["settings", `/stories/${id}/settings`],
  ["palette", `/stories/${id}/lorebook`, press("Control+k")],
  ["keys", `/stories/${id}/lorebook`, press("?")],
  ...["write", "lorebook", "graph", "review", "timeline"].map((panel) => [
    `empty-${panel}`,
    `/stories/${empty}/${panel}`,
  ]),
  [
    "trouble",
    `/stories/${id}/timeline`,
    null,
    (page) => page.route("**/events?**", (route) => route.abort()),
  ],
];

mkdirSync(FABULA_SHOTS, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? KNOWN.find(existsSync),
  args: ["--no-sandbox", "--disable-gpu"],
});
const stories = { en: await storyFor("en"), zh: await storyFor("zh") };
for (const language of Object.keys(SAMPLES))
  for (const theme of THEMES)
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      const context = await browser.newContext({ viewport, hasTouch: width === "390", colorScheme: theme });
      await context.addInitScript(
        ([theme, language]) => {
          localStorage.setItem("fabula:theme", JSON.stringify(theme));
          localStorage.setItem("fabula:language", JSON.stringify(language));
        },
        [theme, language],
      );
      for (const [name, address, act, before] of places(stories[language])) {
        const full = `${name}.${language}.${theme}.${width}`;
        if (wanted.length > 0 && !wanted.some((part) => full.includes(part))) continue;
        const page = await context.newPage();
        try {
          await before?.(page);
          await page.goto(FABULA_URL + address, { waitUntil: "load" });
          await page.waitForTimeout(name.startsWith("graph") ? 2_500 : 900);
          await act?.(page);
          await page.waitForTimeout(500);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) console.log(`${full}: ${wide} px too wide`);
        } catch (error) {
          console.log(`${full}: ${error.message.split("\n")[0]}`);
        }
        await page.screenshot({ path: `${FABULA_SHOTS}/${full}.png` });
        await page.close();
      }
      await context.close();
    }
await browser.close();
for (const { id, empty } of Object.values(stories))
  for (const made of FABULA_STORY ? [empty] : [id, empty])
    await fetch(`${FABULA_URL}/api/v2/stories/${made}`, { method: "DELETE" });
