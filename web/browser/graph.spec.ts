import { at, relate, two } from "./graph";
import { expect, expectAccessible, open, test } from "./house";

test("types are hidden and stay hidden, focus shows what is around, and the moment can be moved", async ({
  page,
  house,
}) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "graph");
  await at(page, "Jiang Li");
  await page.getByRole("checkbox", { name: /Show Character/ }).uncheck();
  await expect(page.getByText(/Showing 43 of 58 nodes/)).toBeVisible();
  expect(await page.evaluate(() => window.__graph?.at("Jiang Li"))).toBeNull();
  await page.reload();
  await expect(page.getByText(/Showing 43 of 58 nodes/)).toBeVisible();
  await page.getByRole("checkbox", { name: /Show Character/ }).check();
  const { x, y } = await at(page, "Outer Reef");
  await page.mouse.click(x, y);
  await page.getByRole("heading", { name: "Outer Reef" }).waitFor();
  await page.keyboard.press("f");
  await expect(page.getByText("Around Outer Reef")).toBeVisible();
  await page.getByRole("radio", { name: "1", exact: true }).click();
  await expect(page.getByText(/Showing 3 of 58 nodes/)).toBeVisible();
  await page.getByRole("button", { name: "Show everything again" }).click();
  await page.getByRole("slider", { name: "As of" }).focus();
  await page.keyboard.press("Home");
  await expect(page.getByText(/^Showing (?!58)\d+ of 58 nodes/)).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByText(/Showing 58 of 58 nodes/)).toBeVisible();
});

test("a search marks what it finds by name and alias, and dims the rest", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "graph");
  const { x, y } = await at(page, "Fogharbour");
  const shade = async () => {
    const shot = await page.screenshot({ clip: { x: x - 2, y: y - 2, width: 4, height: 4 } });
    return shot.toString("base64");
  };
  const before = await shade();
  await page.keyboard.press("/");
  await page.keyboard.type("jiang");
  await expect(page.getByText(/^\d+ found$/)).toBeVisible();
  await expect.poll(shade).not.toBe(before);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Jiang Li" })).toBeVisible();
  await page.getByLabel("Search nodes").fill("");
  await expect(page.getByText(/ found$/)).toHaveCount(0);
});

test("with the keyboard one walks, zooms, relates and deletes", async ({ page, house, request }) => {
  const story = await house.story("Keys");
  const { lin, su } = await two(request, story);
  await relate(request, story, lin.id, su.id);
  await open(page, story, "graph");
  await at(page, "林逸");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: "苏瑶" })).toBeVisible();
  const before = await page.evaluate(() => window.__graph?.camera().k ?? 0);
  await page.keyboard.press("+");
  expect(await page.evaluate(() => window.__graph?.camera().k ?? 0)).toBeGreaterThan(before);
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "What is between them?" });
  await dialog.getByRole("combobox", { name: "To" }).fill("林");
  await dialog.getByRole("option", { name: /林逸/ }).click();
  await dialog.getByLabel("Relation").selectOption("enemy");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("2 of 2 relations")).toBeVisible();
  await page.keyboard.press("Delete");
  await page.getByRole("dialog", { name: "Delete “苏瑶”?" }).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Showing 1 of 1 node, 0 of 0 relations")).toBeVisible();
});

test("a double click leads to the lorebook", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  const jiang = (await house.entries(story)).find(({ entryKey }) => entryKey === "Jiang Li");
  await open(page, story, "graph");
  const { x, y } = await at(page, "Jiang Li");
  await page.mouse.dblclick(x, y);
  await expect(page).toHaveURL(new RegExp(`lorebook\\?entry=${jiang?.id}`));
});

test("the table says the same in words, and axe finds no fault with either", async ({ page, house }) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "graph");
  await at(page, "Jiang Li");
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Table" }).click();
  const table = page.getByRole("table", { name: "Nodes as a table" });
  await expect(table).toHaveAttribute("aria-rowcount", "59");
  await table.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByLabel("Search nodes").fill("jiang");
  await table.getByRole("button", { name: "Jiang Li", exact: true }).click();
  await expect(page.getByRole("region", { name: "Relations" }).getByRole("listitem").first()).toBeVisible();
  await expectAccessible(page);
});

test("on a telephone one sees it, looks closer, and reads about a node", async ({ page, house }) => {
  const story = await house.sample("harbor.zh");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => localStorage.setItem("fabula:language", '"zh"'));
  await open(page, story, "graph");
  const { x, y } = await at(page, "江离");
  await page.mouse.click(x, y);
  await expect(page.getByRole("heading", { name: "江离" })).toBeVisible();
  await page.getByRole("button", { name: "关闭详情" }).click();
  await page.getByRole("button", { name: "搜索与筛选" }).click();
  await page.getByLabel("搜索节点").fill("江");
  await expect(page.getByText(/找到 \d+ 个/)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("loading and laying out can be stopped", async ({ page, house }) => {
  const story = await house.story("Stop");
  await page.route("**/graph/picture*", () => {});
  await open(page, story, "graph");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.unroute("**/graph/picture*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("No nodes yet")).toBeVisible();
});
