import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, open, openForm, test } from "./house";

type Answer = Record<string, unknown> & { id: string; version: number };

async function tell(request: APIRequestContext, channel: string, payload: object): Promise<Answer> {
  const answer = await (await request.post(`/api/v2/ipc/${channel}`, { data: payload })).json();
  expect(answer.ok, JSON.stringify(answer)).toBe(true);
  return answer.data;
}

const create = (request: APIRequestContext, story: string, fields: object) =>
  tell(request, "knowledge:entity:create", { projectId: story, type: "character", ...fields });

test("an entity is a page to read; its form is behind a button, and lists are edited as lists", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Page");
  const attributes = { age: 27, skills: ["rowing", "lamp, signal"], note: "salt; tea" };
  const { id } = await create(request, story, { name: "Ann", description: "A keeper.", attributes });
  await open(page, story, `entities/${encodeURIComponent(id)}`);
  const known = page.getByRole("region", { name: "What is known" });
  await expect(known).toContainText("A keeper.");
  await expect(known.getByRole("definition")).toHaveText(["27", "rowing · lamp, signal", "salt; tea"]);
  await expect(page.getByLabel("Description")).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("e");
  await page.getByLabel("Value: skills").fill("knots");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove rowing" }).click();
  await page.getByRole("button", { name: "Make note a list" }).click();
  await expectAccessible(page);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved Ann")).toBeVisible();
  const saved = await tell(request, "knowledge:entity:read", { projectId: story, id });
  expect(saved.attributes).toEqual({ age: 27, skills: ["lamp, signal", "knots"], note: ["salt", "tea"] });
  await page.getByRole("button", { name: "Close the form" }).click();
  await expect(page.getByLabel("Description")).toHaveCount(0);
});

test("an entity is edited in place, with any attribute", async ({ page, house, request }) => {
  const story = await house.story("Edit");
  const { id } = await create(request, story, { name: "林远", attributes: { age: 27, tags: ["a"] } });
  await openForm(page, story, id);
  await page.getByLabel("Description").fill("A captain.");
  await page.getByRole("button", { name: "Add an attribute" }).click();
  await page.getByLabel("Attribute", { exact: true }).last().fill("年龄");
  await page.getByLabel("Value: 年龄").fill("28");
  await page.getByRole("radio", { name: "Never told" }).click();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved 林远")).toBeVisible();
  const saved = await tell(request, "knowledge:entity:read", { projectId: story, id });
  expect(saved).toMatchObject({
    description: "A captain.",
    attributes: { age: 27, tags: ["a"], 年龄: "28" },
    aiContextLevel: "never",
    version: 2,
  });
  await expect(page.getByText("Not saved yet")).toBeHidden();
});

test("a save shows at once, is taken back when refused, and what was typed stays", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Held");
  const { id } = await create(request, story, { name: "Jiang Li" });
  await openForm(page, story, id);
  await page.getByLabel("Name", { exact: true }).fill("Qin Zhu");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/ipc/knowledge:entity:update", async (route) => {
    await held;
    await route.fulfill({
      json: { ok: false, error: { code: "KG_ENTITY_DUPLICATE", message: "Qin Zhu is there already." } },
    });
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("Qin Zhu");
  answer();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("Jiang Li");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Qin Zhu");
  await expect(page.getByRole("alert")).toContainText("Qin Zhu is there already.");
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Qin Zhu");
});

