import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectAccessible } from "./house";

// Nobody is there: the browser is given the files of the built storybook, whatever it asks for.
const NOWHERE = "http://stories.invalid";

interface Told {
  id: string;
  title: string;
  name: string;
}

let folder = "";
let stories: Told[] = [];

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stories-"));
  execFileSync("npx", ["--no-install", "storybook", "build", "--quiet", "--output-dir", folder], {
    env: { ...process.env, STORYBOOK_DISABLE_TELEMETRY: "1" },
    stdio: "pipe",
  });
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf-8"));
  stories = Object.values(index.entries);
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the entity page is shown as it usually is, empty, and in trouble [KG-DETAIL-STATES]", () => {
  const entity = stories.filter(({ title }) => title === "Entity").map(({ name }) => name);
  expect(entity).toEqual(expect.arrayContaining(["Default", "Empty", "Error"]));
});

for (const theme of ["light", "dark"]) {
  test(`no story has a fault that axe can see: ${theme}`, async ({ page }) => {
    test.slow();
    await page.route(`${NOWHERE}/**`, (route) =>
      route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
    );
    expect(stories.length).toBeGreaterThan(0);
    for (const { id, title, name } of stories) {
      await test.step(`${title}: ${name}`, async () => {
        await page.goto(`${NOWHERE}/iframe.html?id=${id}&viewMode=story&globals=theme:${theme}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
        await expect(page.locator(".sb-errordisplay")).toBeHidden();
        if (name === "Error") await expect(page.getByRole("alert")).toBeVisible();
        else if (name !== "Loading") await expect(page.getByRole("alert")).toBeHidden();
        await expectAccessible(page);
      });
    }
  });
}
