import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

const TEXT = "At dusk Captain Shen Chao rang the Brass Bell. Nobody came. 江离 lit the lamp.";

const FINDS = [
  { entityName: "Brass Bell", entityType: "item", confidence: 0.95, attributesJson: { material: "brass" } },
  { entityName: "Shen Chao", entityType: "character", confidence: 0.92, aliases: ["the Captain"] },
  { entityName: "Dusk", entityType: "concept", confidence: 0.3 },
];

const quoted = (name: string) => TEXT.split(/(?<=\.) /).find((sentence) => sentence.includes(name)) ?? "";

async function propose(request: APIRequestContext, story: string, finds: object[] = FINDS): Promise<void> {
  const proposals = finds.map((find) => ({
    sourceText: quoted((find as { entityName: string }).entityName),
    ...find,
  }));
  const answer = await request.post(`/api/v2/stories/${story}/extractions`, {
    data: { proposals, text: TEXT, chapter: 0, scene: 0 },
  });
  expect(answer.status()).toBe(200);
}

async function waiting(request: APIRequestContext, story: string): Promise<string[]> {
  const answer = await request.get(`/api/v2/stories/${story}/extractions?reviewed=false&size=100`);
  return (await answer.json()).content.map(({ entityName }: { entityName: string }) => entityName).sort();
}

test("a pasted text is read in the background, and what is found waits [F14]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Read");
  await open(page, story, "review");
  await expect(page.getByText("Nothing waits for review").first()).toBeVisible();
  await page.getByRole("button", { name: "Read a text" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Let a text be read" });
  await expect(dialog).toContainText("No language model is set up");
  await dialog.getByLabel("Text", { exact: true }).fill(`${TEXT} ${TEXT}`);
  await dialog.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText(/Read the pasted text: \d+ found/)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Shen Chao" }).first()).toBeVisible();
  await page
    .getByRole("button", { name: /Shen Chao/ })
    .first()
    .click();
  await expect(page.getByText("Found by rules on this machine")).toBeVisible();
  expect((await waiting(request, story)).length).toBeGreaterThan(0);
});

test("reading goes on after a reload, and can be stopped", async ({ page, house, request }) => {
  const story = await house.story("Long reading");
  const queued = await request.post(`/api/v2/stories/${story}/extract-entities`, {
    data: { text: TEXT, background: true },
  });
  const jobId = (await queued.json()).taskId;
  let status = "processing";
  const job = {
    id: jobId,
    kind: "extraction",
    storyId: story,
    subject: "a text",
    progress: 0.4,
    message: "",
    attempts: 1,
    runAfter: "2026-01-01T00:00:00Z",
    createdAt: "2026-01-01T00:00:00Z",
    finishedAt: null,
  };
  await page.route(`**/stories/${story}/jobs?*`, (route) =>
    route.fulfill({
      json: { content: [{ ...job, status }], totalElements: 1, totalPages: 1, number: 0, size: 50 },
    }),
  );
  await page.route(`**/api/v2/jobs/${jobId}`, (route) => {
    if (route.request().method() === "DELETE") status = "cancelled";
    return route.fulfill({ json: { ...job, status } });
  });
  await open(page, story, "review");
  const progress = page.getByRole("progressbar", { name: "Reading the pasted text" });
  await expect(progress).toHaveJSProperty("value", 0.4);
  await page.reload();
  await expect(progress).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Reading the pasted text was stopped")).toBeVisible();
  await expect(progress).toBeHidden();
});