test("two who write at once see both versions, and keep both", async ({ page, house, request }) => {
  const story = await house.story("Two");
  const { id } = await create(request, story, { name: "Egret", description: "A child.", aliases: ["Bird"] });
  await openForm(page, story, id);
  await page.getByLabel("Description").fill("A child who draws.");
  const patch = { description: "A child who listens.", significance: 0.9 };
  await tell(request, "knowledge:entity:update", { projectId: story, id, expectedVersion: 1, patch });
  await expect(page.getByText("Somebody has changed this since.")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions of Egret" });
  await expect(dialog).toContainText("A child who listens.");
  await expectAccessible(page);
  await dialog.getByRole("radio", { name: "Both" }).click();
  await dialog.getByRole("button", { name: "Save this" }).click();
  await expect(page.getByText("Saved Egret")).toBeVisible();
  expect(await tell(request, "knowledge:entity:read", { projectId: story, id })).toMatchObject({
    description: "A child who draws.\n\nA child who listens.",
    significance: 0.9,
    version: 3,
  });
});

test("a change by somebody else is seen without asking", async ({ page, house, request }) => {
  const story = await house.story("Live");
  const { id } = await create(request, story, { name: "Inkpot", description: "A cat." });
  await openForm(page, story, id);
  await expect(page.getByLabel("Description")).toHaveValue("A cat.");
  const patch = { description: "A black cat." };
  await tell(request, "knowledge:entity:update", { projectId: story, id, expectedVersion: 1, patch });
  await expect(page.getByLabel("Description")).toHaveValue("A black cat.");
});

test("where somebody is named is counted by chapter and quoted", async ({ page, house, request }) => {
  const story = await house.story("Named");
  const { id } = await create(request, story, { name: "Jiang Li", aliases: ["A-Li"] });
  const scenes = `/api/v2/stories/${story}/chapters`;
  await request.put(`${scenes}/0/scenes/0`, { data: { text: "Fog. Jiang Li woke, and A-Li wrote." } });
  await request.put(`${scenes}/2/scenes/0`, { data: { text: "Jiang Li left." } });
  await openForm(page, story, id);
  const named = page.getByRole("region", { name: "Where it is named" });
  await expect(named).toContainText("3 times in 2 scenes");
  await named.getByRole("button", { name: "Chapter 1: named 2 times" }).click();
  await expect(named.locator("mark")).toHaveText("Jiang Li");
  await expect(named).toContainText("Jiang Li woke, and A-Li wrote.");
});

test("in a long book mentions are one picture, walked through with slider and buttons", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Long", "zh");
  const { id } = await create(request, story, { name: "江离" });
  for (let chapter = 0; chapter < 20; chapter++) {
    const text = chapter % 6 === 1 ? `雾。江离第${chapter}次点灯。` : "没有人在码头。";
    const at = `/api/v2/stories/${story}/chapters/${chapter}`;
    await request.put(at, { data: { title: `第${chapter + 1}回 雾起灯明` } });
    await request.put(`${at}/scenes/0`, { data: { text } });
  }
  await open(page, story, `entities/${id}`);
  const named = page.getByRole("region", { name: "Where it is named" });
  await expect(named).toContainText("4 times in 4 scenes");
  await expect(named).toContainText("江离第1次点灯");
  await named.getByRole("button", { name: "Next chapter that names it" }).click();
  await expect(named).toContainText("江离第7次点灯");
  await named.getByRole("slider", { name: "Chapter shown" }).focus();
  await page.keyboard.press("End");
  await expect(named.getByRole("slider")).toHaveAttribute("aria-valuetext", /^第20回 雾起灯明/);
  await named.getByRole("button", { name: "Chapter before that names it" }).click();
  await expect(named).toContainText("江离第13次点灯");
  await expectAccessible(page);
});

