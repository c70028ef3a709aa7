import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, open, test as plain } from "./house";
import { test } from "./servers";

const sceneAt = (story: string, chapter: number, scene: number) =>
  `/api/v2/stories/${story}/chapters/${chapter}/scenes/${scene}`;

const read = async (request: APIRequestContext, story: string, chapter = 0, scene = 0) =>
  (await request.get(sceneAt(story, chapter, scene))).json();

/** Two chapters with two scenes each, somebody to tell them, and a thread from the first to the last. */
async function book(request: APIRequestContext, story: string) {
  for (const chapter of [0, 1]) {
    await request.put(`/api/v2/stories/${story}/chapters/${chapter}`, {
      data: { title: ["Harbour", "Open Sea"][chapter] },
    });
    for (const scene of [0, 1])
      await request.put(sceneAt(story, chapter, scene), {
        data: { text: `Ann stood at rail ${chapter}${scene}. The lamp was out.` },
      });
  }
  const told = { projectId: story, type: "character", name: "Ann", attributes: {} };
  const ann = (await (await request.post("/api/v2/ipc/knowledge:entity:create", { data: told })).json()).data;
  const first = await read(request, story);
  const plants = [{ sceneId: first.id, quotation: "The lamp was out." }];
  const thread = { title: "Who put out the lamp", kind: "mystery", plants };
  expect((await request.post(`/api/v2/stories/${story}/threads`, { data: thread })).status()).toBe(201);
  return { ann: ann.id as string, first: first.id as string };
}

plain(
  "titles are written where they stand, and notes, summary, point of view and goal beside the text",
  async ({ page, house, request }) => {
    const story = await house.story("Header");
    const { ann } = await book(request, story);
    await open(page, story, "write?scene=0.0");
    const title = page.getByRole("textbox", { name: "What the scene is called" });
    await title.fill("At the rail");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await read(request, story)).title).toBe("At the rail");
    await title.fill("Nothing of it");
    await page.keyboard.press("Escape");
    await expect(title).toHaveValue("At the rail");
    await page.getByRole("textbox", { name: "What the chapter is called" }).fill("Port");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation").getByRole("button", { name: /Port/ }).first()).toBeVisible();

    await page.getByRole("button", { name: "About this scene" }).click();
    await page.getByLabel("Notes").fill("She lies about the lamp.");
    await page.getByLabel("Summary").fill("Ann finds the lamp out.");
    await page.getByLabel("Word goal").fill("800");
    await page.getByRole("combobox", { name: "Point of view" }).fill("Ann");
    await page.getByRole("option", { name: /Ann/ }).click();
    await expect
      .poll(async () => (await read(request, story)).plan)
      .toEqual({ pov: ann, notes: "She lies about the lamp.", wordGoal: 800 });
    await expect(page.getByText("9 of 800 words")).toBeVisible();
    await expect
      .poll(
        async () =>
          (await (await request.get(`/api/v2/stories/${story}/snapshots`)).json()).content[0]?.summary,
      )
      .toBe("Ann finds the lamp out.");
    await expectAccessible(page);
    // Typing goes on beside it, and nothing of either is lost.
    await page.locator(".ProseMirror").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Fog came.");
    await expect.poll(async () => (await read(request, story)).text).toContain("Fog came.");
    expect((await read(request, story)).plan.notes).toBe("She lies about the lamp.");
    // No model hears the notes.
    const wish = { chapter: 0, scene: 0, tokenBudget: 8000, text: "Ann." };
    const context = await request.post(`/api/v2/stories/${story}/context/assemble`, { data: wish });
    expect(context.ok()).toBe(true);
    expect(await context.text()).not.toContain("lies about");
  },
);

