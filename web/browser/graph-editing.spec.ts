import { api, ask, at, draw, entity, picture, placed, relate, two } from "./graph";
import { expect, open, test } from "./house";

test("a node is added, appears, and its details open", async ({ page, house, request }) => {
  const story = await house.story("青云");
  await open(page, story, "graph");
  await page.getByText("No nodes yet").waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New node" });
  await dialog.getByLabel("Name").fill("林远");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "林远" })).toBeVisible();
  await expect(page.getByText("Showing 1 of 1 node, 0 of 0 relations")).toBeVisible();
  const { nodes } = await picture(request, story);
  expect(nodes.names).toEqual(["林远"]);
  // The same again is refused, nothing is shown twice, and the way to the first one is offered.
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await dialog.getByLabel("Name").fill("林远");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("There is “林远” already.")).toBeVisible();
  await dialog.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByText("Showing 1 of 1 node")).toBeVisible();
});

test("a click chooses, the form edits where one looks, and a refusal keeps what was typed", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Edit");
  const { lin } = await two(request, story);
  await open(page, story, "graph");
  const { x, y } = await at(page, "林逸");
  await page.mouse.click(x, y);
  await page.getByLabel("Description").fill("年轻的剑修。");
  await page.getByRole("button", { name: "Add attribute" }).click();
  await page.getByLabel("Attribute", { exact: true }).fill("年龄");
  await page.getByLabel("Value: 年龄").fill("28");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved 林逸")).toBeVisible();
  const saved = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  expect([saved.description, saved.attributes]).toEqual(["年轻的剑修。", { 年龄: 28 }]);

  await page.getByLabel("Name", { exact: true }).fill("苏瑶");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/ipc/knowledge:entity:update", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  // It is shown before the server has answered, and taken back when it says no.
  await expect(page.getByRole("heading", { name: "苏瑶" })).toBeVisible();
  release();
  await expect(page.getByText("There is “苏瑶” already.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("苏瑶");
});

test("a conflict keeps what was typed, and saving again puts it over theirs", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Conflict");
  const { lin } = await two(request, story);
  await page.route("**/live", (route) => route.abort());
  await open(page, story, `graph?node=${lin.id}`);
  await page.getByLabel("Description").fill("Mine.");
  const patch = { description: "Theirs." };
  await ask(request, "knowledge:entity:update", { projectId: story, id: lin.id, expectedVersion: 1, patch });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Somebody else has changed this.")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Mine.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved 林逸")).toBeVisible();
});

test("a node that is dragged stays where it was put", async ({ page, house, request }) => {
  const story = await house.story("Drag");
  const { lin } = await two(request, story);
  await open(page, story, "graph");
  const from = await at(page, "林逸");
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 60, { steps: 4 });
  await page.mouse.move(from.x + 90, from.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText("Moved 林逸")).toBeVisible();
  const after = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  expect(after.layoutX).toBeGreaterThan(-200);
  expect(after.layoutY).toBeGreaterThan(0);
  // A layout moves nobody who has a place.
  await entity(request, story, "顾衡");
  await request.post(`${api}/stories/${story}/graph/layout`);
  const { nodes } = await picture(request, story);
  expect(nodes.x[nodes.ids.indexOf(lin.id)]).toBe(after.layoutX);
  expect(nodes.x[nodes.names.indexOf("顾衡")]).not.toBeNull();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  const back = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  expect([back.layoutX, back.layoutY]).toEqual([-200, 0]);
});

test("a relation is drawn from the rim, seen at once, and both ways if wanted", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Relate");
  await two(request, story);
  await open(page, story, "graph");
  await draw(page, "林逸", "苏瑶");
  const dialog = page.getByRole("dialog", { name: "What is between them?" });
  await dialog.getByLabel("Relation").selectOption("ally");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/ipc/knowledge:relation:create", async (route) => {
    await held;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("1 of 1 relation")).toBeVisible();
  expect((await picture(request, story)).totalEdges).toBe(0);
  release();
  await expect(page.getByText("Related 林逸 and 苏瑶")).toBeVisible();
  // A word of one's own, in both directions, is one step and offered again.
  await draw(page, "林逸", "苏瑶");
  await dialog.getByLabel("Relation").selectOption("Another word…");
  await dialog.getByLabel("Your word for it").fill("师徒");
  await dialog.getByRole("radio", { name: "Both ways" }).check();
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("3 of 3 relations")).toBeVisible();
  await draw(page, "苏瑶", "林逸");
  await expect(dialog.getByLabel("Relation").getByRole("option", { name: "师徒" })).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(page.getByText("1 of 1 relation")).toBeVisible();
});

test("a relation that the server refuses disappears again", async ({ page, house, request }) => {
  const story = await house.story("Refused");
  const { lin, su } = await two(request, story);
  await relate(request, story, lin.id, su.id, "ally");
  await open(page, story, "graph");
  await draw(page, "林逸", "苏瑶");
  const dialog = page.getByRole("dialog", { name: "What is between them?" });
  await dialog.getByLabel("Relation").selectOption("ally");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/ipc/knowledge:relation:create", async (route) => {
    await held;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("2 of 2 relations")).toBeVisible();
  release();
  await expect(page.getByText("1 of 1 relation")).toBeVisible();
});

test("a relation is chosen, changed and deleted; both nodes stay", async ({ page, house, request }) => {
  const story = await house.story("Edges");
  const { lin, su } = await two(request, story);
  await relate(request, story, lin.id, su.id, "ally");
  await open(page, story, "graph");
  const from = await at(page, "林逸");
  const to = await at(page, "苏瑶");
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  await page.mouse.move(middle.x, middle.y);
  await expect(page.getByRole("tooltip")).toHaveText("Ally");
  await page.mouse.click(middle.x, middle.y);
  await expect(page.getByText("林逸 → Ally → 苏瑶")).toBeVisible();
  await page.mouse.click(middle.x, middle.y, { button: "right" });
  await page.getByRole("menuitem", { name: "Change type" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the relation" });
  await dialog.getByLabel("Relation").selectOption("enemy");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("林逸 → Enemy → 苏瑶")).toBeVisible();
  await page.getByRole("button", { name: "Delete relation" }).click();
  const doom = page.getByRole("dialog", { name: "Delete this relation?" });
  await expect(doom).toContainText("“林逸” → “Enemy” → “苏瑶”");
  await doom.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Showing 2 of 2 nodes, 0 of 0 relations")).toBeVisible();
});

test("deleting a node says exactly what goes with it, and undo brings all of it back", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Delete");
  const { lin, su } = await two(request, story);
  const mount = await entity(request, story, "青云山", { type: "location", ...placed(0, 200) });
  await relate(request, story, lin.id, su.id);
  await relate(request, story, su.id, mount.id, "located_at");
  await relate(request, story, lin.id, mount.id, "located_at");
  await open(page, story, "graph");
  const { x, y } = await at(page, "林逸");
  await page.mouse.click(x, y, { button: "right" });
  await page.getByRole("menuitem", { name: "Delete node" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “林逸”?" });
  await expect(dialog).toContainText("2 relations with 2 others go, too.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Showing 2 of 2 nodes, 1 of 1 relation")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Showing 3 of 3 nodes, 3 of 3 relations")).toBeVisible();
  const { nodes } = await picture(request, story);
  expect(nodes.x[nodes.ids.indexOf(lin.id)]).toBe(-200);
});
