import { expect, test } from "./house";

test("the page on the interface shows every address, tries one out, and breaks none of its own rules", async ({
  page,
}) => {
  const answer = await page.goto("/docs");
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  await expect(page.getByText("The memory of a story: entities")).toBeVisible();

  const begin = page.locator("[id^=operations-stories-create_story]");
  await begin.locator(".opblock-summary").click();
  await begin.getByRole("button", { name: "Try it out" }).click();
  await begin.locator("textarea.body-param__text").fill('{"title": "Tried out"}');
  await begin.getByRole("button", { name: "Execute" }).click();
  await expect(begin.locator(".live-responses-table .response .response-col_status")).toHaveText(/^201/);
  expect(await (await page.request.get("/api/v2/stories")).text()).toContain("Tried out");
});
