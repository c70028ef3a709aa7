import { entity } from "./graph";
import { expect, expectAccessible, open, test } from "./house";

const BOOK = [
  "Jiang Li rode to Foxford. Foxford slept. Jiang Li waited. Jiang Li watched.",
  "Captain Wen and Old Moss stood on the Pier. The Pier was wet. Captain Wen swore.",
  "Captain Wen saw Old Moss on the Pier.",
];

test("the graph stands by place and by time, its sizes say mentions, and thin ties have a threshold", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Layouts");
  for (const [type, name] of [
    ["character", "Jiang Li"],
    ["character", "Captain Wen"],
    ["character", "Old Moss"],
    ["location", "Foxford"],
    ["location", "Pier"],
  ] as const)
    await entity(request, story, name, { type });
  for (const [chapter, text] of BOOK.entries())
    await request.put(`/api/v2/stories/${story}/chapters/${chapter}/scenes/0`, { data: { text } });
  await open(page, story, "graph");
  const at = (name: string) => page.evaluate((one) => window.__graph?.at(one) ?? null, name);
  const away = async (a: string, b: string) => {
    const [one, other] = [await at(a), await at(b)];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : Number.NaN;
  };
  await expect.poll(() => at("Pier")).not.toBeNull();

  // Nobody is related to anybody: sizes say who is named most, until somebody wants something else.
  await expect(page.getByRole("radio", { name: "Mentions" })).toBeChecked();
  await expect
    .poll(async () => ((await at("Jiang Li"))?.r ?? 0) > 1.1 * ((await at("Old Moss"))?.r ?? 1))
    .toBe(true);
  await page.getByRole("radio", { name: "Links" }).click();
  await expect.poll(async () => (await at("Jiang Li"))?.r === (await at("Old Moss"))?.r).toBe(true);

  await page.getByRole("radio", { name: "By place" }).click();
  await expect(page).toHaveURL(/layout=place/);
  await expect
    .poll(async () => (await away("Captain Wen", "Pier")) < (await away("Captain Wen", "Foxford")))
    .toBe(true);
  await expect(page.getByRole("radio", { name: "By faction" })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "By time" }).click();
  await expect
    .poll(async () => (await away("Jiang Li", "Foxford")) < (await away("Jiang Li", "Captain Wen")))
    .toBe(true);

  // Where nobody has a place of their own, dragging keeps none.
  const before = await (await request.get(`/api/v2/stories/${story}/graph/picture`)).json();
  const wen = await at("Captain Wen");
  if (!wen) throw new Error("Captain Wen is not shown");
  await page.mouse.move(wen.x, wen.y);
  await page.mouse.down();
  await page.mouse.move(wen.x + 60, wen.y + 40, { steps: 4 });
  await page.mouse.up();
  const ties = page.getByLabel("Shared scenes");
  await ties.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("From 5% of their scenes")).toBeVisible();
  const after = await (await request.get(`/api/v2/stories/${story}/graph/picture`)).json();
  expect(after.nodes).toEqual(before.nodes);

  // What was chosen is there again; the order stands in the address.
  await page.reload();
  await expect(page.getByRole("radio", { name: "By time" })).toBeChecked();
  await expect(page.getByText("From 5% of their scenes")).toBeVisible();
});
