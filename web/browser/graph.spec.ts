import {
  apart,
  ask,
  at,
  colour,
  colours,
  entity,
  hold,
  placed,
  relate,
  shareOf,
  two,
  variable,
} from "./graph";
import { expect, expectAccessible, open, test } from "./house";

test("types are hidden and stay hidden, focus shows what is around, and the moment can be moved [F08] [MEMORY-3.4.4-filter] [MEMORY-3.4.4-counts] [MEMORY-GOAL-PICTURE]", async ({
  page,
  house,
}) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "graph");
  const jiang = await at(page, "Jiang Li");
  await page.getByRole("checkbox", { name: /Show Character/ }).click();
  await expect(page.getByText(/Showing 43 of 58 nodes/)).toBeVisible();
  const character = await variable(page, "--color-node-character");
  const isHidden = async () => {
    expect(await page.evaluate(() => window.__graph?.at("Jiang Li"))).toBeNull();
    await expect.poll(async () => apart(await colour(page, jiang.x, jiang.y), character)).toBeGreaterThan(20);
    await page.mouse.move(jiang.x, jiang.y);
    await page.mouse.click(jiang.x, jiang.y);
    await expect(page.getByRole("tooltip").filter({ hasText: "Jiang Li" })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Jiang Li" })).toHaveCount(0);
    await page.keyboard.press("Escape");
  };
  await isHidden();
  await page.reload();
  await expect(page.getByText(/Showing 43 of 58 nodes/)).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Show Character/ })).not.toBeChecked();
  await at(page, "Fogharbour");
  await isHidden();
  await page.getByRole("checkbox", { name: /Show Character/ }).click();
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

test("a button and a key ask for the graph again, and what one looks at stays as it is [MEMORY-3.4.4-refresh]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Refresh");
  await two(request, story);
  await entity(request, story, "青云山", { type: "location", ...placed(0, 150) });
  // Nobody tells the page of changes: it has to ask.
  await page.route("**/live", () => {});
  await open(page, story, "graph");
  const lin = await at(page, "林逸");
  await page.mouse.click(lin.x, lin.y);
  await page.getByRole("checkbox", { name: /Show Location/ }).click();
  await page.keyboard.press("+");
  await expect(page.getByText("Showing 2 of 3 nodes")).toBeVisible();
  await at(page, "林逸");
  const camera = await page.evaluate(() => window.__graph?.camera());
  await entity(request, story, "顾衡", placed(0, -100));
  const release = await hold(page, "**/graph/picture*");
  const button = page.getByRole("button", { name: "Refresh the graph" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  await expect(page.getByText("Showing 2 of 3 nodes")).toBeVisible();
  release();
  await expect(page.getByText("The graph is up to date")).toBeVisible();
  await expect(button).toHaveAttribute("aria-busy", "false");
  await expect(page.getByText("Showing 3 of 4 nodes")).toBeVisible();
  await at(page, "顾衡");
  expect(await page.evaluate(() => window.__graph?.camera())).toEqual(camera);
  expect(await page.evaluate(() => window.__graph?.at("青云山"))).toBeNull();
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await entity(request, story, "宋渔娘", placed(-100, -100));
  await page.keyboard.press("r");
  await expect(page.getByText("Showing 4 of 5 nodes")).toBeVisible();
  // What cannot be had again is told, and what was seen stays.
  await page.unrouteAll();
  await page.route("**/graph/picture*", (route) =>
    route.fulfill({ status: 504, json: { code: "KG_QUERY_TIMEOUT", message: "It took too long." } }),
  );
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("It took too long.")).toBeVisible();
  await expect(page.getByText("Showing 4 of 5 nodes")).toBeVisible();
});

test("how far one looks around a node can be chosen before and after, and says when it cannot [MEMORY-3.4.4-depth]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Depth");
  const { lin, su } = await two(request, story);
  const gu = await entity(request, story, "顾衡", placed(0, 200));
  const song = await entity(request, story, "宋渔娘", placed(-200, 200));
  for (const [one, other] of [
    [lin, su],
    [su, gu],
    [gu, song],
  ])
    await relate(request, story, one.id, other.id);
  await open(page, story, "graph");
  const steps = page.getByRole("group", { name: "Steps around a node" });
  const step = (name: string) => steps.getByRole("radio", { name, exact: true });
  await expect(step("All")).toBeChecked();
  for (const name of ["1", "2", "3"]) await expect(step(name)).toBeDisabled();
  await expect(steps).toHaveAccessibleDescription("Choose a node to see only what is around it.");
  await expectAccessible(page);
  const { x, y } = await at(page, "林逸");
  await page.mouse.click(x, y);
  await expect(step("All")).toBeChecked();
  await step("All").focus();
  await page.keyboard.press("ArrowRight");
  await expect(step("1")).toBeChecked();
  await expect(page.getByText("Around 林逸")).toBeVisible();
  await expect(page.getByText("Showing 2 of 4 nodes, 1 of 3 links")).toBeVisible();
  await step("2").click();
  await expect(page.getByText("Showing 3 of 4 nodes")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("k")).toBe("2");
  await page.reload();
  await expect(step("2")).toBeChecked();
  await expect(page.getByText("Showing 3 of 4 nodes")).toBeVisible();
  await step("All").click();
  await expect(page.getByText("Showing 4 of 4 nodes")).toBeVisible();
  await expect(page.getByText("Around 林逸")).toHaveCount(0);
});

