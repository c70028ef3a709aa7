import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { ask, entity } from "./graph";
import { expect, open, openForm, test } from "./house";

const saved = (page: Page, story: string) =>
  page.request
    .get(`/api/v2/stories/${story}/chapters/0/scenes/0`)
    .then(async (answer) => (await answer.json()).text as string);

test("a name that is typed is underlined, explained and told; what must not be told is not [F11] [MEMORY-3.4.8]", async ({
  page,
  house,
  request,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const story = await house.story("青云", "zh");
  const told = { 赵无极: "when_detected", 魔尊: "never", 秘宝: "manual_only", 宗规: "always" };
  for (const [entryKey, aiContextLevel] of Object.entries(told))
    await house.entry(story, {
      entryKey,
      category: "character",
      content: `${entryKey}的底细。`,
      aiContextLevel,
    });
  await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: "雾。" } });
  await open(page, story, "write");
  const side = page.getByRole("complementary", { name: "Beside the text" });
  await expect(side.getByText("宗规的底细。")).toBeVisible();
  await expect(side.getByText("赵无极的底细。")).toHaveCount(0);
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  await page.keyboard.insertText("赵无极带着秘宝去见魔尊。");
  const names = page.locator(".ProseMirror [data-name]");
  await expect(names).toHaveText(["赵无极", "秘宝", "魔尊"]);
  await expect(side.getByText("named in the text: 赵无极")).toBeVisible();
  await expect(side.getByText("赵无极的底细。")).toBeVisible();
  await names.first().hover();
  await expect(page.getByRole("dialog", { name: "赵无极" })).toContainText("赵无极的底细。");
  await page.mouse.move(2, 2);
  await side.getByRole("button", { name: "Exact prompt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Copy as text" }).click();
  const prompt = await page.evaluate(() => navigator.clipboard.readText());
  expect(prompt).toContain("赵无极的底细。");
  expect(prompt).toContain("宗规的底细。");
  expect(prompt).not.toContain("魔尊的底细。");
  expect(prompt).not.toContain("秘宝的底细。");
});

test("two tabs change one entity: the later sees both versions and merges them [F16] [KG1-X-S3]", async ({
  page,
  house,
  request,
  context,
}) => {
  const story = await house.story("Two tabs");
  const { id } = await entity(request, story, "Egret", { description: "A child.", aliases: ["Bird"] });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await openForm(tab, story, id);
    await expect(tab.getByLabel("Description")).toHaveValue("A child.");
  }
  await page.getByLabel("Description").fill("A child who draws.");
  await other.getByLabel("Description").fill("A child who listens.");
  await other.getByLabel("Aliases").fill("Little one,");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByText("Saved Egret")).toBeVisible();
  // The other tab hears of it, and what was typed there stays.
  await expect(page.getByText("Somebody has changed this since.")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("A child who draws.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions of Egret" });
  await dialog.getByRole("radio", { name: "Both" }).click();
  await dialog.getByLabel("Save this").fill("A child who draws and listens.");
  await dialog.getByRole("button", { name: "Save this" }).click();
  await expect(page.getByText("Saved Egret")).toBeVisible();
  expect(await ask(request, "knowledge:entity:read", { projectId: story, id })).toMatchObject({
    description: "A child who draws and listens.",
    aliases: ["Bird", "Little one"],
    version: 3,
  });
  await expect(other.getByLabel("Description")).toHaveValue("A child who draws and listens.");
});

/** Letters on their way through an input method: the keys are heard, and mean nothing yet. */
async function composing(page: Page, keys: string, text: string) {
  const cdp = await page.context().newCDPSession(page);
  const heard = page.evaluate(
    () =>
      new Promise((resolve) =>
        window.addEventListener("keydown", ({ isComposing }) => resolve(isComposing), {
          capture: true,
          once: true,
        }),
      ),
  );
  for (const [place, key] of [...keys].entries()) {
    const composed = keys.slice(0, place + 1);
    await cdp.send("Input.imeSetComposition", {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    });
    await cdp.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      key,
      code: `Key${key.toUpperCase()}`,
      windowsVirtualKeyCode: 229,
    });
  }
  await cdp.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Enter",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  expect(await heard).toBe(true);
  await cdp.send("Input.insertText", { text });
}

