import { entity, placed, relate } from "./graph";
import { expect, expectAccessible, open, test } from "./house";

test("many who are related to nobody are listed with their number, and the picture is about relations", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Tray");
  const lin = await entity(request, story, "Lin", placed(-100, 0));
  const su = await entity(request, story, "Su", placed(100, 0));
  await relate(request, story, lin.id, su.id);
  for (let place = 0; place < 13; place++)
    await entity(request, story, `Stranger ${place}`, { type: "location", ...placed(place * 40 - 250, 200) });
  await open(page, story, "graph");
  await expect(page.getByText(/^Showing 2 of 15 nodes/)).toBeVisible();
  await page.getByText("Related to nobody (13)").click();
  await expectAccessible(page);
  const isDrawn = (name: string) =>
    page.evaluate((known) => (window.__graph?.at(known) ?? null) !== null, name);
  expect(await isDrawn("Stranger 7")).toBe(false);
  await page.getByRole("button", { name: "Stranger 7" }).click();
  await expect(page.getByRole("heading", { name: "Stranger 7" })).toBeVisible();
  await expect.poll(() => isDrawn("Stranger 7")).toBe(true);
  expect(await isDrawn("Stranger 8")).toBe(false);
  await page.getByLabel("Search nodes").fill("Stranger 8");
  await expect.poll(() => isDrawn("Stranger 8")).toBe(true);
  await page.getByLabel("Search nodes").fill("");
  await page.getByText("Show them in the picture").click();
  await expect(page.getByText(/^Showing 15 of 15 nodes/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Showing 15 of 15 nodes/)).toBeVisible();
});
