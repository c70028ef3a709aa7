import { expect, expectAccessible, open, openForm, test } from "./house";
import { entityPage, harbour, pick, put, tell } from "./secrets";

test("what somebody knows stands on their page as of a chapter, and can be refused", async ({
  page,
  house,
  request,
}) => {
  const { story, li } = await harbour(house, request);
  await entityPage(page, story, li);
  const known = page.getByRole("region", { name: "What they know" });
  await expect(known).toContainText("The Drowning");
  await expect(known).toContainText("from taking part");
  await known.getByLabel("As of").first().selectOption({ label: "Chapter 1" });
  await expect(known).not.toContainText("The Drowning");
  await known.getByLabel("As of").first().selectOption({ label: "The whole story" });
  await known.getByRole("button", { name: "Does not know: The Drowning" }).click();
  const dialog = page.getByRole("dialog", { name: "Who knows what: The Drowning" });
  await expect(dialog.getByRole("radio", { name: "Does not know it" })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(known).toContainText("does not know it, though present");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(known).toContainText("from taking part");
});

test("a belief is added with its moment, changed, and told by the server as it stands", async ({
  page,
  house,
  request,
}) => {
  const { story, shen } = await harbour(house, request);
  await entityPage(page, story, shen);
  const known = page.getByRole("region", { name: "What they know" });
  await expect(known).toContainText("2 private facts are not known to them.");
  await known.getByRole("button", { name: "Add what they know" }).click();
  const dialog = page.getByRole("dialog", { name: "Who knows what: Shen Chao" });
  await pick(page, "Which fact", "The Drowning");
  await dialog.getByRole("radio", { name: "Believes something else" }).click();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("What they believe instead").fill("The boat came home.");
  await dialog.getByLabel("How", { exact: true }).selectOption({ label: "was told" });
  await dialog.getByLabel("From", { exact: true }).selectOption({ label: "Chapter 2" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(known).toContainText("believes: The boat came home. · since Chapter 2");
  await known.getByRole("button", { name: "Edit: The Drowning" }).click();
  const again = page.getByRole("dialog", { name: "Who knows what: The Drowning" });
  await expect(again.getByLabel("What they believe instead")).toHaveValue("The boat came home.");
  await again.getByRole("radio", { name: "Knows it", exact: true }).click();
  await again.getByLabel("How", { exact: true }).selectOption({ label: "deduced" });
  await again.getByRole("button", { name: "Save" }).click();
  await expect(known).toContainText("deduced · since Chapter 2");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Delete “Shen Chao”?" })).toContainText(
    "Who knows what goes, too: 0 about it, 1 of what it knows itself.",
  );
  const { items } = await (await request.get(`/api/v2/stories/${story}/knowings`)).json();
  expect(items).toMatchObject([{ knowerId: shen, how: "deduced", belief: "", since: { chapter: 1 } }]);
});

test("entities, relations, states, events and entries are made private, and say who knows them", async ({
  page,
  house,
  request,
}) => {
  const { story, li, shen, event } = await harbour(house, request);
  await tell(request, "knowledge:relation:create", {
    projectId: story,
    sourceEntityId: li,
    targetEntityId: shen,
    relationType: "sister",
  });
  await tell(request, "knowledge:state:create", {
    projectId: story,
    entityId: li,
    description: "She is ill.",
  });
  await openForm(page, story, li);
  await page.getByRole("button", { name: "Make private: sister Shen Chao" }).click();
  await expect(page.getByRole("button", { name: "Make public: sister Shen Chao" })).toBeVisible();
  await page.getByRole("button", { name: "Who knows: sister Shen Chao" }).click();
  const who = page.getByRole("dialog", { name: "Who knows: sister Shen Chao" });
  await expect(who.getByRole("link", { name: "Jiang Li" })).toBeVisible();
  await expect(who.getByRole("link", { name: "Shen Chao" })).toBeVisible();
  await expectAccessible(page);
  await who.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Edit state" }).click();
  const state = page.getByRole("dialog", { name: "Edit state" });
  await state.getByRole("switch", { name: /Private/ }).check({ force: true });
  await state.getByRole("button", { name: "Save" }).click();
  await expect(state).toBeHidden();
  await expect(page.getByRole("region", { name: "States over time" })).toContainText("Private");
  await page.getByRole("switch", { name: /Private/ }).check({ force: true });
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("region", { name: "Who knows of it" })).toBeVisible();
  await open(page, story, `timeline?event=${event}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const edited = page.getByRole("dialog", { name: "Edit event" });
  await edited.getByRole("switch", { name: /Private/ }).uncheck({ force: true });
  await edited.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved The Drowning")).toBeVisible();
  const changed = await (await request.get(`/api/v2/stories/${story}/events/${event}`)).json();
  expect(changed.secrecy).toBe("public");
  const entry = await house.entry(story, {
    entryKey: "The pact",
    category: "custom",
    content: "Three names.",
  });
  await open(page, story, `lorebook?entry=${entry.id}`);
  await page.getByText("Finer rules").click();
  await page.getByRole("switch", { name: /Private/ }).check({ force: true });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await house.entries(story))[0]?.secrecy).toBe("private");
  await page.getByRole("button", { name: "Who knows it" }).click();
  await expect(page.getByRole("dialog", { name: "Who knows: The pact" })).toContainText(
    "Nobody knows it yet.",
  );
});

test("as somebody sees it: graph, table, timeline and search, from panel to panel", async ({
  page,
  house,
  request,
}) => {
  const { story, shen } = await harbour(house, request);
  await open(page, story, "graph");
  await page.getByRole("button", { name: "As … sees it" }).click();
  await pick(page, "Person or faction", "Shen Chao");
  await page.getByRole("dialog").getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(new RegExp(`pov=${shen}`));
  // The cellar, the drowning, and that Jiang Li takes part in it.
  await expect(page.getByText("Shen Chao does not know 3 nodes and edges: dimmed.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Table" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Salt Cellar" })).toContainText("not known");
  await expect(page.getByRole("row").filter({ hasText: "Jiang Li" })).not.toContainText("not known");
  await page.getByRole("link", { name: "Timeline" }).click();
  await expect(page.getByRole("article").filter({ hasText: "The Drowning" })).toContainText(
    "Shen Chao does not know it",
  );
  await expectAccessible(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill("Salt");
  await expect(palette.getByText("Nothing fits")).toBeVisible();
  await palette.getByRole("button", { name: "Back to what the author sees" }).click();
  await expect(palette.getByRole("option", { name: /Salt Cellar/ })).toBeVisible();
});

test("a point of view that nobody can have falls back with a sentence", async ({ page, house, request }) => {
  const { story, cellar } = await harbour(house, request);
  for (const pov of ["Nobody Here", cellar]) {
    await open(page, story, `timeline?pov=${encodeURIComponent(pov)}`);
    await expect(page.getByText("You see what the author sees.")).toBeVisible();
    await expect(page.getByRole("article")).not.toContainText("does not know it");
  }
  await open(page, story, "graph?pov=Nobody%20Here");
  await expect(page.getByText("Nobody called “Nobody Here” can know anything here.")).toBeVisible();
  await page.getByRole("button", { name: "Back to what the author sees" }).click();
  await expect(page).not.toHaveURL(/pov=/);
});

test("beside the text: who knows what, and what somebody is not told", async ({ page, house, request }) => {
  const { story, li, shen } = await harbour(house, request);
  const text = "Jiang Li and Shen Chao spoke of the Salt Cellar.";
  await put(request, `${story}/chapters/1/scenes/1`, { text });
  await tell(request, "knowledge:relation:create", {
    projectId: story,
    sourceEntityId: li,
    targetEntityId: shen,
    relationType: "watches",
    description: "She watches him at night.",
    secrecy: "private",
  });
  await open(page, story, "write?scene=1.1");
  const side = page.getByRole("complementary", { name: "Beside the text" });
  await expect(side.getByText("Who knows what").first()).toBeVisible();
  await expect(side).toContainText("not known to");
  await open(page, story, `write?scene=1.1&pov=${shen}`);
  await expect(side.getByRole("button", { name: "As Shen Chao sees it" })).toBeVisible();
  await side.getByText("Left out").click();
  await expect(side).toContainText("the point of view does not know it");
  await expectAccessible(page);
});

test("who turns out to be whom is written, moved, supposed elsewhere and taken back", async ({
  page,
  house,
  request,
}) => {
  const { story, li, shen } = await harbour(house, request);
  await put(request, `${story}/chapters/2/scenes/0`, { text: "Shen Chao opened the door to Jiang Li." });
  await open(page, story, "timeline");
  await page.getByText("Reveals", { exact: true }).click();
  await page.getByRole("button", { name: "Add a reveal" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a reveal" });
  await pick(page, "Told as", "Jiang Li");
  await pick(page, "Who turns out to be the same", "Shen Chao");
  await dialog.getByLabel("When it is revealed").first().selectOption({ label: "Chapter 3" });
  await dialog.getByRole("radio", { name: "Only these" }).click();
  await pick(page, "Who learns it: Add somebody", "Jiang Li");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  const told = "Shen Chao turns out to be Jiang Li: Chapter 3";
  await expect(page.getByText(told)).toBeVisible();
  await expect(page.getByText("known to Jiang Li")).toBeVisible();
  const { items } = await (await request.get(`/api/v2/stories/${story}/reveals`)).json();
  expect(items).toMatchObject([{ entityIds: [li, shen], at: { chapter: 2 }, knownTo: [li] }]);
  await page.getByRole("button", { name: `Edit: ${told}` }).click();
  const again = page.getByRole("dialog", { name: "Reveal" });
  await again.getByRole("radio", { name: "Everybody" }).click();
  await again.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("known to Jiang Li")).toBeHidden();
  await page.getByRole("button", { name: "What if…" }).click();
  const supposed = page.getByRole("dialog", { name: /What if/ });
  await supposed.getByLabel("If it came at").first().selectOption({ label: "Chapter 1" });
  await expect(supposed.getByText(/Would|No scene would/).first()).toBeVisible();
  await expectAccessible(page);
  await supposed.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: `Remove: ${told}` }).click();
  await expect(page.getByText(told)).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(page.getByText(told)).toBeVisible();
});

test("somebody has other names at other times, known to some", async ({ page, house, request }) => {
  const { story, li, shen } = await harbour(house, request);
  await openForm(page, story, li);
  await page.getByRole("button", { name: "Add a name" }).click();
  await page.getByLabel("Name then").fill("Mr Salt");
  await page.getByLabel("Called so from").first().selectOption({ label: "Chapter 2" });
  await page.getByRole("radio", { name: "Only these" }).click();
  await page.getByRole("combobox", { name: "Who knows this name: Add somebody" }).fill("Shen Chao");
  await page.getByRole("option", { name: "Shen Chao" }).click();
  await expect(page.getByRole("button", { name: "Remove Shen Chao" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved Jiang Li")).toBeVisible();
  const saved = await tell(request, "knowledge:entity:read", { projectId: story, id: li });
  expect(saved.names).toMatchObject([{ name: "Mr Salt", since: { chapter: 1 }, knownTo: [shen] }]);
});

test("what the reader knows and the stage does not, and what one thinks that another knows", async ({
  page,
  house,
  request,
}) => {
  const { story, li, shen, event } = await harbour(house, request);
  await put(request, `${story}/chapters/2/scenes/0`, { text: "Shen Chao asked Jiang Li about the boat." });
  for (const chapter of [0, 1, 2])
    await request.post(`/api/v2/stories/${story}/snapshots`, {
      data: {
        chapterIndex: chapter,
        sceneIndex: 0,
        summary: "They talk.",
        activeCharacters: [{ name: "Jiang Li" }, ...(chapter === 1 ? [] : [{ name: "Shen Chao" }])],
      },
    });
  const believed = await tell(request, "knowledge:knowing:create", {
    projectId: story,
    fact: { kind: "event", id: event },
    knowerId: shen,
    how: "believes",
    belief: "The boat came home.",
    since: { chapter: 2 },
  });
  await entityPage(page, story, li);
  await page.getByRole("link", { name: "What they think that others know" }).click();
  const irony = page.getByRole("region", { name: "What the reader knows and those on stage do not" });
  await expect(irony).toContainText("Chapter 3 · Scene 1 · On stage: Jiang Li, Shen Chao");
  await expect(irony).toContainText("Shen Chao believes: The boat came home.");
  await expectAccessible(page);
  await irony.getByLabel("Scene", { exact: true }).selectOption({ label: "Chapter 1" });
  await expect(page).toHaveURL(/scene=0\.0/);
  await expect(irony).not.toContainText("The Drowning");
  const thoughts = page.getByRole("region", { name: "What somebody thinks that others know" });
  await thoughts.getByRole("combobox", { name: "Add somebody" }).fill("Shen Chao");
  await thoughts.getByRole("option", { name: "Shen Chao" }).click();
  await expect(thoughts.getByRole("heading", { name: "Jiang Li thinks that Shen Chao knows" })).toBeVisible();
  const rest = thoughts.locator("section", { hasText: "Jiang Li knows, and does not think so of them" });
  await expect(rest).toContainText("The Drowning");
  await tell(request, "knowledge:knowing:delete", { projectId: story, id: believed.id });
  await request.put(`/api/v2/stories/${story}/events/${event}`, {
    data: {
      roles: [
        { entityId: li, role: "witness" },
        { entityId: shen, role: "witness" },
      ],
    },
  });
  await expect(thoughts).toContainText("they were there: The Drowning");
  await thoughts.getByRole("button", { name: "Remove Shen Chao" }).click();
  await expect(thoughts.getByRole("heading", { name: /thinks that Shen Chao knows/ })).toBeHidden();
  await expectAccessible(page);
});

for (const language of ["en", "zh"] as const)
  for (const width of [1440, 390])
    for (const theme of ["light", "dark"] as const)
      test(`axe: every panel as somebody sees it, ${language}, ${width} px, ${theme}`, async ({
        page,
        house,
        request,
      }) => {
        const { story, li, shen } = await harbour(house, request, language);
        await put(request, `${story}/chapters/0/scenes/0/world-time`, { worldTime: 4 });
        await page.setViewportSize({ width, height: 900 });
        await page.addInitScript(
          ([spoken, look]) => {
            localStorage.setItem("fabula:language", JSON.stringify(spoken));
            localStorage.setItem("fabula:theme", JSON.stringify(look));
          },
          [language, theme],
        );
        const sees = language === "en" ? "As Shen Chao sees it" : "Shen Chao的视角";
        for (const panel of ["timeline?order=happened&", "write?scene=0.0&", "graph?"]) {
          await open(page, story, `${panel}pov=${shen}`);
          if (width === 390 && panel.startsWith("write"))
            await page.getByRole("button", { name: /context|上下文/ }).click();
          if (width === 390 && panel.startsWith("graph"))
            await page
              .getByRole("button", { name: /Search and filters|搜索与筛选/ })
              .first()
              .click();
          await expect(page.getByRole("button", { name: sees })).toBeVisible();
          await expectAccessible(page);
        }
        await entityPage(page, story, li);
        await expect(page.getByText("The Drowning").first()).toBeVisible();
        await expectAccessible(page);
        await open(page, story, `knowledge?who=${li}&who=${shen}`);
        await expect(page.getByRole("link", { name: "The Drowning" })).toBeVisible();
        await expectAccessible(page);
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(await overflow()).toBe(0);
      });
