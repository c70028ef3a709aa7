import { apart, at, colour, entity, relate, two } from "./graph";
import { expect, open, openForm, test } from "./house";

test("lorebook and graph are places of the workbench, and the context stands beside the text [MEMORY-PAGE-TABS]", async ({
  page,
  house,
}) => {
  const story = await house.sample("harbor.en");
  await open(page, story, "write");
  const side = page.getByRole("complementary", { name: "Beside the text" });
  await expect(side.getByRole("group", { name: "Context" })).toBeVisible();
  const places = page.getByRole("navigation").first();
  await places.getByRole("link", { name: "Lorebook" }).click();
  await expect(page.getByLabel("Search entries")).toBeVisible();
  await places.getByRole("link", { name: "Graph" }).click();
  await at(page, "Jiang Li");
});

test("entries are searched, filtered by category, begun and imported from one bar [MEMORY-3.4.2-list] [MEMORY-3.4.2-empty]", async ({
  page,
  house,
}) => {
  const story = await house.story("Bar");
  for (const [entryKey, category] of [
    ["林逸", "character"],
    ["青云山", "location"],
    ["寒霜剑", "item"],
  ] as const)
    await house.entry(story, { entryKey, category, content: `${entryKey}的底细。`, keywordsJson: ["试炼"] });
  await open(page, story, "lorebook");
  await expect(page.getByText("Choose an entry, or begin a new one")).toBeVisible();
  const list = page.getByRole("listitem");
  await expect(list).toHaveCount(3);
  const category = page.getByLabel("Category", { exact: true });
  await expect(category.getByRole("option")).toHaveText([
    "All categories",
    "Character",
    "Location",
    "Item",
    "Event",
    "Concept",
    "Faction",
    "Custom",
  ]);
  await category.selectOption("item");
  await expect(list).toHaveText([/寒霜剑/]);
  await category.selectOption("all");
  await page.getByLabel("Search entries").fill("青云");
  await expect(list).toHaveText([/青云山/]);
  await page.getByRole("button", { name: "Import" }).click();
  await expect(page.getByRole("dialog", { name: "Import" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "New entry" }).click();
  await expect(page.getByLabel("What is told")).toHaveValue("");
});

test("the border between list and editor is moved and stays where it was put [MEMORY-3.4.2-split]", async ({
  page,
  house,
}) => {
  const story = await house.story("Split");
  const { id } = await house.entry(story, { entryKey: "Egret", content: "A bird." });
  await open(page, story, `lorebook?entry=${id}`);
  const border = page.getByRole("separator", { name: "Width of the list" });
  const width = async () => Number(await border.getAttribute("aria-valuenow"));
  const before = await width();
  const box = await border.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 200);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 202, (box?.y ?? 0) + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeGreaterThan(before);
  const moved = await width();
  await page.reload();
  await expect.poll(width).toBe(moved);
});

test("every field of an entry can be written, and is kept [MEMORY-3.4.3-fields]", async ({ page, house }) => {
  const story = await house.story("Fields");
  const { id } = await house.entry(story, { entryKey: "青云宗", content: "宗门。", category: "location" });
  await open(page, story, `lorebook?entry=${id}`);
  await page.getByLabel("Name", { exact: true }).fill("青云剑阵");
  await page.getByLabel("Shown as").fill("青云剑阵 - 大阵");
  await page.getByLabel("Category", { exact: true }).last().selectOption("concept");
  await page.getByLabel("What is told").fill("汇聚全宗剑意。");
  const keywords = page.getByRole("textbox", { name: "Keywords" });
  await keywords.fill("剑阵，");
  await keywords.fill("大阵，");
  await page.getByRole("button", { name: /大阵/ }).last().click();
  await page.getByRole("slider", { name: "Priority" }).fill("15");
  await page.getByRole("radio", { name: "In the system prompt" }).click();
  await page.getByLabel("Token budget").fill("800");
  await page.getByRole("switch", { name: "Switched on" }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved 青云剑阵")).toBeVisible();
  expect((await house.entries(story))[0]).toMatchObject({
    entryKey: "青云剑阵",
    displayName: "青云剑阵 - 大阵",
    category: "concept",
    content: "汇聚全宗剑意。",
    keywordsJson: ["剑阵"],
    priority: 15,
    insertionPosition: "system_prompt",
    tokenBudget: 800,
    enabled: false,
  });
});

test("fields of an entity are 40 px high, have a border, and a ring when they have the focus [KG-DETAIL-INPUTS]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Inputs");
  const { id } = await entity(request, story, "林逸");
  await openForm(page, story, id);
  const name = page.getByLabel("Name", { exact: true });
  const looks = () =>
    name.evaluate((field) => {
      const style = getComputedStyle(field);
      return { border: style.borderTopWidth, outline: style.outlineStyle, ring: style.outlineWidth };
    });
  expect((await name.boundingBox())?.height).toBe(40);
  expect(await looks()).toMatchObject({ border: "1px", outline: "none" });
  await name.focus();
  expect(await looks()).toMatchObject({ border: "1px", outline: "solid", ring: "2px" });
});

