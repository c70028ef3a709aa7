import { expect, test } from "@playwright/test";

const token = process.env.FABULA_TOKEN;

test.skip(token === undefined, "needs a server that requires accounts, and FABULA_TOKEN");

test("who shows a token is let in, and stays in", async ({ page }) => {
  await page.goto("/");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("Token").fill("fab_wrong");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Token").fill(token ?? "");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Open a sample" }).click();
  await expect(page.locator(".ProseMirror")).toContainText("For three days there was no fog.");
  await page.reload();
  await expect(page.locator(".ProseMirror")).toContainText("For three days there was no fog.");
});
