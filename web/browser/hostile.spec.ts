import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { ask } from "./graph";
import { expect, open, openForm, test } from "./house";

const STRIKE = "window.__struck=1";
/** What a lorebook of a stranger may bring: none of it is more than text. */
const EVIL = [
  `<script>${STRIKE}</script>`,
  `<img src=x onerror="${STRIKE}">`,
  `"><svg onload=${STRIKE}>`,
  `javascript:${STRIKE}`,
  `[click](javascript:${STRIKE})`,
  `'; ${STRIKE}; '`,
  "\u202Elave si siht\u2066",
  "zero\u200B\u200D\uFEFF\u2060width",
  "👩‍👩‍👧‍👦🏳️‍🌈🇨🇳",
  "z̷̢̛͈̟̖̥͎͓͉͆̈́̊̽̿͝a̷l̷g̷o̷".repeat(4),
  "__proto__",
  "constructor",
  "toString",
  `{{constructor.constructor("${STRIKE}")()}}`,
  "$" + "{1+1} %s {0} {{user}} </textarea></style></title>",
  "../../../etc/passwd?entry=1#x&y=%00%2F",
  "W".repeat(190),
  "雾".repeat(190),
];
const WORD = "Ŵ".repeat(10_000);
const GRIM = EVIL.join(" ");
const ATTRIBUTES = JSON.parse(
  JSON.stringify({
    [EVIL[0] as string]: EVIL[1],
    long: WORD,
    list: EVIL,
    deep: { a: { b: [EVIL[2]] } },
  }).replace("{", '{"__proto__": {"struck": 1}, "constructor": "x", "toString": "y", '),
);

