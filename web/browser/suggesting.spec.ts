import type { APIRequestContext, Page } from "@playwright/test";
import { expect, expectAccessible, open } from "./house";
import { test } from "./servers";

const scene = (story: string) => `/api/v2/stories/${story}/chapters/0/scenes/0`;
const prose = (page: Page) => page.getByRole("textbox", { name: /Scene 1/ });
const ghost = (page: Page) => page.locator("[data-ghost]");

/** The text as it is saved; a connection that has idled may be hung up on, so it is asked for again. */
const expectSaved = (request: APIRequestContext, story: string, text: string) =>
  expect(async () => {
    expect((await (await request.get(scene(story))).json()).text).toBe(text);
  }).toPass({ timeout: 120_000 });

test("the model writes at the cursor: grey words that are kept in one step, dropped, and tried again", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("At the cursor");
  await request.put(`/api/v2/stories/${story}/chapters/0`, { data: { title: "Chapter IX. The Fog" } });
  await request.put(scene(story), { data: { text: "Jiang Li woke." } });
  await open(page, story, "write");
  await prose(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+Enter");
  const first = await model.next();
  first.say("A bell ");
  await expect(ghost(page)).toHaveText(/A bell/);
  first.say("rang.\n\nNobody came.");
  first.finish();
  await expect(ghost(page)).toHaveText(/A bell rang\.\s+Nobody came\./);
  await expect(page.getByRole("status").filter({ hasText: "Suggested: A bell rang." })).toHaveCount(1);
  await expectAccessible(page);
  // What was asked: the task, the language, and the number that the book prints.
  const asked = JSON.stringify(model.asked.at(-1));
  expect(asked).toContain("Chapter IX, scene 1");
  expect(asked).toContain("English");
  expect(asked).not.toContain("The Fog");
  // Nothing is in the text, and nothing is saved, until it is kept.
  await expectSaved(request, story, "Jiang Li woke.");

  // Another attempt, with a wish; the arrows go between the two.
  await page.getByLabel(/What should happen/).fill("she refuses to wake");
  await page.keyboard.press("Enter");
  const second = await model.next();
  expect(JSON.stringify(model.asked.at(-1))).toContain("she refuses to wake");
  second.say("She would not rise.");
  second.finish();
  await expect(ghost(page)).toHaveText(/She would not rise\./);
  await expect(page.getByText("2 of 2")).toBeVisible();
  await prose(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(ghost(page)).toHaveText(/A bell rang/);
  await page.keyboard.press("Tab");
  await expect(ghost(page)).toHaveCount(0);
  await expect(prose(page)).toContainText("Jiang Li woke. A bell rang.");
  await expectSaved(request, story, "Jiang Li woke. A bell rang.\n\nNobody came.");
  await page.keyboard.press("Control+z");
  await expectSaved(request, story, "Jiang Li woke.");

  // Esc drops it and stops the model.
  await page.keyboard.press("Control+Enter");
  const third = await model.next();
  third.say("Fog");
  await expect(ghost(page)).toHaveText(/Fog/);
  await page.keyboard.press("Escape");
  await expect(ghost(page)).toHaveCount(0);
  await expect.poll(() => third.isLeft).toBe(true);
  await expect(prose(page)).toHaveText("Jiang Li woke.");
});

test("an answer that breaks off keeps its words and says so; whoever types on drops it", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Cut");
  await request.put(scene(story), { data: { text: "Rain." } });
  await open(page, story, "write");
  await prose(page).click();
  await page.getByRole("button", { name: "Write on" }).click();
  const first = await model.next();
  first.say("It fell ");
  await expect(ghost(page)).toHaveText(/It fell/);
  first.cut();
  const bar = page.getByRole("region", { name: "Suggestion of the model" });
  await expect(bar).toContainText(/broke off|stopped|ended/i);
  await expect(ghost(page)).toHaveText(/It fell/);
  await prose(page).press("End");
  await page.keyboard.type("!");
  await expect(ghost(page)).toHaveCount(0);
  await expect(bar).toBeHidden();
  await expect(prose(page)).toHaveText("Rain.!");
});

test("a beat becomes prose in its place, and selected words are written again", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Beats");
  await request.put(scene(story), { data: { text: "Before.\n\n/beat She leaves the tower.\n\nAfter." } });
  await open(page, story, "write");
  await page.getByText("/beat She leaves the tower.").click();
  await page.keyboard.press("Control+Enter");
  const beat = await model.next();
  expect(JSON.stringify(model.asked.at(-1))).toContain("She leaves the tower.");
  beat.say("The door closed behind her.");
  beat.finish();
  await expect(page.locator("[data-replaced]")).toHaveText("/beat She leaves the tower.");
  await page.getByRole("button", { name: "Keep" }).click();
  await expectSaved(request, story, "Before.\n\nThe door closed behind her.\n\nAfter.");

  await page.getByText("After.").click();
  await page.keyboard.press("Home");
  for (const _ of "After") await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("toolbar").getByRole("button", { name: "Rewrite" }).click();
  const rewritten = await model.next();
  rewritten.say("Afterwards");
  rewritten.finish();
  await expect(page.getByRole("status").filter({ hasText: "Suggested: Afterwards" })).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expectSaved(request, story, "Before.\n\nThe door closed behind her.\n\nAfterwards.");
});

test.describe("without a model", () => {
  test.use({ hasModel: false });

  test("whoever asks for words is led to where a model is set up", async ({ page, house, request }) => {
    test.slow();
    const story = await house.story("Nobody there");
    await request.put(scene(story), { data: { text: "Rain." } });
    await open(page, story, "write");
    await prose(page).click();
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("No language model is set up.")).toBeVisible();
    await page.getByRole("link", { name: "Set one up" }).click();
    await expect(page.getByRole("heading", { name: "Language model" })).toBeVisible();
  });
});