test("relations are grouped, looked at as of a chapter, added with a word of one's own and removed", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Bonds", "zh");
  const { id } = await create(request, story, { name: "林远" });
  const su = await create(request, story, { name: "苏晴" });
  const relate = (relationType: string, period: object) =>
    tell(request, "knowledge:relation:create", {
      projectId: story,
      sourceEntityId: id,
      targetEntityId: su.id,
      relationType,
      ...period,
    });
  await relate("ally", { until: { chapter: 0 } });
  await relate("enemy", { since: { chapter: 1 } });
  for (const chapter of [0, 1])
    await request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, { data: { text: "雾。" } });
  await openForm(page, story, id);
  const relations = page.getByRole("region", { name: "Relations" });
  await expect(relations.getByRole("heading", { level: 4 })).toHaveText(["Ally", "Enemy"]);
  await relations.getByLabel("As of", { exact: true }).selectOption({ label: "Chapter 2" });
  await expect(relations.getByRole("heading", { level: 4 })).toHaveText(["Enemy"]);
  await relations.getByRole("button", { name: "Add a relation" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What it is to the other").fill("师徒");
  await dialog.getByRole("combobox", { name: "To whom or what" }).fill("苏");
  await dialog.getByRole("option", { name: /苏晴/ }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("Relation made")).toBeVisible();
  await expect(relations.getByRole("heading", { level: 4 })).toHaveText(["Enemy", "师徒"]);
  await relations.getByRole("button", { name: "Add a relation" }).click();
  await expect(page.locator("datalist option[value=师徒]")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await relations.getByRole("button", { name: "Remove: Enemy 苏晴" }).click();
  await expect(relations.getByRole("heading", { level: 4 })).toHaveText(["师徒"]);
  await page
    .getByRole("status")
    .filter({ hasText: "Relation removed" })
    .getByRole("button", { name: "Undo" })
    .last()
    .click();
  await expect(relations.getByRole("heading", { level: 4 })).toHaveText(["Enemy", "师徒"]);
});

test("a state says what is true for a while", async ({ page, house, request }) => {
  const story = await house.story("States");
  const { id } = await create(request, story, { name: "Jiang Li" });
  for (const chapter of [0, 3])
    await request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, { data: { text: "Fog." } });
  await openForm(page, story, id);
  await page.getByRole("button", { name: "Add a state" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a state" });
  await dialog.getByLabel("What is true then").fill("She has lost her voice.");
  await dialog.getByLabel("From", { exact: true }).selectOption({ label: "Chapter 4" });
  await dialog.getByRole("button", { name: "Save" }).click();
  const states = page.getByRole("region", { name: "States over time" });
  await expect(states).toContainText("from Chapter 4");
  await expect(states).toContainText("She has lost her voice.");

  const profile = page.getByRole("region", { name: "What is known" });
  await expect(profile.getByRole("listitem")).toContainText("She has lost her voice.");
  await profile.getByLabel("As of", { exact: true }).selectOption({ label: "Chapter 1" });
  await expect(profile.getByRole("listitem")).toHaveCount(0);
  await profile.getByLabel("As of", { exact: true }).selectOption({ label: "Chapter 4" });
  await profile.getByRole("link", { name: "Chapter 4" }).click();
  await expect(page).toHaveURL(/write\?scene=3\.0/);
});

test("two who change one state see both versions, and keep both", async ({ page, house, request }) => {
  const story = await house.story("Two states");
  const { id } = await create(request, story, { name: "Jiang Li" });
  const state = await tell(request, "knowledge:state:create", {
    projectId: story,
    entityId: id,
    description: "She has lost her voice.",
  });
  await openForm(page, story, id);
  await page.getByRole("button", { name: "Edit state" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit state" });
  await dialog.getByLabel("What is true then").fill("She whispers.");
  await tell(request, "knowledge:state:update", {
    projectId: story,
    id: state.id,
    description: "She writes.",
    attributes: { voice: "none" },
  });
  await dialog.getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "Two versions of this state" });
  await expect(conflict).toContainText("She writes.");
  await conflict.getByRole("radio", { name: "Both" }).click();
  await conflict.getByRole("button", { name: "Save this" }).click();
  await expect(page.getByText("State saved")).toBeVisible();
  const after = await tell(request, "knowledge:state:list", { projectId: story, entityId: id });
  expect(after.items).toMatchObject([
    { description: "She whispers.\n\nShe writes.", attributes: { voice: "none" }, version: 3 },
  ]);
});

test("no letter of an attribute's name is lost on the way past one that is taken", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Names");
  const { id } = await create(request, story, { name: "Jiang Li", attributes: { age: 27 } });
  await openForm(page, story, id);
  await page.getByRole("button", { name: "Add an attribute" }).click();
  await page.getByLabel("Attribute", { exact: true }).last().pressSequentially("age of the lamp");
  await page.getByLabel("Value: age of the lamp").fill("300");
  await page.getByRole("button", { name: "Add an attribute" }).click();
  await page.getByLabel("Attribute", { exact: true }).last().pressSequentially("constructor");
  await page.getByLabel("Value: constructor").fill("unknown");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved Jiang Li")).toBeVisible();
  const saved = await tell(request, "knowledge:entity:read", { projectId: story, id });
  expect(saved.attributes).toEqual({ age: 27, "age of the lamp": "300", constructor: "unknown" });
});

test("any step of the history is taken back by itself", async ({ page, house, request }) => {
  const story = await house.story("Past");
  const { id } = await create(request, story, { name: "Tower", type: "location" });
  const change = (expectedVersion: number, patch: object) =>
    tell(request, "knowledge:entity:update", { projectId: story, id, expectedVersion, patch });
  await change(1, { description: "On the rock." });
  await create(request, story, { name: "Somebody else" });
  await openForm(page, story, id);
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem")).toHaveCount(2);
  await expect(history).toContainText("On the rock.");
  await history.getByRole("button", { name: "Undo step 3" }).click();
  await expect(page.getByLabel("Description")).toHaveValue("");
  await expect(history).toContainText("taken back");
});

test("deleting says what goes with it, and undo brings it back", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await openForm(page, story, `${story}:jiang_li`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Jiang Li”?" });
  await expect(dialog).toContainText(/\d+ relations with \d+ others/);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("44 entries")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("45 entries")).toBeVisible();
});

test("one who was there twice becomes one", async ({ page, house, request }) => {
  const story = await house.story("Twice");
  const { id } = await create(request, story, { name: "Captain Shen" });
  const kept = await create(request, story, { name: "Shen Chao" });
  await openForm(page, story, id);
  await page.getByRole("button", { name: "Merge…" }).click();
  const dialog = page.getByRole("dialog", { name: "Make Captain Shen part of…" });
  await dialog.getByRole("combobox").fill("Shen C");
  await dialog.getByRole("option", { name: /^Shen Chao/ }).click();
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Shen Chao" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`entities/${kept.id}`));
  expect(await tell(request, "knowledge:entity:read", { projectId: story, id: kept.id })).toMatchObject({
    aliases: ["Captain Shen"],
  });
});

for (const [theme, width] of [
  ["light", 1440],
  ["dark", 390],
] as const) {
  test(`no fault that axe can see: ${theme}, ${width} px`, async ({ page, house }) => {
    const story = await house.sample("harbor.zh");
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => {
      localStorage.setItem("fabula:theme", JSON.stringify(value));
      localStorage.setItem("fabula:language", '"zh"');
    }, theme);
    for (const id of ["jiang_li", "ev_viewing"]) {
      await openForm(page, story, `${story}:${id}`);
      await expect(page.getByRole("heading", { level: 3, name: "历史" })).toBeVisible();
      await expect(page.getByRole("heading", { level: 4 }).first()).toBeVisible();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
