import { expect, expectAccessible, open } from "./house";
import { test } from "./servers";

const scene = (story: string) => `/api/v2/stories/${story}/chapters/0/scenes/0`;

test("a conversation is kept as it goes: over a reload, in a list, found by its words, branched, renamed, deleted", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Kept talk");
  await request.put(scene(story), { data: { text: "Jiang Li woke." } });
  await open(page, story, "write");
  await page.getByRole("button", { name: "Conversation" }).click();
  const log = page.getByRole("log");
  await page.getByLabel("Your message").fill("Why does the lamp matter?");
  await page.keyboard.press("Enter");
  const first = await model.next();
  first.say("Ships find home by it.");
  first.finish();
  await expect(log.getByRole("article").last()).toContainText("Ships find home by it.");
  const kept = async () =>
    (await (await request.get(`/api/v2/stories/${story}/conversations`)).json()).content;
  await expect.poll(async () => (await kept())[0]?.messageCount).toBe(2);

  await page.reload();
  await page.getByRole("button", { name: "Conversation" }).click();
  await expect(log.getByRole("article")).toHaveCount(2);
  await expect(log).toContainText("Ships find home by it.");
  await page.getByLabel("Your message").fill("And the bell?");
  await page.keyboard.press("Enter");
  const second = await model.next();
  expect(JSON.stringify(model.asked.at(-1))).toContain("Ships find home by it.");
  second.say("It warns of fog.");
  second.finish();
  await expect(log).toContainText("It warns of fog.");
  await expect.poll(async () => (await kept())[0]?.messageCount).toBe(4);

  // A branch leaves the other as it is.
  await log.getByRole("article").nth(1).getByRole("button", { name: "Branch off here" }).click();
  await expect(log.getByRole("article")).toHaveCount(2);
  await expect.poll(async () => (await kept()).length).toBe(2);
  await page.getByRole("button", { name: "Why does the lamp matter?" }).click();
  const rows = page.getByRole("listitem").filter({ hasText: "Why does the lamp matter?" });
  await expect(rows).toHaveCount(2);
  await expectAccessible(page);
  await rows.first().getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Title").fill("Lamps only");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Lamps only" }).first()).toBeVisible();

  // Found by what was said, not only by its title.
  await page.getByLabel("Find in conversations").fill("warns of fog");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText("Lamps only")).toHaveCount(0);
  await rows.getByRole("button").first().click();
  await expect(log.getByRole("article")).toHaveCount(4);

  await page.getByRole("button", { name: "New conversation" }).click();
  await expect(log.getByRole("article")).toHaveCount(0);
  await page.getByRole("button", { name: "New conversation" }).first().click();
  await page.getByRole("button", { name: "Delete Lamps only" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.poll(async () => (await kept()).length).toBe(1);
});

test("selected words are asked about, written in somebody's voice, and become an entry", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Selected");
  const keeper = await house.entry(story, {
    entryKey: "Jiang Li",
    category: "character",
    content: "Keeper of the lamp. Sparing of words.",
  });
  const passage =
    "The fog came in over the sea wall and swallowed the lower town before anyone had rung a bell at all.";
  await request.put(scene(story), { data: { text: `Rain.\n\n${passage}` } });
  await open(page, story, "write");
  const bar = page.getByRole("toolbar", { name: "With the selected words" });
  const select = async () => {
    // The bar may still stand over the second line.
    await page
      .locator(".ProseMirror p")
      .last()
      .click({ position: { x: 40, y: 8 } });
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+Shift+End");
    await expect(bar).toBeVisible();
  };
  await select();
  await expectAccessible(page);
  await bar.getByRole("button", { name: "In the voice of" }).click();
  await page.getByRole("combobox", { name: "Whose voice" }).fill("Jiang");
  await page.getByRole("option", { name: "Jiang Li" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Write" }).click();
  const voiced = await model.next();
  const asked = JSON.stringify(model.asked.at(-1));
  expect(asked).toContain("in the voice of Jiang Li");
  expect(asked).toContain("Sparing of words.");
  voiced.say("Fog. Over the wall. No bell.");
  voiced.finish();
  await expect(page.locator("[data-ghost]")).toHaveText("Fog. Over the wall. No bell.");
  await page.getByRole("button", { name: "Keep" }).click();
  await expect
    .poll(async () => (await (await request.get(scene(story))).json()).text)
    .toBe("Rain.\n\nFog. Over the wall. No bell.");
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await (await request.get(scene(story))).json()).text)
    .toBe(`Rain.\n\n${passage}`);

  await select();
  await bar.getByRole("button", { name: "Ask about it" }).click();
  await expect(page.getByText("About these words")).toBeVisible();
  await page.getByLabel("Your message").fill("Is it plausible?");
  await page.keyboard.press("Enter");
  const answer = await model.next();
  const question = JSON.stringify(model.asked.at(-1));
  expect(question).toContain("> The fog came in");
  expect(question).toContain("Is it plausible?");
  answer.say("Yes.");
  answer.finish();
  await expect(page.getByRole("log")).toContainText("Yes.");
  await expect(page.getByText("About these words")).toHaveCount(0);

  await select();
  await bar.getByRole("button", { name: "Entry of this passage" }).click();
  await expect(page.getByLabel("What is told")).toHaveValue(passage);
  await page.getByLabel("Name", { exact: true }).fill("The fog");
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect
    .poll(async () => (await house.entries(story)).find(({ entryKey }) => entryKey === "The fog")?.content)
    .toBe(passage);
  expect(keeper.id).toBeTruthy();
});

