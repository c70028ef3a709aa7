import { expect, expectAccessible, open } from "./house";
import { test } from "./servers";

const scene = (story: string) => `/api/v2/stories/${story}/chapters/0/scenes/0`;

test("words come as they are said; who stops keeps what was said, and may add it to the text", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Talk");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper of the lamp." });
  await house.entry(story, {
    entryKey: "The traitor",
    category: "character",
    content: "It is Egret.",
    keywords: ["Jiang Li"],
    aiContextLevel: "never",
  });
  await request.put(scene(story), { data: { text: "Jiang Li woke." } });
  await open(page, story, "write");
  await page.getByRole("button", { name: "Conversation" }).click();
  await page.getByRole("button", { name: "Continue writing" }).click();
  const log = page.getByRole("log");
  const first = await model.next();
  first.say("A bell ");
  await expect(log).toContainText("A bell");
  await expect(page.getByRole("button", { name: "Add to the text" })).toHaveCount(0);
  first.say("rang in ");
  await expect(log).toContainText("A bell rang in");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("button", { name: "Stop" })).toBeHidden();
  // The model is not let talk on to nobody.
  await expect.poll(() => first.isLeft).toBe(true);
  await expect(log.getByRole("article").last()).toContainText("A bell rang in");
  await expect(page.getByText("The answer broke off.")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add to the text" }).click();
  await expect
    .poll(async () => (await (await request.get(scene(story))).json()).text)
    .toBe("Jiang Li woke.\n\nA bell rang in");
  const told = JSON.stringify(model.asked.at(-1));
  expect(told).toContain("Keeper of the lamp.");
  expect(told).not.toContain("It is Egret.");

  // The conversation goes on from there, to its end.
  await page.getByLabel("Your message").fill("Where did it ring?");
  await page.keyboard.press("Enter");
  const second = await model.next();
  second.say("In the fog.");
  second.finish();
  await expect(log.getByRole("article").last()).toContainText("In the fog.");
  await expect(page.getByRole("button", { name: "Add to the text" })).toHaveCount(2);
  expect(JSON.stringify(model.asked.at(-1))).toContain("A bell rang in");
});

test("an answer that breaks off keeps its words and says so, and the text is safe meanwhile", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Broken");
  await request.put(scene(story), { data: { text: "Fog." } });
  await open(page, story, "write");
  await page.getByRole("button", { name: "Conversation" }).click();
  await page.getByRole("button", { name: "Continue writing" }).click();
  const telling = await model.next();
  telling.say("Half a ");
  const log = page.getByRole("log");
  await expect(log).toContainText("Half a");
  // One writes on while the model talks.
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Rain.");
  telling.cut();
  await expect(log.getByRole("alert")).toBeVisible();
  await expect(log.getByRole("article").last()).toContainText("Half a");
  await expect.poll(async () => (await (await request.get(scene(story))).json()).text).toBe("Fog. Rain.");
  await page.getByRole("button", { name: "Add to the text" }).click();
  await expect(page.locator(".ProseMirror p")).toHaveText(["Fog. Rain.", "Half a"]);
});
