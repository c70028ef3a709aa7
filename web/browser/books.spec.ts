import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, open, test } from "./house";

/** A World Info book, as SillyTavern saves one, with fields that nobody here knows. */
const BOOK = {
  entries: {
    0: {
      uid: 0,
      key: ["forest", "/shadow(fang)?s/i"],
      keysecondary: [],
      comment: "Eldoria",
      content: "A forest in which beasts hunt.",
      order: 100,
      position: 0,
      addMemo: true,
      displayIndex: 0,
      ownField: { kept: true },
    },
    1: {
      uid: 1,
      key: ["beasts"],
      keysecondary: [],
      comment: "Shadowfang",
      content: "They fear light.",
      order: 90,
      position: 1,
      displayIndex: 1,
    },
    2: {
      uid: 2,
      key: ["lake"],
      keysecondary: [],
      comment: "Lake",
      content: "Bitter water.",
      order: 80,
      position: 0,
      displayIndex: 2,
    },
  },
  bookField: "kept, too",
};
const FILE = {
  name: "Glade.json",
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(BOOK)),
};

async function takeIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await dialog.getByLabel("File").setInputFiles(FILE);
  await expect(dialog).toContainText("SillyTavern World Info: 3 entries");
  await dialog.getByText("Kept as it is").click();
  await expect(dialog.getByText("ownField")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Show its entries" }).click();
}

const rowOf = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

test("a World Info book comes in, is tried, and goes out as it came", async ({ page, house }) => {
  const story = await house.story(`Books ${Date.now()}`);
  await house.entry(story, { entryKey: "Lamp", category: "item", content: "It burns." });
  await open(page, story, "lorebook");
  await takeIn(page);
  await expect(page).toHaveURL(/book=/);
  await expect(page.getByRole("button", { name: /Shadowfang/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /Lamp/ })).toHaveCount(0);
  await expect(rowOf(page, "Glade")).toContainText("3 entries · SillyTavern's rules");
  await expectAccessible(page);

  await rowOf(page, "Glade").getByRole("button", { name: "Test triggers" }).click();
  await page.locator("textarea").fill("You: What is out there?\nMira: Stay away from the shadowfangs.");
  const result = page.getByRole("region", { name: "Result" });
  const fateOf = (name: string) =>
    result.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await expect(result).toContainText("2 of 3 entries fire · 2 passes");
  await expect(fateOf("Eldoria")).toContainText("in the last message (Mira) · pass 1");
  await expect(fateOf("Shadowfang")).toContainText("key “beasts” · in the text of another entry · pass 2");
  await expect(fateOf("Lake")).toContainText("no key is in the text");
  await page.getByText("Settings of the scan").click();
  await page.getByText("Texts of entries call further entries").click();
  await expect(result).toContainText("1 of 3 entries fire");
  await expect(result).toContainText("0 more, 1 fewer");
  await expectAccessible(page);

  await open(page, story, "lorebook?books");
  await rowOf(page, "Glade").getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByLabel("Format").selectOption("aidungeon");
  await expect(dialog).toContainText("This format cannot say everything:");
  await expectAccessible(page);
  await dialog.getByLabel("Format").selectOption("sillytavern");
  await expect(dialog).toContainText("Nothing is lost in this format.");
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("Glade.json");
  expect(JSON.parse(readFileSync(await file.path(), "utf-8"))).toEqual(BOOK);
});

