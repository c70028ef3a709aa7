import {
  apart,
  api,
  ask,
  at,
  colour,
  colours,
  draw,
  entity,
  hold,
  picture,
  placed,
  relate,
  shareOf,
  two,
  variable,
} from "./graph";
import { expect, open, test } from "./house";

test("a node is added, appears in its colour, and its details open [F01] [KG1-R1-S1]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("青云");
  await open(page, story, "graph");
  await page.getByText("No nodes yet").waitFor();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New node" });
  await dialog.getByLabel("Name").fill("林远");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "林远" })).toBeVisible();
  await expect(page.getByText("Showing 1 of 1 node, 0 of 0 links")).toBeVisible();
  const { nodes } = await picture(request, story);
  expect(nodes.names).toEqual(["林远"]);
  const { x, y } = await at(page, "林远");
  expect(await colour(page, x, y)).toEqual([0x5b, 0x7f, 0x67]);
  expect(await variable(page, "--color-node-character")).toEqual([0x5b, 0x7f, 0x67]);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("林远");
  // The same again is refused, nothing is shown twice, and the way to the first one is offered.
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await dialog.getByLabel("Name").fill("林远");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("There is “林远” already.")).toBeVisible();
  await dialog.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByText("Showing 1 of 1 node")).toBeVisible();
});

test("a click chooses, the form edits where one looks, and a refusal keeps what was typed [KG1-R1-S2] [MEMORY-3.4.6-edit]", async ({
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
  // The tooltip says the same.
  await page.getByRole("button", { name: "Close details" }).click();
  const there = await at(page, "林逸");
  await page.mouse.move(there.x, there.y);
  await expect(page.getByRole("tooltip")).toContainText("年轻的剑修。");
  await expect(page.getByRole("tooltip")).toContainText("28");
  await page.mouse.click(there.x, there.y);

  await page.getByLabel("Name", { exact: true }).fill("苏瑶");
  const release = await hold(page, "**/ipc/knowledge:entity:update");
  await page.getByRole("button", { name: "Save" }).click();
  // It is shown before the server has answered, and taken back when it says no.
  await expect(page.getByRole("heading", { name: "苏瑶" })).toBeVisible();
  release();
  await expect(page.getByText("There is “苏瑶” already.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("苏瑶");
});

test("a conflict shows both versions, and loses neither [KG1-X-S3]", async ({ page, house, request }) => {
  const story = await house.story("Conflict");
  const { lin } = await two(request, story);
  await page.route("**/live", (route) => route.abort());
  await open(page, story, `graph?node=${lin.id}`);
  await page.getByLabel("Description").fill("Mine.");
  const patch = { description: "Theirs.", attributes: { age: 30 } };
  await ask(request, "knowledge:entity:update", { projectId: story, id: lin.id, expectedVersion: 1, patch });
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions of 林逸" });
  await expect(dialog).toContainText("Theirs.");
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Description")).toHaveValue("Mine.");
  await page.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("radio", { name: "Both" }).click();
  await dialog.getByRole("button", { name: "Save this" }).click();
  await expect(page.getByText("Saved 林逸")).toBeVisible();
  const after = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  expect([after.description, after.attributes]).toEqual(["Mine.\n\nTheirs.", { age: 30 }]);
});

test("a node that is dragged stays where it was put [MEMORY-3.4.4-node]", async ({
  page,
  house,
  request,
}) => {
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

test("a relation is drawn from the rim, seen at once, and both ways if wanted [F04] [F06] [KG1-R2-S1] [KG1-R2-S2] [MEMORY-3.4.6-relate]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Relate");
  await two(request, story);
  await open(page, story, "graph");
  const [from, to] = [await at(page, "林逸"), await at(page, "苏瑶")];
  const between = () =>
    colours(page, from.x + from.r + 8, from.y, Math.round(to.x - to.r - from.x - from.r - 24));
  const ring = () => colours(page, to.x - to.r - 8, to.y - 3, 8, 6);
  const background = await colour(page, from.x, from.y - 3 * from.r);
  const bare = await ring();
  await page.mouse.move(from.x + from.r, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, from.y + 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  // A dashed line leads to the other, which is ringed: the share of the dashes is seven of twelve.
  const dashes = async () => {
    const line = await between();
    return line.filter((seen) => apart(seen, background) > 60).length / line.length;
  };
  await expect.poll(dashes).toBeGreaterThan(0.4);
  expect(await dashes()).toBeLessThan(0.8);
  expect(await ring()).not.toEqual(bare);
  await page.mouse.up();
  const dialog = page.getByRole("dialog", { name: "What is between them?" });
  await dialog.getByLabel("Relation").selectOption("ally");
  const release = await hold(page, "**/ipc/knowledge:relation:create");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("1 of 1 link")).toBeVisible();
  expect((await picture(request, story)).totalEdges).toBe(0);
  release();
  await expect(page.getByText("Related 林逸 and 苏瑶")).toBeVisible();
  // It has the subtle colour, seen through, and says in its middle what it is.
  const subtle = await variable(page, "--color-fg-subtle");
  await page.mouse.move(from.x, from.y - 6 * from.r);
  // With a relation, the node is larger than before.
  const end = await at(page, "苏瑶");
  const arrow = () => colour(page, end.x - 1.12 * end.r - 6, end.y);
  await expect.poll(async () => shareOf(await arrow(), subtle, background)).toBeGreaterThan(0.4);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  await page.mouse.move(middle.x, middle.y);
  await expect(page.getByRole("tooltip")).toHaveText("Ally");
  await page.mouse.move(from.x, from.y - 6 * from.r);
  // A word of one's own, in both directions, is one step and offered again.
  await draw(page, "林逸", "苏瑶");
  await dialog.getByLabel("Relation").selectOption("Another word…");
  await dialog.getByLabel("Your word for it").fill("师徒");
  await dialog.getByRole("radio", { name: "Both ways" }).click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("3 of 3 links")).toBeVisible();
  await draw(page, "苏瑶", "林逸");
  await expect(dialog.getByLabel("Relation").getByRole("option", { name: "师徒" })).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.reload();
  await draw(page, "苏瑶", "林逸");
  await dialog.getByLabel("Relation").selectOption({ label: "师徒" });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(page.getByText("1 of 1 link")).toBeVisible();
});

test("a relation that the server refuses is seen, disappears again, and why is told [F05] [MEMORY-3.4.6-optimistic]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Refused");
  const { lin, su } = await two(request, story);
  await relate(request, story, lin.id, su.id, "ally");
  await open(page, story, "graph");
  await draw(page, "林逸", "苏瑶");
  const dialog = page.getByRole("dialog", { name: "What is between them?" });
  await dialog.getByLabel("Relation").selectOption("ally");
  const release = await hold(page, "**/ipc/knowledge:relation:create");
  await dialog.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText("2 of 2 links")).toBeVisible();
  expect((await picture(request, story)).totalEdges).toBe(1);
  release();
  await expect(page.getByText("1 of 1 link")).toBeVisible();
  await expect(page.getByText("This 'ally' relation exists already.")).toBeVisible();
  expect((await picture(request, story)).totalEdges).toBe(1);
});