test("while an input method composes, no key is a shortcut and Enter sends nothing [F20]", async ({
  page,
  house,
}) => {
  const story = await house.story("输入", "zh");
  await house.entry(story, { entryKey: "江离", category: "character", content: "守灯人。" });
  await open(page, story, "graph");
  await page.getByText("Showing 1 of 1 node").waitFor();
  // Enter chooses among characters; it does not create.
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New node" });
  await dialog.getByLabel("Name").click();
  await composing(page, "linyi", "林逸");
  await expect(dialog.getByLabel("Name")).toHaveValue("林逸");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await expect(page.getByText("Showing 2 of 2 nodes")).toBeVisible();
  // Keywords: a comma or Enter that is part of composing divides nothing.
  await open(page, story, "lorebook");
  await page.getByRole("button", { name: /^江离/ }).click();
  const keywords = page.getByRole("textbox", { name: "Keywords" });
  await keywords.click();
  await composing(page, "shoudeng", "守灯");
  await expect(keywords).toHaveValue("守灯");
  await composing(page, "ren", "人");
  await expect(keywords).toHaveValue("守灯人");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove 守灯人" })).toBeVisible();
  await expect(page).toHaveURL(/entry=/);
  // The palette does not run what stands first.
  await page.keyboard.press("Control+k");
  await composing(page, "jiangli", "江离");
  await expect(page.getByRole("dialog").getByRole("option", { name: /江离/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/lorebook/);
  await page.keyboard.press("Escape");
});

test("while questions about a large graph run, one writes and saves as ever [KG1-R3-S2]", async ({
  page,
  house,
  request,
}) => {
  test.slow();
  const story = await house.story("Busy");
  const entities = Array.from({ length: 2_000 }, (_, place) => ({ type: "character", name: `P${place}` }));
  const { entityIds } = await ask(request, "knowledge:batch:upsert", { projectId: story, entities });
  const relations = Array.from({ length: 20_000 }, (_, place) => ({
    sourceEntityId: entityIds[place % 2_000],
    targetEntityId: entityIds[(place * 13 + 1 + Math.floor(place / 2_000)) % 2_000],
    relationType: `w${Math.floor(place / 2_000)}`,
  })).filter(({ sourceEntityId, targetEntityId }) => sourceEntityId !== targetEntityId);
  await ask(request, "knowledge:batch:upsert", { projectId: story, relations });
  await request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: "Fog." } });
  await open(page, story, "write");
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  let answered = 0;
  const asked = Array.from({ length: 8 }, async () => {
    const channel = "/api/v2/ipc/knowledge:query:validate";
    const answer = await (await request.post(channel, { data: { projectId: story } })).json();
    answered += 1;
    expect(answer.ok || answer.error.code === "KG_QUERY_TIMEOUT", JSON.stringify(answer)).toBe(true);
  });
  await page.keyboard.type(" Rain.");
  await expect(page.locator(".ProseMirror p")).toHaveText("Fog. Rain.");
  await expect.poll(() => saved(page, story)).toBe("Fog. Rain.");
  test.info().annotations.push({ type: "answered before it was saved", description: String(answered) });
  await Promise.all(asked);
});

test("a lorebook that is exported comes back equal [F15]", async ({ page, house }) => {
  const [first, second] = [await house.story("First"), await house.story("Second")];
  await house.entry(first, {
    entryKey: "Mr Salt",
    category: "character",
    content: "Weighs names.\n\n“Twice”, he says.",
    keywords: ["salt", "盐先生"],
    aliases: ["Salt"],
    priority: 90,
    tokenBudget: 120,
    aiContextLevel: "always",
  });
  await house.entry(first, {
    entryKey: "House style",
    content: "Past tense.",
    insertionPosition: "system_prompt",
    enabled: false,
    aiContextLevel: "manual_only",
  });
  await open(page, first, "lorebook");
  await expect(page.getByText("2 entries")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("dialog", { name: "Export" }).getByRole("button", { name: "Download" }).click();
  const path = await (await downloading).path();
  await open(page, second, "lorebook");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByLabel("Or paste it here").fill(readFileSync(path, "utf-8"));
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toContainText("2 entries");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByText("2 entries")).toBeVisible();
  const own = new Set(["id", "storyId", "projectId", "entityId", "version", "createdAt", "updatedAt"]);
  const told = async (story: string) =>
    (await house.entries(story))
      .map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => !own.has(name))))
      .sort((one, other) => String(one.entryKey).localeCompare(String(other.entryKey)));
  expect(await told(second)).toEqual(await told(first));
});