test("a prompt of one's own is written once, asked with what it says, and goes out with the story", async ({
  page,
  house,
  request,
  model,
}) => {
  test.slow();
  const story = await house.story("Prompts");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper of the lamp." });
  await request.put(scene(story), { data: { text: "Jiang Li woke." } });
  await open(page, story, "write");
  await page.getByRole("region", { name: "Scene" }).getByText("Jiang Li woke.").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+Shift+y");
  const dialog = page.getByRole("dialog", { name: "Prompts" });
  await expect(dialog.getByRole("button", { name: /Show, don’t tell/ })).toBeVisible();
  await expect(dialog.getByRole("button", { name: /Close the scene/ })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Edit the prompts" }).click();
  await dialog.getByRole("button", { name: "New prompt" }).click();
  await dialog.getByLabel("Name").fill("Colder");
  await dialog.getByLabel("Instruction").fill("Make it colder.");
  await dialog.getByLabel("What is sent").selectOption("Only the words and the instruction");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Back to the prompts" }).click();
  await dialog.getByRole("button", { name: /^Colder/ }).click();
  const written = await model.next();
  const asked = JSON.stringify(model.asked.at(-1));
  expect(asked).toContain("Make it colder.");
  expect(asked).toContain("Jiang Li woke.");
  expect(asked).not.toContain("Keeper of the lamp.");
  written.say("Jiang Li woke in ice.");
  written.finish();
  await expect(page.locator("[data-ghost]")).toHaveText("Jiang Li woke in ice.");
  await page.getByRole("button", { name: "Drop" }).click();

  // One for the conversation is asked there at once.
  await page.keyboard.press("Control+Shift+y");
  await dialog.getByRole("button", { name: /Three ways on/ }).click();
  const ways = await model.next();
  expect(JSON.stringify(model.asked.at(-1))).toContain("three different ways");
  ways.say("One: she sleeps on.");
  ways.finish();
  await expect(page.getByRole("log")).toContainText("One: she sleeps on.");

  const files = await (await request.get(`/api/v2/stories/${story}/export?format=json`)).json();
  expect(files["story.yaml"]).toContain("Make it colder.");
});

test("the panel says what changed since the last look, and what more room would bring", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Looks");
  await house.entry(story, { entryKey: "Jiang Li", category: "character", content: "Keeper of the lamp." });
  for (const name of ["The tower", "The bell"])
    await house.entry(story, {
      entryKey: name,
      category: "location",
      content: `${name} stands in the harbour and everybody has a tale of it. `.repeat(20),
      keywords: ["woke"],
    });
  await request.put(scene(story), { data: { text: "Jiang Li woke." } });
  await request.patch(`/api/v2/stories/${story}`, { data: { settings: { tokenBudget: 350 } } });
  await open(page, story, "write");
  const ask = page.getByRole("button", { name: "What would 500 more bring?" });
  await expect(ask).toBeVisible();
  await expect(page.getByText("Since your last look")).toHaveCount(0);
  await ask.click();
  await expect(page.getByText("Would be told, too")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Take 500 more" }).click();
  await expect(page.getByLabel("Token budget of the context")).toHaveValue("850");
  await page.goto("/");
  await house.entry(story, {
    entryKey: "The rain",
    category: "custom",
    content: "It never stops.",
    keywords: ["woke"],
  });
  await open(page, story, "write");
  const since = page.getByText("Since your last look");
  await expect(since).toBeVisible();
  await since.click();
  await expect(page.locator("details", { has: since })).toContainText("The rain");
  await expectAccessible(page);
});
