import type { APIRequestContext } from "@playwright/test";
import { api, entity } from "./graph";
import { expect, expectAccessible, type House, open, test } from "./house";

const OTHERS = { autoApprove: 0.9, foldTraditional: true };

/** 青云 is hidden; the author wrote 青云山, an import brought 青云宗, and both stand in what is told of 林逸. */
async function secretive(request: APIRequestContext, house: House): Promise<string> {
  const story = await house.story("秘密", "zh");
  const at = `${api}/stories/${story}`;
  await request.patch(at, { data: { settings: OTHERS } });
  await entity(request, story, "青云", { aiContextLevel: "never", description: "他才是宗主。" });
  await entity(request, story, "青云山", { type: "location", description: "在北方。" });
  const entries = [{ entryKey: "青云宗", category: "faction", content: "一个宗门。" }];
  const done = await request.post(`${at}/lorebook/import`, { data: { entries } });
  expect((await done.json()).errors).toEqual([]);
  await house.entry(story, {
    entryKey: "林逸",
    category: "character",
    content: "他住在青云山。他属于青云宗。他怕青云。",
  });
  await request.put(`${at}/chapters/0/scenes/0`, { data: { text: "林逸拔剑。" } });
  return story;
}

const settingsOf = async (request: APIRequestContext, story: string) =>
  (await (await request.get(`${api}/stories/${story}`)).json()).settings;

const told = async (request: APIRequestContext, story: string): Promise<string> => {
  const data = { chapter: 0, scene: 0, text: "林逸拔剑。" };
  return JSON.stringify(
    (await (await request.post(`${api}/stories/${story}/context/assemble`, { data })).json()).messages,
  );
};

test("from a piece with something withheld one comes to the names that contain a secret, lets one be told, and takes it back", async ({
  page,
  house,
  request,
}) => {
  const story = await secretive(request, house);
  expect(await told(request, story)).not.toContain("他属于青云宗");
  await open(page, story, "write?scene=0.0");
  await page.getByRole("link", { name: "without what names a secret" }).first().click();
  const section = page.getByRole("region", { name: "Names that contain a secret" });
  await expect(section).toBeFocused();
  await expect(section.getByRole("listitem")).toHaveText([
    "青云宗contains “青云” · came with an import or from an agentMay be told",
    "青云山contains “青云” · the author wrote it, so it is toldMay be told",
  ]);
  const others = section.getByRole("switch", { name: "May be told: “青云宗”" });
  const own = section.getByRole("switch", { name: "May be told: “青云山”" });
  await expect(others).not.toBeChecked();
  await expect(own).toBeChecked();
  await expect(own).toBeDisabled();
  await expectAccessible(page);

  await page.keyboard.press("Tab");
  await expect(others).toBeFocused();
  await page.keyboard.press("Space");
  await expect(others).toBeChecked();
  await expect(page.getByText("“青云宗” may be told")).toBeVisible();
  await expect(others).toBeFocused();
  expect(await settingsOf(request, story)).toEqual({
    ...OTHERS,
    covers: [{ name: "青云宗", hidden: "青云" }],
  });
  expect(await told(request, story)).toContain("他属于青云宗");
  expect(await told(request, story)).not.toContain("他怕青云");
  await page.reload();
  await expect(others).toBeChecked();
  await page.keyboard.press("Control+z");
  await expect(others).not.toBeChecked();
  expect(await settingsOf(request, story)).toEqual(OTHERS);
  expect(await told(request, story)).not.toContain("他属于青云宗");

  // What others change of the settings meanwhile is kept.
  await page.route("**/live", () => {});
  await request.patch(`${api}/stories/${story}`, { data: { settings: { ...OTHERS, tokenBudget: 900 } } });
  await section.getByText("May be told", { exact: true }).first().click();
  await expect(page.getByText("“青云宗” may be told")).toBeVisible();
  expect((await settingsOf(request, story)).tokenBudget).toBe(900);
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(others).not.toBeChecked();
  expect(await settingsOf(request, story)).toEqual({ ...OTHERS, tokenBudget: 900 });
});

test("in Chinese and at 390 px it is the same, and a refusal is told", async ({ page, house, request }) => {
  const story = await secretive(request, house);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  await open(page, story, "settings");
  const section = page.getByRole("region", { name: "含有秘密的名称" });
  await expect(section.getByRole("listitem").first()).toContainText("含有「青云」 · 来自导入或代理");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await page.route(`**/stories/${story}`, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    return route.fulfill({ status: 403, json: { code: "FORBIDDEN", message: "只能阅读。" } });
  });
  const others = section.getByRole("switch", { name: "可以告知：「青云宗」" });
  await section.getByText("可以告知", { exact: true }).first().click();
  await expect(page.getByText("只能阅读。")).toBeVisible();
  await expect(others).not.toBeChecked();
});

test("nothing is said of such names where there are none", async ({ page, house }) => {
  const story = await house.sample("harbor.zh");
  const asked = page.waitForResponse("**/covers");
  await open(page, story, "settings");
  expect((await (await asked).json()).items).toEqual([]);
  await expect(page.getByRole("heading", { name: "Export the story" })).toBeVisible();
  await expect(page.getByText("Names that contain a secret")).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("status")).toHaveCount(0);
});