test("a queue is worked through with the keyboard alone [F14] [MEMORY-3.4.7]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Keys");
  await house.entry(story, { entryKey: "Old Captain", category: "character", content: "He rings." });
  await propose(request, story);
  await open(page, story, "review");
  await expect(page.getByText("3 waiting")).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 2, name: "Brass Bell" })).toBeVisible();
  await expect(page.locator("blockquote mark")).toHaveText("Brass Bell");
  await page.keyboard.press("a");
  await expect(page.getByText("Approved Brass Bell")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Shen Chao" })).toBeVisible();
  await page.keyboard.press("m");
  const dialog = page.getByRole("dialog", { name: "Merge “Shen Chao” into…" });
  await dialog.getByRole("combobox").fill("Old Cap");
  await expect(dialog.getByRole("option", { name: /Old Captain/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(page.getByText("Merged Shen Chao")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Dusk" })).toBeVisible();
  await page.keyboard.press("d");
  await expect(page.getByText("Rejected Dusk")).toBeVisible();
  await expect(page.getByText("Nothing waits for review").first()).toBeVisible();
  const captain = (await house.entries(story)).find(({ entryKey }) => entryKey === "Old Captain");
  expect(captain?.aliases).toEqual(["Shen Chao", "the Captain"]);
  await page.keyboard.press("u");
  await expect.poll(() => waiting(request, story)).toEqual(["Dusk"]);
  await page.keyboard.press("u");
  await expect.poll(() => waiting(request, story)).toEqual(["Dusk", "Shen Chao"]);
  await page.keyboard.press("u");
  await expect.poll(() => waiting(request, story)).toEqual(["Brass Bell", "Dusk", "Shen Chao"]);
  expect(await house.entries(story)).toHaveLength(1);
});

test("keys 1 to 6 say what a newcomer is, and the book is quoted with its own numbers", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Types");
  const chapters = `/api/v2/stories/${story}/chapters`;
  for (const [chapter, title] of ["Chapter IX. The Fog", "Chapter X. The Lamp"].entries()) {
    await request.put(`${chapters}/${chapter}`, { data: { title } });
    const text = `The Brass Bell rang ${chapter + 2} times.\n\nNobody was on the quay.`;
    await request.put(`${chapters}/${chapter}/scenes/0`, { data: { text } });
  }
  await propose(request, story, [FINDS[0] ?? {}]);
  await open(page, story, "review");
  await expect(page.getByText("2× · Chapter IX – Chapter X")).toBeVisible();
  await page.keyboard.press("j");
  const type = (name: string) => page.getByRole("button", { name, exact: true });
  await expect(type("Item")).toHaveAttribute("aria-pressed", "true");
  const elsewhere = page.getByRole("region", { name: "Elsewhere in the book" });
  await expect(elsewhere.getByRole("listitem")).toHaveText([/Brass Bell rang/, /Brass Bell rang/]);
  await expect(elsewhere.getByRole("link", { name: "Chapter X", exact: true })).toBeVisible();
  await page.keyboard.press("2");
  await expect(type("Location")).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  await page.keyboard.press("a");
  await expect(page.getByText("Approved Brass Bell")).toBeVisible();
  const entries = await house.entries(story);
  expect(entries.map(({ entryKey, category }) => [entryKey, category])).toEqual([["Brass Bell", "location"]]);
});

test("a decision shows at once, and comes back when it is refused", async ({ page, house, request }) => {
  const story = await house.story("Held");
  await propose(request, story);
  await open(page, story, "review");
  await page.getByRole("button", { name: /^Brass Bell/ }).click();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/extractions/*/review", async (route) => {
    await held;
    await route.fulfill({
      status: 409,
      json: { code: "CONFLICT", message: "The name belongs to somebody else.", suggestion: "Merge the two." },
    });
  });
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("2 waiting")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Shen Chao" })).toBeVisible();
  answer();
  await expect(page.getByText("3 waiting")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("The name belongs to somebody else.");
  await page.getByRole("button", { name: "Merge instead" }).click();
  await expect(page.getByRole("dialog", { name: "Merge “Brass Bell” into…" })).toBeVisible();
});

test("many are approved after a look at what that writes, and taken back in one [F14]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Batch");
  await propose(request, story);
  await open(page, story, "review");
  await page.getByRole("button", { name: "Reject under 50% (1)" }).click();
  const rejecting = page.getByRole("dialog", { name: "Reject one proposal?" });
  await expect(rejecting).toContainText("Nothing is written to the story");
  await rejecting.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Approve 90% and more (2)" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 2 proposals?" });
  await expect(dialog).toContainText("New entities: 2");
  await expect(dialog).toContainText("New lorebook entries: 2");
  await expect(dialog).toContainText("Brass Bell");
  await expectAccessible(page);
  expect(await house.entries(story)).toHaveLength(0);
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("2 decided")).toBeVisible();
  await expect(page.getByText("1 waiting")).toBeVisible();
  expect(await house.entries(story)).toHaveLength(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("3 waiting")).toBeVisible();
  expect(await house.entries(story)).toHaveLength(0);
});

test("a newcomer can be renamed and kept from models before it is approved", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Adjust");
  await propose(request, story);
  await open(page, story, "review");
  await page.getByRole("button", { name: /^Brass Bell/ }).click();
  await page.getByText("Change before approving").click();
  await page.getByLabel("Name", { exact: true }).fill("Bell of the Watch");
  await page.getByLabel("When it is told to a model").selectOption("never");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page.getByText("Approved Brass Bell")).toBeVisible();
  const [entry] = await house.entries(story);
  expect(entry).toMatchObject({ entryKey: "Bell of the Watch", aiContextLevel: "never" });
});

test("somebody who may be known already is shown beside the newcomer", async ({ page, house, request }) => {
  const story = await house.story("Twice");
  await house.entry(story, { entryKey: "Shen Chaosheng", category: "character", content: "A boatman." });
  await propose(request, story);
  await open(page, story, "review");
  await page.getByRole("button", { name: /^Shen Chao/ }).click();
  const similar = page.getByRole("region", { name: "Perhaps the same as" });
  await similar.getByRole("button", { name: "Merge: Shen Chaosheng" }).click();
  await expect(page.getByText("Merged Shen Chao")).toBeVisible();
  expect((await house.entries(story))[0]?.aliases).toContain("Shen Chao");
});

test("what others propose is seen without asking", async ({ page, house, request }) => {
  const story = await house.story("Live");
  await open(page, story, "review");
  await expect(page.getByText("Nothing waits for review").first()).toBeVisible();
  await propose(request, story);
  await expect(page.getByText("3 waiting")).toBeVisible();
});

test("letters that are typed or composed decide nothing [F20]", async ({ page, house, request }) => {
  const story = await house.story("Typing");
  await propose(request, story);
  await open(page, story, "review");
  await expect(page.getByText("3 waiting")).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("/");
  await page.keyboard.type("dad");
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "d", isComposing: true, bubbles: true })),
  );
  await expect(page.getByLabel("Search proposals")).toHaveValue("dad");
  expect(await waiting(request, story)).toHaveLength(3);
});

test("a thousand proposals scroll like ten", async ({ page, house, request }) => {
  const story = await house.story("Many");
  const finds = Array.from({ length: 1_000 }, (_, place) => ({
    entityName: `Lamp ${place}`,
    entityType: "item",
    confidence: 0.6,
    sourceText: "",
  }));
  await propose(request, story, finds);
  await open(page, story, "review");
  await expect(page.getByText("1,000 waiting")).toBeVisible();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);
});

for (const theme of ["light", "dark"] as const) {
  test(`no fault that axe can see: ${theme}`, async ({ page, house, request }) => {
    const story = await house.story("Axe");
    await propose(request, story);
    await page.addInitScript((value) => localStorage.setItem("fabula:theme", JSON.stringify(value)), theme);
    await open(page, story, "review");
    await page.getByRole("button", { name: /^Brass Bell/ }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Brass Bell" })).toBeVisible();
    await expectAccessible(page);
  });
}

test.describe("on a telephone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("proposals are decided with the thumb [F19]", async ({ page, house, request }) => {
    const story = await house.story("Thumb", "zh");
    await propose(request, story);
    await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
    await open(page, story, "review");
    await page.getByRole("button", { name: /^Brass Bell/ }).tap();
    await page.getByRole("button", { name: "通过", exact: true }).tap();
    await expect(page.getByText("已通过“Brass Bell”")).toBeVisible();
    await expect(page.getByRole("heading", { level: 2, name: "Shen Chao" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole("button", { name: "返回列表" }).tap();
    await expect(page.getByText("2 条待审核")).toBeVisible();
    await expectAccessible(page);
  });
});
