import { expect, open } from "./house";
import { test } from "./servers";

test("a server that is killed in the middle of an edit costs nothing: told, kept over a reload, saved later [F18]", async ({
  page,
  house,
  server,
}) => {
  test.slow();
  const story = await house.story("Storm");
  const { id } = await house.entry(story, { entryKey: "Egret", category: "character", content: "A child." });
  await page.request.put(`/api/v2/stories/${story}/chapters/0/scenes/0`, { data: { text: "Calm." } });

  await open(page, story, `lorebook?entry=${id}`);
  await page.getByLabel("What is told").fill("A child who does not speak.");
  await server.kill();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Your text is kept in this browser.").first()).toBeVisible();
  await expect(page.getByText("The server does not answer. Trying again…")).toBeVisible();
  await expect(page.getByLabel("What is told")).toHaveValue("A child who does not speak.");

  await server.start();
  await expect(page.getByText("The server does not answer. Trying again…")).toBeHidden();
  await page.reload();
  await expect(page.getByLabel("What is told")).toHaveValue("A child who does not speak.");
  await expect(page.getByText("These changes were not saved yet.")).toBeVisible();
  expect((await house.entries(story))[0]?.content).toBe("A child.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved Egret")).toBeVisible();
  expect((await house.entries(story))[0]?.content).toBe("A child who does not speak.");
});

test("who writes on through an outage finds every word saved afterwards [F18]", async ({
  page,
  house,
  server,
}) => {
  test.slow();
  const story = await house.story("Storm");
  const scene = `/api/v2/stories/${story}/chapters/0/scenes/0`;
  await page.request.put(scene, { data: { text: "Calm." } });
  await open(page, story, "write");
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  await server.kill();
  await page.keyboard.type(" The wind rose.");
  await expect(page.getByText("Kept in this browser", { exact: true })).toBeVisible();
  await page.keyboard.type(" It blew.");
  await server.start();
  await expect
    .poll(async () => (await (await page.request.get(scene)).json()).text)
    .toBe("Calm. The wind rose. It blew.");
  await expect(page.locator(".ProseMirror p")).toHaveText("Calm. The wind rose. It blew.");
});