test("a search marks what it finds by name and alias, dims the rest, and gives it back [F07] [MEMORY-3.4.4-search]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Search");
  const { lin, su } = await two(request, story);
  const gu = await entity(request, story, "顾衡", { ...placed(0, 200), aliases: ["林中客"] });
  await relate(request, story, lin.id, su.id);
  await relate(request, story, su.id, gu.id);
  await open(page, story, "graph");
  const [found, other, alias] = [await at(page, "林逸"), await at(page, "苏瑶"), await at(page, "顾衡")];
  const fill = await variable(page, "--color-node-character");
  const background = await colour(page, found.x, found.y - 4 * found.r);
  const seen = async ({ x, y }: { x: number; y: number }) =>
    shareOf(await colour(page, x, y), fill, background);
  const around = ({ x, y, r }: { x: number; y: number; r: number }) =>
    colours(page, x - r - 24, y - r - 24, 2 * r + 48, 2 * r + 48);
  expect(await seen(other)).toBeCloseTo(1, 1);
  const before = await around(other);
  await page.keyboard.press("/");
  await page.keyboard.type("林逸");
  await expect(page.getByText("1 found")).toBeVisible();
  await expect.poll(() => seen(other)).toBeLessThan(0.35);
  expect(await seen(other)).toBeGreaterThan(0.2);
  expect(await seen(found)).toBeCloseTo(1, 1);
  // Rings move around what was found, and around nothing else.
  const [ring, still] = [await around(found), await around(other)];
  await expect.poll(() => around(found)).not.toEqual(ring);
  expect(await around(other)).toEqual(still);
  await page.getByLabel("Search nodes").fill("");
  await expect(page.getByText(/ found$/)).toHaveCount(0);
  await expect.poll(() => around(other)).toEqual(before);
  await page.getByLabel("Search nodes").fill("林中客");
  await expect.poll(() => seen(found)).toBeLessThan(0.35);
  expect(await seen(alias)).toBeCloseTo(1, 1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "顾衡" })).toBeVisible();
});

test("thousands are drawn, moved, found and listed like ten [F13]", async ({ page, house, request }) => {
  test.slow();
  const story = await house.story("Large");
  const entities = Array.from({ length: 6_000 }, (_, place) => ({
    type: ["character", "location", "item"][place % 3],
    name: `Name ${place}`,
    ...placed((place % 80) * 60, Math.floor(place / 80) * 60),
  }));
  const { entityIds } = await ask(request, "knowledge:batch:upsert", { projectId: story, entities });
  const relations = Array.from({ length: 12_000 }, (_, place) => ({
    sourceEntityId: entityIds[place % 6_000],
    targetEntityId: entityIds[(place * 7 + 1) % 6_000],
    relationType: place < 6_000 ? "ally" : "enemy",
  })).filter(({ sourceEntityId, targetEntityId }) => sourceEntityId !== targetEntityId);
  await ask(request, "knowledge:batch:upsert", { projectId: story, relations });
  await open(page, story, "graph");
  await expect(page.getByText(/^Showing 6,000 of 6,000 nodes/)).toBeVisible();
  const before = await at(page, "Name 3000");
  await page.mouse.move(before.x + 5, before.y + 5);
  await page.keyboard.press("/");
  await page.keyboard.type("Name 4321");
  await expect(page.getByText("1 found", { exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Name 4321" })).toBeVisible();
  await page.getByLabel("Search nodes").fill("");
  await page.getByRole("radio", { name: "Table" }).click();
  const table = page.getByRole("table", { name: "Nodes as a table" });
  await expect(table).toHaveAttribute("aria-rowcount", "6001");
  expect(await table.getByRole("row").count()).toBeLessThan(80);
});

test("every type has its colour and its shape, and who has more relations is larger [MEMORY-3.4.5] [MEMORY-3.4.5-size] [MEMORY-3.4.4-library]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Shapes");
  // For each type: a point that its shape covers, and one that it leaves free, in radii from the middle.
  const shapes = {
    character: { colour: "#5b7f67", on: [0.5, 0.5], off: [0.85, 0.85] },
    location: { colour: "#6b8fa3", on: [0.7, 0.05], off: [0.85, 0.85] },
    event: { colour: "#d4a574", on: [0.7, 0.05], off: [0.75, 0.75] },
    item: { colour: "#7fa88e", on: [0.62, 0.62], off: [1.15, 0] },
    concept: { colour: "#8b6f4e", on: [0, -0.7], off: [0, 0.95] },
  } as const;
  const made: { id: string }[] = [];
  for (const [place, type] of Object.keys(shapes).entries())
    made.push(await entity(request, story, type, { type, ...placed(place * 90, place * 30) }));
  await open(page, story, "graph");
  const background = await variable(page, "--color-bg");
  for (const [type, { colour: hex, on, off }] of Object.entries(shapes)) {
    const { x, y, r } = await at(page, type);
    const fill = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16));
    expect(await colour(page, x, y), type).toEqual(fill);
    expect(await colour(page, x + on[0] * r, y + on[1] * r), type).toEqual(fill);
    expect(apart(await colour(page, x + off[0] * r, y + off[1] * r), background), type).toBeLessThan(12);
  }
  const ratio = async () => (await at(page, "character")).r / (await at(page, "item")).r;
  expect(await ratio()).toBeCloseTo(1, 2);
  for (const other of made.slice(1, 3)) await relate(request, story, made[0]?.id ?? "", other.id);
  await expect.poll(ratio).toBeGreaterThan(1.3);
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
  await expect(page.getByText("2 of 2 links")).toBeVisible();
  await page.keyboard.press("Delete");
  await page.getByRole("dialog", { name: "Delete “苏瑶”?" }).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Showing 1 of 1 node, 0 of 0 links")).toBeVisible();
});