test("a node is brighter when pointed at, and has a ring around it when chosen [MEMORY-3.4.5-states]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("States");
  const { lin, su } = await two(request, story);
  await relate(request, story, lin.id, su.id);
  await open(page, story, "graph");
  const { x, y, r } = await at(page, "林逸");
  const plain = await colour(page, x, y);
  const ground = await colour(page, x, y - r - 6);
  await page.mouse.move(x + 3, y + 3);
  await expect(page.getByRole("tooltip").filter({ hasText: "林逸" })).toBeVisible();
  await expect
    .poll(async () => (await colour(page, x, y)).reduce((sum, part) => sum + part))
    .toBeGreaterThan(plain.reduce((sum, part) => sum + part) + 30);
  await page.mouse.click(x, y);
  await expect(page.getByRole("heading", { name: "林逸" })).toBeVisible();
  await page.mouse.move(2, 2);
  const now = await at(page, "林逸");
  expect(apart(await colour(page, now.x, now.y), plain)).toBeLessThan(8);
  expect(apart(await colour(page, now.x, now.y - now.r - 6), ground)).toBeGreaterThan(20);
});

test("a find shows its name, type, confidence, its place in the text and what it says [MEMORY-3.4.7-shown] [MEMORY-3.4.7-batch]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Finds");
  const text = "林逸感到腰间的寒霜剑微微震颤，一股极寒之力从剑身涌出。";
  const proposals = [
    {
      entityName: "寒霜剑",
      entityType: "item",
      attributesJson: { element: "ice" },
      sourceText: text,
      confidence: 0.92,
    },
    { entityName: "极寒之力", entityType: "concept", sourceText: text, confidence: 0.3 },
  ];
  await request.post(`/api/v2/stories/${story}/extractions`, { data: { proposals, text } });
  await open(page, story, "review");
  await page.getByRole("button", { name: /^寒霜剑/ }).click();
  const shown = page.getByRole("article");
  await expect(shown.getByRole("heading", { level: 2, name: "寒霜剑" })).toBeVisible();
  await expect(shown).toContainText("Item");
  await expect(shown.getByRole("meter", { name: "Confidence" })).toHaveAttribute("aria-valuenow", "92");
  await expect(shown.locator("blockquote mark")).toHaveText("寒霜剑");
  const facts = shown.locator("details").filter({ hasText: "What it says" });
  await expect(facts).toContainText("element");
  await facts.getByText("What it says").click();
  await expect(facts.getByText("element")).toBeHidden();
  await page.getByRole("button", { name: "Reject under 50% (1)" }).click();
  await page
    .getByRole("dialog", { name: "Reject one proposal?" })
    .getByRole("button", { name: "Reject" })
    .click();
  await expect(page.getByText("1 waiting")).toBeVisible();
  await page.getByRole("button", { name: "Approve 90% and more (1)" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Nothing waits for review").first()).toBeVisible();
  await expect
    .poll(async () => (await house.entries(story)).map(({ entryKey }) => entryKey))
    .toEqual(["寒霜剑"]);
});

test("the parts of a context are shown with their tokens, and made anew on demand [MEMORY-3.4.8-sections]", async ({
  page,
  house,
  request,
}) => {
  const story = await house.story("Parts");
  await house.entry(story, {
    entryKey: "House style",
    content: "Past tense.",
    insertionPosition: "system_prompt",
    aiContextLevel: "always",
  });
  for (const entryKey of ["Jiang Li", "Shen Chao"])
    await house.entry(story, { entryKey, category: "character", content: `${entryKey} lives here.` });
  const here = `/api/v2/stories/${story}`;
  const relation = { source: "Jiang Li", target: "Shen Chao", type: "KNOWS" };
  await request.post(`${here}/graph/relationships`, { data: relation });
  const people = [{ name: "Jiang Li", currentState: "tired" }];
  await request.post(`${here}/snapshots`, {
    data: { chapterIndex: 0, sceneIndex: 0, summary: "The lamp went out.", activeCharactersJson: people },
  });
  await request.put(`${here}/chapters/0/scenes/0`, { data: { text: "Fog." } });
  await request.put(`${here}/chapters/0/scenes/1`, { data: { text: "Jiang Li looked out." } });
  await open(page, story, "write?at=0.1");
  await page
    .getByRole("button", { name: /Scene 2/ })
    .first()
    .click();
  const side = page.getByRole("complementary", { name: "Beside the text" });
  await expect(side.getByText("Jiang Li lives here.")).toBeVisible();
  const used = side.getByRole("progressbar", { name: "Told to a model" });
  expect(await used.evaluate((bar: HTMLProgressElement) => [bar.max, bar.value > 0])).toEqual([4000, true]);
  for (const title of ["System prompt", "Before the scene", "Relations", "The story so far", "On stage"]) {
    const part = side.locator("details").filter({ has: page.getByText(title, { exact: true }) });
    await expect(part.locator("summary")).toContainText(/\d+ tokens?/);
  }
  await expect(side.getByText("The lamp went out.")).toBeVisible();
  await expect(side.locator("li").filter({ hasText: "Jiang Li lives here." })).toContainText(/\d+ tokens/);
  const asked = page.waitForRequest(`**${here}/context/assemble`);
  await side.getByRole("button", { name: "Refresh" }).click();
  await asked;
});