plain("chapters collapse, one and all, and stay so over a reload", async ({ page, house, request }) => {
  const story = await house.story("Folding");
  await book(request, story);
  await open(page, story, "write?scene=1.1");
  const list = page.getByRole("navigation", { name: "Chapters and scenes" });
  const harbour = list.getByRole("button", { name: "1 Harbour" });
  await expect(list.getByRole("listitem")).toHaveCount(4);
  await expect(list.getByText("Ann stood at rail 00.")).toBeVisible();
  await harbour.focus();
  await page.keyboard.press("Enter");
  await expect(harbour).toHaveAttribute("aria-expanded", "false");
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list.getByRole("button", { name: "Collapse all chapters" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(0);
  await list.getByRole("button", { name: "Expand all chapters" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(4);
});

plain(
  "a scene, a chapter and the book are printed without the page around them",
  async ({ page, house, request }) => {
    const story = await house.story("On paper");
    await book(request, story);
    await page.addInitScript(() => {
      window.print = () => {
        document.documentElement.dataset.asked = String(
          Number(document.documentElement.dataset.asked ?? 0) + 1,
        );
      };
    });
    await open(page, story, "write?scene=0.0");
    await expect(page.getByRole("button", { name: "Print" })).toBeVisible();
    await page.keyboard.press("Control+p");
    await expect(page.getByRole("dialog", { name: "Print" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "What" }).selectOption("The whole book");
    await page.getByRole("button", { name: "Print…" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-asked", "1");
    await page.emulateMedia({ media: "print" });
    const paper = page.locator("[data-printed]");
    await expect(paper).toBeVisible();
    await expect(paper.getByRole("heading")).toHaveText(["On paper", "Harbour", "Open Sea"]);
    await expect(paper.getByText(/Ann stood at rail/)).toHaveCount(4);
    await expect(page.locator("#root")).toBeHidden();
    await page.emulateMedia({ media: "screen" });
    await expect(paper).toBeHidden();
  },
);

plain(
  "the plan shows scenes, points of view and threads; rows are dragged, or moved with the keyboard",
  async ({ page, house, request }) => {
    const story = await house.story("Matrix");
    const { first } = await book(request, story);
    await open(page, story, "plan");
    const rows = page.getByRole("row");
    await expect(rows).toHaveCount(7);
    await expect(page.getByRole("columnheader", { name: "Who put out the lamp" })).toBeVisible();
    await expect(page.getByRole("link", { name: /Plants: Who put out the lamp/ })).toHaveCount(1);
    await page
      .getByRole("button", { name: /Point of view of Scene 2/ })
      .first()
      .click();
    await page.getByRole("combobox", { name: "Point of view" }).last().fill("Ann");
    await page.getByRole("option", { name: /Ann/ }).click();
    await page.getByRole("button", { name: "Choose" }).click();
    await expect(page.getByRole("button", { name: "Point of view of Scene 2: Ann" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Point of view" }).selectOption("Ann (1)");
    await expect(page.locator("tr[data-dim]")).toHaveCount(3);

    // The first scene goes down twice: past its neighbour, into the next chapter.
    const row = page.locator(`[data-row="${first}"]`);
    await row.focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(async () => (await read(request, story, 1, 0)).id).toBe(first);
    await expect(row).toBeFocused();
    // And back with the pointer, to the beginning of its chapter.
    await row.locator("xpath=ancestor::tr").dragTo(rows.filter({ hasText: "rail 01" }), {
      targetPosition: { x: 20, y: 3 },
    });
    await expect.poll(async () => (await read(request, story, 0, 0)).id).toBe(first);
  },
);

plain("the plan is as useful at 390 px", async ({ page, house, request }) => {
  const story = await house.story("Narrow plan");
  await book(request, story);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, story, "plan");
  await expect(page.getByRole("row")).toHaveCount(7);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

plain(
  "size, width and lines of the text are chosen and kept; focus leaves nothing but the text",
  async ({ page, house, request }) => {
    const story = await house.story("Looks");
    await book(request, story);
    await open(page, story, "write?scene=0.0");
    const prose = page.locator(".ProseMirror");
    const looks = () =>
      prose.evaluate((text) => {
        const { fontSize, lineHeight, width } = getComputedStyle(text);
        return [fontSize, lineHeight, width].map(Number.parseFloat) as [number, number, number];
      });
    const [size, lines, width] = await looks();
    await page.getByRole("button", { name: "How the text looks" }).click();
    await page.getByRole("radio", { name: "Large", exact: true }).click();
    await page.getByRole("radio", { name: "Narrow" }).click();
    await page.getByRole("radio", { name: "Airy" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.reload();
    const now = await looks();
    expect(now[0]).toBeGreaterThan(size);
    expect(now[1] / now[0]).toBeGreaterThan(lines / size);
    expect(now[2]).toBeLessThan(width);
    await prose.click();
    await page.keyboard.press("F9");
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("complementary")).toHaveCount(0);
    await expect(prose).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("F9");
    await expect(page.getByRole("navigation", { name: "Chapters and scenes" })).toBeVisible();
  },
);

test("a suggestion shows exactly what it was told", async ({ page, house, request, model }) => {
  test.slow();
  const story = await house.story("Receipt");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper of the lamp." });
  await request.put(sceneAt(story, 0, 0), { data: { text: "Jiang Li woke." } });
  await open(page, story, "write");
  await page.getByRole("textbox", { name: /Scene 1/ }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Enter");
  const told = await model.next();
  told.say("A bell rang.");
  told.finish();
  const receipt = page.getByRole("region", { name: "What the last suggestion was told" });
  await expect(receipt).toContainText("Jiang Li");
  await expect(receipt).toContainText(/named in the text/);
  expect(JSON.stringify(model.asked.at(-1))).toContain("Keeper of the lamp.");
  await expectAccessible(page);
  // What is told now may differ; the receipt stays what it was.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Nobody woke.");
  await expect(receipt).toContainText("Jiang Li");
  await receipt.getByRole("button", { name: "Close" }).click();
  await expect(receipt).toHaveCount(0);
});
