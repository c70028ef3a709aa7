import { expect, expectAccessible, open, test } from "./house";
import { harbour, put } from "./secrets";

test("scenes and events are dated, and shown as told and as they happened", async ({
  page,
  house,
  request,
}) => {
  const { story, event } = await harbour(house, request);
  await open(page, story, "write?scene=0.0");
  await page.getByRole("button", { name: "When does it play?" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "After…" })).toBeDisabled();
  await dialog.getByLabel("Day", { exact: true }).fill("10");
  await dialog.getByLabel("What you call it").fill("the first frost");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "the first frost (day 10)" })).toBeVisible();
  await open(page, story, "timeline");
  await page
    .getByRole("button", { name: /world: Scene 1/ })
    .last()
    .click();
  await page.getByRole("dialog").getByRole("radio", { name: "Before…" }).click();
  await page.getByRole("dialog").getByLabel("Days between").fill("3650");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /world: Scene 1/ }).last()).toHaveText("day -3640");
  const headings = page.getByRole("region", { name: "Events in order" }).getByRole("heading");
  await expect(headings).toHaveText(["Chapter 1", "Chapter 2"]);
  await page.getByRole("radio", { name: "As it happened" }).click();
  await expect(headings).toHaveText(["day -3640", "the first frost (day 10)"]);
  await expect(page).toHaveURL(/order=happened/);
  await expectAccessible(page);
  await open(page, story, `timeline?order=happened&event=${event}`);
  await page.getByRole("button", { name: "World time", exact: true }).click();
  await page.getByRole("dialog").getByLabel("Day", { exact: true }).fill("soon");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("cannot read this as a day");
  await page.getByRole("dialog").getByLabel("Day", { exact: true }).fill("11.5");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(headings).toHaveText(["day -3640", "the first frost (day 10)", "day 11, 12:00"]);
});

test("the calendar of a story is chosen in its settings, and dates follow it", async ({
  page,
  house,
  request,
}) => {
  const { story } = await harbour(house, request);
  await open(page, story, "settings");
  await page.getByRole("radio", { name: "Dates" }).click();
  await page.getByLabel("Date of day 0").fill("1927-05-01");
  await expect(page.getByText("1927-05-01, 1928-06-04")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).last().click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await open(page, story, "write?scene=0.0");
  await page.getByRole("button", { name: "When does it play?" }).click();
  await page.getByRole("dialog").getByLabel("Day", { exact: true }).fill("1927-05-04");
  await page.getByRole("dialog").getByLabel("What you call it").fill("Wednesday");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Wednesday (1927-05-04)" })).toBeVisible();
  await open(page, story, "settings");
  await page.getByRole("radio", { name: "Eras of its world" }).click();
  await page.getByLabel("Era 1", { exact: true }).fill("Lamp");
  await expect(page.getByText("Lamp year 1, day 1, Lamp year 2, day 36")).toBeVisible();
  await expectAccessible(page);
});

test("a proposed world time says in words what it would write", async ({ page, house, request }) => {
  test.slow();
  const story = await house.story("Later", "zh");
  await put(request, `${story}/chapters/0/scenes/0`, { text: "江离点亮了灯。", worldTime: 0 } as object);
  await put(request, `${story}/chapters/0/scenes/1`, { text: "三天后，雾散了，江离走下塔楼。" });
  await open(page, story, "review");
  const item = page.getByRole("button", { name: /^三天后 / });
  await expect(item).toBeVisible();
  await item.click();
  await expect(page.getByText("The scene plays 3 days after the scene before it.")).toBeVisible();
  await expect(page.getByRole("article")).not.toContainText("sceneId");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect
    .poll(async () => {
      const scene = await (await request.get(`/api/v2/stories/${story}/chapters/0/scenes/1`)).json();
      return scene.worldTime?.day;
    })
    .toBe(3);
});
