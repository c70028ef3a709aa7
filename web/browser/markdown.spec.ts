import { ADDRESSES, BREAKOUTS, HTML } from "./harmful";
import { expect, expectAccessible, open, test } from "./house";

const WRITTEN = [
  "  # 江离  ",
  "",
  "**守灯人：**他从不*离开*灯塔。",
  "姓名：江离\t",
  "年龄：27",
  "",
  "- 铜钟",
  "- 灯油 <b>三桶</b> &amp; \\*一盏\\*",
  "",
  "| 物 | 处 |",
  "|---|--:|",
  "| 灯 | 塔顶 |",
  "",
  "[志](https://example.org/a) ![画](https://example.org/b.png)",
  "  ",
].join("\n");

test("Markdown is shown beside what is typed, and below it where there is no room, and stored as it was written [MEMORY-3.4.3-markdown]", async ({
  page,
  house,
}) => {
  const story = await house.story("Markdown", "zh");
  const entry = await house.entry(story, { entryKey: "江离", category: "character", content: "守灯人。" });
  await open(page, story, `lorebook?entry=${entry.id}`);
  const field = page.getByLabel("What is told", { exact: true });
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toHaveText("守灯人。");
  await field.fill(WRITTEN);
  await expect(preview.getByRole("heading", { name: "江离", level: 3 })).toBeVisible();
  await expect(preview.locator("strong")).toHaveText("守灯人：");
  await expect(preview.getByRole("listitem")).toHaveText(["铜钟", "灯油 <b>三桶</b> & *一盏*"]);
  await expect(preview.getByRole("cell", { name: "塔顶" })).toBeVisible();
  await expect(preview.getByRole("link")).toHaveText(["志", "Image: 画"]);
  await expect(preview.locator("img")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(/^Saved/)).toBeVisible();
  expect((await house.entries(story))[0]?.content).toBe(WRITTEN);
  await page.reload();
  await expect(field).toHaveValue(WRITTEN);

  await expect(preview.getByRole("heading", { name: "江离" })).toBeVisible();
  /** How far the preview begins to the right of what is typed, and how far below it. */
  const apart = () =>
    preview.evaluate((box) => {
      const [typed, seen] = [document.querySelector("textarea"), box].map((one) =>
        one?.getBoundingClientRect(),
      );
      return typed && seen
        ? { x: Math.round(seen.left - typed.right), y: Math.round(seen.top - typed.bottom) }
        : null;
    });
  await expect.poll(async () => ((await apart())?.x ?? 0) > 0).toBe(true);
  expect((await apart())?.y).toBeLessThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => ((await apart())?.y ?? 0) > 0).toBe(true);
  expect((await apart())?.x).toBeLessThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
});

test("the preview is put away with the keyboard, stays away, and comes back", async ({ page, house }) => {
  const story = await house.story("Put away");
  const entry = await house.entry(story, { entryKey: "Lamp", category: "item", content: "**Old.**" });
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const parsers = () => fetched.filter((url) => /\/Markdown-[^/]*\.js$/.test(url)).length;
  await open(page, story, "lorebook");
  await expect(page.getByText("1 entry")).toBeVisible();
  expect(parsers()).toBe(0);
  await open(page, story, `lorebook?entry=${entry.id}`);
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.locator("strong")).toHaveText("Old.");
  expect(parsers()).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Hide the preview" }).focus();
  await page.keyboard.press("Enter");
  await expect(preview).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("What is told", { exact: true })).toHaveValue("**Old.**");
  await expect(preview).toHaveCount(0);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(preview.locator("strong")).toHaveText("Old.");
});

test("without its parser the preview shows the text as it is, and one goes on writing", async ({
  page,
  house,
}) => {
  const story = await house.story("No parser");
  const entry = await house.entry(story, { entryKey: "Lamp", category: "item", content: "**Old.**\nLamp." });
  await page.route("**/Markdown-*.js", (route) => route.abort());
  await open(page, story, `lorebook?entry=${entry.id}`);
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toHaveText("**Old.** Lamp.");
  await page.getByLabel("What is told", { exact: true }).fill("New.");
  await expect(preview).toHaveText("New.");
});

test("Markdown that means harm runs nothing, loads nothing and leads nowhere", async ({ page, house }) => {
  const story = await house.story("Harm");
  await page.addInitScript(() => {
    const violations: string[] = [];
    Reflect.set(window, "__violations", violations);
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  for (const [place, texts] of [HTML, ADDRESSES, BREAKOUTS].entries()) {
    const content = texts.join("\n\n");
    const entry = await house.entry(story, { entryKey: `Harm ${place}`, category: "custom", content });
    await open(page, story, `lorebook?entry=${entry.id}`);
    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview.locator("p").nth(5)).toBeVisible();
    const seen = await preview.evaluate((box) => ({
      made: box.querySelectorAll(
        "script, img, svg, iframe, object, embed, style, link, form, input, [onclick]",
      ).length,
      led: [...box.querySelectorAll("a")]
        .map(({ protocol }) => protocol)
        .filter((one) => !/^https?:$/.test(one)),
      struck: Reflect.get(window, "__struck") ?? null,
      violations: Reflect.get(window, "__violations"),
    }));
    expect(seen).toEqual({ made: 0, led: [], struck: null, violations: [] });
    if (texts === HTML) for (const html of HTML) await expect(preview).toContainText(html);
    if (texts === ADDRESSES) await expect(preview.locator("a")).toHaveCount(0);
    expect((await house.entries(story)).find(({ id }) => id === entry.id)?.content).toBe(content);
  }
});