test("a book is renamed, deleted and brought back; its entries become entities", async ({ page, house }) => {
  const story = await house.story(`Shelf ${Date.now()}`);
  await open(page, story, "lorebook");
  await takeIn(page);
  await rowOf(page, "Glade").getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings of “Glade”" });
  await settings.getByRole("textbox", { name: "Name" }).fill("Woods");
  await settings.getByLabel("Messages to scan").fill("5");
  await expectAccessible(page);
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(rowOf(page, "Woods")).toBeVisible();

  await rowOf(page, "Woods").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Deleted Woods")).toBeVisible();
  expect(await house.entries(story)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(rowOf(page, "Woods")).toContainText("3 entries");

  await page.getByRole("checkbox", { name: "Select Eldoria" }).check();
  await page.getByRole("button", { name: "Make entities…" }).click();
  const making = page.getByRole("dialog", { name: "Make entities…" });
  await making.getByLabel("Category").selectOption({ label: "Location" });
  await making.getByRole("button", { name: "Make an entity" }).click();
  await expect(rowOf(page, "Woods")).toContainText("2 entries");
  const made = (await house.entries(story)).find(({ entryKey }) => entryKey === "Eldoria");
  expect(made).toMatchObject({ category: "location", bookId: "own" });
});

test("a book is taken in where it is dropped", async ({ page, house }) => {
  const story = await house.story(`Dropped ${Date.now()}`);
  await open(page, story, "lorebook");
  await expect(page.getByText("No entries yet")).toBeVisible();
  const held = await page.evaluateHandle((text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "Glade.json"));
    return files;
  }, JSON.stringify(BOOK));
  const panel = page.getByRole("region", { name: "Lorebook", exact: true });
  await panel.dispatchEvent("dragover", { dataTransfer: held });
  await expect(page.getByText("Drop a file to import it")).toBeVisible();
  await panel.dispatchEvent("drop", { dataTransfer: held });
  const dialog = page.getByRole("dialog", { name: "Import" });
  await expect(dialog).toContainText("SillyTavern World Info: 3 entries");
});

test("at 390 px the books, the test and the preview are as useful", async ({ page, house }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const story = await house.story(`Narrow ${Date.now()}`);
  await open(page, story, "lorebook");
  await takeIn(page);
  await page.getByRole("button", { name: "Lorebooks" }).click();
  await expect(rowOf(page, "Glade")).toBeVisible();
  await expectAccessible(page);
  await rowOf(page, "Glade").getByRole("button", { name: "Test triggers" }).click();
  await page.locator("textarea").fill("Into the forest.");
  await expect(page.getByRole("region", { name: "Result" })).toContainText("2 of 3 entries fire");
  await expectAccessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBe(0);
});

test("the World Info rules of an entry are edited, and a new entry is written into the book", async ({
  page,
  house,
}) => {
  const story = await house.story(`Rules ${Date.now()}`);
  await open(page, story, "lorebook");
  await takeIn(page);
  await page.getByRole("button", { name: /Shadowfang/ }).click();
  await page.getByText("World Info rules").click();
  await page.getByLabel("Position").selectOption("In the chat, at a depth");
  await page.getByLabel("Depth", { exact: true }).fill("2");
  await page.getByLabel("Spoken as").selectOption("User");
  await page.getByLabel("Stays for").fill("3");
  await page.getByText("Not activated by other entries").click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved Shadowfang")).toBeVisible();

  await page.getByRole("button", { name: "New entry" }).first().click();
  await expect(page.getByText(/This entry is in the lorebook “Glade”/)).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Glass");
  await page.getByRole("textbox", { name: "What is told" }).fill("It sings.");
  await page.getByText("World Info rules").click();
  await page.getByLabel("Group", { exact: true }).fill("glades");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Created Glass")).toBeVisible();

  await open(page, story, "lorebook?books");
  await rowOf(page, "Glade").getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByLabel("Format").selectOption("sillytavern");
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const file = JSON.parse(readFileSync(await (await saving).path(), "utf-8"));
  expect(file.entries[0]).toEqual(BOOK.entries[0]);
  expect(file.entries[1]).toEqual({
    ...BOOK.entries[1],
    position: 4,
    depth: 2,
    role: 1,
    sticky: 3,
    excludeRecursion: true,
  });
  expect(Object.values(file.entries)).toContainEqual(
    expect.objectContaining({ key: ["Glass"], content: "It sings.", group: "glades" }),
  );
});