test("a double click leads to the lorebook, and a right click offers what can be done [F09] [MEMORY-3.4.4-node]", async ({
  page,
  house,
}) => {
  const story = await house.sample("harbor.en");
  const jiang = (await house.entries(story)).find(({ entryKey }) => entryKey === "Jiang Li");
  await open(page, story, "graph");
  const { x, y } = await at(page, "Jiang Li");
  await page.mouse.click(x, y, { button: "right" });
  const menu = page.getByRole("menu", { name: "Jiang Li" });
  for (const name of ["Edit", "Add relation", "Show in the lorebook", "Delete node"])
    await expect(menu.getByRole("menuitem", { name })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.keyboard.press("Escape");
  const there = await at(page, "Jiang Li");
  await page.mouse.dblclick(there.x, there.y);
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

test("a wheel and a pinch zoom at the pointer, the ground pans and lets go, a button shows all [MEMORY-3.4.4-canvas]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Camera");
  await two(request, story);
  await open(page, story, "graph");
  const before = await at(page, "林逸");
  const scale = () => page.evaluate(() => window.__graph?.camera().k ?? 0);
  const first = await scale();
  await page.mouse.move(before.x, before.y);
  await page.mouse.wheel(0, -300);
  await expect.poll(scale).toBeGreaterThan(first);
  const near = await at(page, "林逸");
  expect(Math.hypot(near.x - before.x, near.y - before.y)).toBeLessThan(2);
  for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, -600);
  await expect.poll(scale).toBeLessThanOrEqual(5);
  expect(await scale()).toBeGreaterThan(4.5);
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 600);
  await expect.poll(scale).toBeLessThan(0.2);
  expect(await scale()).toBeGreaterThanOrEqual(0.1);
  const cdp = await page.context().newCDPSession(page);
  const pinch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        type === "touchEnd"
          ? []
          : [-1, 1].map((side, id) => ({ x: before.x + 300 + side * spread, y: before.y - 150, id })),
    });
  const far = await scale();
  await pinch("touchStart", 20);
  for (let spread = 40; spread <= 160; spread += 20) await pinch("touchMove", spread);
  await pinch("touchEnd", 0);
  await expect.poll(scale).toBeGreaterThan(3 * far);
  await page.getByRole("button", { name: "Fit view" }).click();
  await expect.poll(scale).toBeCloseTo(first, 3);
  const start = await at(page, "林逸");
  await page.mouse.click(start.x, start.y);
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  const at1 = await at(page, "林逸");
  await page.mouse.move(at1.x + 60, at1.y + 150);
  await page.mouse.down();
  await page.mouse.move(at1.x + 90, at1.y + 190, { steps: 4 });
  await page.mouse.up();
  const panned = await at(page, "林逸");
  expect([Math.round(panned.x - at1.x), Math.round(panned.y - at1.y)]).toEqual([30, 40]);
  await page.mouse.click(panned.x + 60, panned.y + 150);
  await expect(page.getByRole("heading", { name: "林逸" })).toBeHidden();
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