async function hostile(request: APIRequestContext): Promise<string> {
  const send = async (method: "post" | "put", path: string, data: unknown) => {
    const answer = await request[method](`/api/v2${path}`, {
      data: JSON.stringify(data),
      headers: JSON_TYPE,
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id } = await send("post", "/stories", {
    title: `${EVIL[1]} ${EVIL[6]} ${"W".repeat(120)}`,
    language: "en",
  });
  const at = (path: string) => `/stories/${id}${path}`;
  const keywords = (place: number) =>
    Array.from({ length: 250 }, (_, at) => `${EVIL[at % EVIL.length]} ${place}.${at}`.slice(-250));
  const entries = EVIL.map((entryKey, place) => ({
    entryKey,
    category: ["character", "location", "item", "concept", "custom"][place % 5],
    content: `${GRIM}\n\n${place % 3 === 0 ? WORD : entryKey}`,
    keywords: keywords(place),
    aliases: place % 5 === 4 ? [] : [`${entryKey} the ${place}`.slice(-250)],
  }));
  const more = [EVIL.length, EVIL.length + 1].map((place) => ({
    entryKey: `Plain ${place}`,
    content: GRIM,
    keywords: keywords(place),
  }));
  const done = await send("post", at("/lorebook/import"), { entries: [...entries, ...more] });
  expect(done.errors).toEqual([]);
  const known = (await ask(request, "knowledge:entity:list", { projectId: id })).items;
  await ask(request, "knowledge:entity:update", {
    projectId: id,
    id: known[0].id,
    expectedVersion: known[0].version,
    patch: { attributes: ATTRIBUTES },
  });
  for (const [place, word] of EVIL.entries())
    await ask(request, "knowledge:relation:create", {
      projectId: id,
      sourceEntityId: known[place % known.length].id,
      targetEntityId: known[(place + 1) % known.length].id,
      relationType: word.slice(0, 64),
      description: GRIM,
    });
  await ask(request, "knowledge:state:create", {
    projectId: id,
    entityId: known[0].id,
    description: GRIM,
    attributes: ATTRIBUTES,
  });
  for (const [place, name] of EVIL.entries())
    await send("post", at("/events"), {
      name,
      summary: place % 2 === 0 ? WORD : GRIM,
      timeAnchor: name,
      causality: GRIM,
      logic: [EVIL[0], WORD.slice(0, 1_000)],
      roles: EVIL.map((who) => ({ name: who, role: who })),
      locations: [name],
      moment: { chapter: place % 3, scene: 0 },
      level: place % 2,
    });
  for (const chapter of [0, 1, 2])
    await send("put", at(`/chapters/${chapter}/scenes/0`), {
      text: `${EVIL.join("。 ")}\n\n${WORD}\n\n${GRIM}`,
      title: EVIL[chapter],
    });
  await send("post", at("/extractions"), {
    text: `${GRIM} ${WORD} A Newcomer came.`,
    chapter: 0,
    scene: 0,
    proposals: ["<b>Newcomer</b>", "A Newcomer", `New ${EVIL[1]}`, "N".repeat(200)].map((entityName) => ({
      entityName,
      entityType: "character",
      confidence: 0.95,
      sourceText: GRIM,
      attributesJson: ATTRIBUTES,
      aliases: [EVIL[2]],
    })),
  });
  return id;
}

const JSON_TYPE = { "content-type": "application/json" };

/** Nothing has run, nothing sticks out, and the page still answers. */
async function isSound(page: Page, where: string, isLong = false): Promise<void> {
  await test.step(where, async () => {
    const seen = await page.evaluate(
      (isLong) => ({
        struck: Reflect.get(window, "__struck") ?? Reflect.get({}, "struck") ?? null,
        violations: Reflect.get(window, "__violations"),
        high: isLong ? 0 : document.documentElement.scrollHeight - window.innerHeight,
        wide:
          document.documentElement.scrollWidth <= window.innerWidth
            ? []
            : [...document.querySelectorAll("body *")]
                .filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
                .map((one) => `${one.tagName} ${one.className}`)
                .slice(0, 6),
        out: [...document.querySelectorAll("dialog[open], [role=tooltip], [role=menu], [role=listbox]")]
          .map((box) => box.getBoundingClientRect())
          .filter(({ left, right, width }) => width > 0 && (left < -1 || right > window.innerWidth + 1))
          .length,
        links: [...document.querySelectorAll("a")]
          .map((link) => link.protocol)
          .filter((one) => !/^https?:$/.test(one)),
        made: document.querySelectorAll("main script, main img, main svg[onload], dialog script, dialog img")
          .length,
      }),
      isLong,
    );
    expect.soft(seen, where).toEqual({
      struck: null,
      violations: [],
      wide: [],
      high: 0,
      out: 0,
      links: [],
      made: 0,
    });
    await expect(page.getByRole("heading", { level: 1 }), where).toHaveCount(1);
  });
}

async function inDialog(page: Page, opens: () => Promise<void>, where: string): Promise<void> {
  await opens();
  await expect(page.getByRole("dialog").last()).toBeVisible();
  await isSound(page, where);
  // The first one may only close a list of names inside.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`a lorebook that means harm is only text, on every route and in every dialog: ${width} px`, async ({
    page,
    request,
  }) => {
    test.setTimeout(900_000);
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => {
      const violations: string[] = [];
      Reflect.set(window, "__violations", violations);
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        violations.push(`${violatedDirective} ${blockedURI}`),
      );
    });
    page.on("dialog", (dialog) => {
      throw new Error(`a dialog: ${dialog.message()}`);
    });
    const isWide = width > 800;
    const story = await hostile(request);
    await page.goto("/");
    await page.getByRole("link", { name: /WWW/ }).first().waitFor();
    await isSound(page, "stories", true);

    // Lorebook: the list, each entry, what can be asked of it.
    await open(page, story, "lorebook");
    await page.getByText(/^20 entries/).waitFor();
    await isSound(page, "lorebook");
    const { content } = await (await request.get(`/api/v2/stories/${story}/lorebook?size=100`)).json();
    for (const { id, displayName } of content) {
      await open(page, story, `lorebook?entry=${id}`);
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue(displayName);
      await isSound(page, `entry ${displayName.slice(0, 20)}`);
    }
    await inDialog(
      page,
      () => page.getByRole("button", { name: "Delete" }).first().click(),
      "deleting an entry",
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.type("<script");
    await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
    await isSound(page, "palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");

    // Every entity: names that are keys of objects must not be mistaken for them.
    const everybody = (await ask(request, "knowledge:entity:list", { projectId: story, limit: 100 })).items;
    const known = everybody.filter(({ type }: { type: string }) => type !== "event");
    for (const one of known) {
      await openForm(page, story, one.id);
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue(one.name);
      await isSound(page, `entity ${one.name.slice(0, 20)}`);
    }
    const worst = known.find(({ name }: { name: string }) => name === EVIL[0]);
    await openForm(page, story, worst.id);
    await expect(page.getByLabel("Value: constructor").first()).toHaveValue("x");
    await expect(page.getByLabel("Value: __proto__").first()).toBeVisible();
    await page.getByLabel("Description").fill("Calm.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(/^Saved/)).toBeVisible();
    const saved = await ask(request, "knowledge:entity:read", { projectId: story, id: worst.id });
    expect(JSON.stringify(saved.attributes)).toContain('"__proto__":{"struck":1}');
    for (const name of ["Add a relation", "Add a state", "Edit state", "Merge…"])
      await inDialog(page, () => page.getByRole("button", { name }).first().click(), name);

    // Graph: the picture, what is said over it, its table.
    await open(page, story, "graph");
    await page.getByText(/^Showing/).waitFor();
    await expect.poll(() => page.evaluate(() => window.__graph?.isDrawn() ?? false)).toBe(true);
    await isSound(page, "graph");
    for (const name of isWide ? ["__proto__", "constructor", EVIL[1] as string, "W".repeat(190)] : []) {
      const placeOf = () => page.evaluate((wanted) => window.__graph?.at(wanted) ?? null, name);
      if ((await placeOf()) === null) continue;
      // The picture may still be settling, and something may lie over the node: it is looked for again from further away.
      const pointAt = async () => {
        const { x, y } = (await placeOf()) ?? { x: 0, y: 0 };
        const isFree = await page.evaluate(
          ({ x, y }) => document.elementFromPoint(x, y)?.querySelector(":scope > canvas") != null,
          { x, y },
        );
        if (!isFree) await page.keyboard.press("-");
        expect(isFree).toBe(true);
        // A pointer that is there already does not move, and says nothing.
        await page.mouse.move(x - 40, y - 40);
        await page.mouse.move(x, y, { steps: 4 });
        return { x, y };
      };
      await expect(async () => {
        await page.keyboard.press("Escape");
        await pointAt();
        await expect(page.getByRole("tooltip")).toBeVisible({ timeout: 2_000 });
        await isSound(page, `over ${name.slice(0, 20)}`);
      }).toPass({ timeout: 120_000 });
      // By itself: a menu that came late leaves the node chosen, and a chosen node has no tooltip.
      await expect(async () => {
        const { x, y } = await pointAt();
        await page.mouse.click(x, y, { button: "right" });
        await page.getByRole("menu").waitFor({ timeout: 2_000 });
      }).toPass({ timeout: 120_000 });
      await isSound(page, `menu of ${name.slice(0, 20)}`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu")).toHaveCount(0);
    }
    await open(page, story, `graph?node=${encodeURIComponent(worst.id)}&view=table`);
    await page.getByRole("table").waitFor();
    await isSound(page, "table of nodes");

    // Review: what was found, marked in its source.
    await open(page, story, "review");
    await page.getByText("4 waiting").waitFor();
    await page.getByRole("button", { name: /^New/ }).first().click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await isSound(page, "proposal");
    await page.getByText("Change before approving").click();
    await isSound(page, "proposal, changed");
    if (isWide) {
      await inDialog(page, () => page.getByRole("button", { name: /Approve 90%/ }).click(), "approving many");
      await page.keyboard.press("m");
      await inDialog(page, async () => {}, "merging");
    }

    // Timeline: picture, list, an event and its dialogs.
    await open(page, story, "timeline");
    await page.getByText(`${EVIL.length} events`).waitFor();
    await isSound(page, "timeline");
    await page.keyboard.press("j");
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    await isSound(page, "event");
    await inDialog(page, () => page.keyboard.press("e"), "editing an event");
    await inDialog(page, () => page.keyboard.press("Delete"), "deleting an event");

    // Writing: underlines, cards, context, the exact prompt.
    await open(page, story, "write?scene=0.0");
    await page.locator("[data-name]").first().waitFor();
    await isSound(page, "scene");
    await overNames(page, page.locator(".ProseMirror [data-name]"));
    if (!isWide) await page.getByRole("button", { name: "Show or hide the context" }).click();
    const side = page.getByRole("complementary", { name: "Beside the text" });
    await expect(side.getByText(/named in the text/).first()).toBeVisible();
    await isSound(page, "context");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await side.getByRole("button", { name: "Exact prompt" }).click();
    await isSound(page, "prompt");
    await page.getByRole("dialog").last().getByRole("button", { name: "Copy as text" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(EVIL[0]);
    await page.keyboard.press("Escape");

    await open(page, story, "settings");
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await isSound(page, "settings");
    // And one can go on working.
    if (isWide) {
      await page.keyboard.press("g");
      await page.keyboard.press("l");
      await expect(page.getByText(/^20 entries/)).toBeVisible();
    }
  });
}

async function overNames(page: Page, names: Locator): Promise<void> {
  const count = Math.min(6, await names.count());
  for (let place = 0; place < count; place++) {
    await names.nth(place).hover();
    await page.getByRole("dialog").waitFor();
    await isSound(page, `card ${place}`);
    await page.mouse.move(2, 2);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
}