test("a relation is chosen, changed and deleted; both nodes stay [KG1-R2-S3] [MEMORY-3.4.4-edge]", async ({
  page,
  house,
  request,
}) => {
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
  await expect(page.getByText("Showing 2 of 2 nodes, 0 of 0 links")).toBeVisible();
});

test("deleting a node says exactly what goes with it, and undo brings all of it back [F10] [KG1-R1-S3] [MEMORY-3.4.6-delete]", async ({
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
  await relate(request, story, mount.id, lin.id, "home_of");
  const before = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  await open(page, story, "graph");
  const { x, y } = await at(page, "林逸");
  await page.mouse.click(x, y, { button: "right" });
  await page.getByRole("menuitem", { name: "Delete node" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “林逸”?" });
  await expect(dialog).toContainText("3 relations with 2 others go, too.");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Showing 2 of 2 nodes, 1 of 1 link")).toBeVisible();
  expect(await page.evaluate(() => window.__graph?.at("林逸"))).toBeNull();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Showing 3 of 3 nodes, 4 of 4 links")).toBeVisible();
  const after = await ask(request, "knowledge:entity:read", { projectId: story, id: lin.id });
  const { version: _, updatedAt: __, ...kept } = before;
  expect(after).toMatchObject(kept);
});

test("whoever zoomed before everybody had a place still sees everybody afterwards", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Layout");
  const names = Array.from({ length: 30 }, (_, number) => `Person ${number}`);
  for (const name of names) await entity(request, story, name);
  const release = await hold(page, "**/graph/layout");
  await open(page, story, "graph");
  await at(page, "Person 0");
  for (let times = 0; times < 6; times++) await page.keyboard.press("+");
  const before = await at(page, "Person 0");
  release();
  await expect.poll(() => page.evaluate(() => window.__graph?.at("Person 0"))).not.toEqual(before);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const isInSight = async (name: string) => {
    const { x, y } = await at(page, name);
    return x > 0 && y > 0 && x < width && y < height;
  };
  for (const name of names) expect(await isInSight(name), name).toBe(true);
});
