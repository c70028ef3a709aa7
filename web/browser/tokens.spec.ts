import type { APIRequestContext } from "@playwright/test";
import { at, colour, entity, placed, variable } from "./graph";
import { expect, open, openForm, test } from "./house";

/** The names that the source documents give, with the values of MEMORY 3.4.5 for nodes; light, then dark where they differ. */
const TOKENS = {
  "--color-node-character": ["#5b7f67"],
  "--color-node-location": ["#6b8fa3"],
  "--color-node-event": ["#d4a574"],
  "--color-node-item": ["#7fa88e"],
  "--color-node-concept": ["#8b6f4e"],
  "--color-node-other": ["#a86f6f"],
  "--color-bg-surface": ["#fff", "#1d2022"],
  "--color-fg-subtle": ["#6b7078", "#9a9892"],
} as const;
const DEFINED = /(--[\w-]+)\s*:\s*([^;}]+)/g;
const USED = /var\(\s*(--[\w-]+)/g;
const IS_COLOUR = /^(#[\da-f]{3,8}|rgba?\(.*\)|hsla?\(.*\)|color-mix\(.*\))$/i;
const OLD =
  /(?<![\w-])--(node-\w+|bg|bg-\w+|fg|fg-\w+|border|border-strong|accent|accent-\w+|ring|danger|danger-\w+|warn|warn-\w+|backdrop)(?![\w-])/g;

/** Every file of the page as it was built and is served. */
async function built(request: APIRequestContext): Promise<{ css: string; js: string }> {
  const chunks: { file: string; css?: string[] }[] = Object.values(
    await (await request.get("/static/app/.vite/manifest.json")).json(),
  );
  const files = new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]));
  const read = async (end: string) =>
    Promise.all(
      [...files]
        .filter((file) => file.endsWith(end))
        .map(async (file) => (await request.get(`/static/app/${file}`)).text()),
    ).then((texts) => texts.join("\n"));
  return { css: await read(".css"), js: await read(".js") };
}

test("colours have the names and the values that were agreed, and no others are left [MEMORY-3.4.5-tokens] [KG-COLOUR-TOKENS] [KG-DETAIL-SURFACE]", async ({
  page,
  house,
  request,
}) => {
  const { css, js } = await built(request);
  const defined = new Map<string, Set<string>>();
  for (const [, name = "", value = ""] of css.matchAll(DEFINED))
    defined.set(name, (defined.get(name) ?? new Set()).add(value.trim()));
  for (const [name, values] of Object.entries(TOKENS))
    expect([...(defined.get(name) ?? [])], name).toEqual(values);
  const colours = [...defined].filter(([, values]) => [...values].some((value) => IS_COLOUR.test(value)));
  expect(colours.length).toBeGreaterThan(25);
  expect(colours.map(([name]) => name).filter((name) => !name.startsWith("--color-"))).toEqual([]);
  const used = new Set([...css.matchAll(USED)].map(([, name = ""]) => name));
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  expect([...new Set([...`${css}\n${js}`.matchAll(OLD)].map(([name]) => name))]).toEqual([]);

  const story = await house.story("Tokens");
  const faction = await entity(request, story, "Lamplighters", { type: "faction", ...placed(0, 0) });
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await open(page, story, "graph");
    const { x, y } = await at(page, "Lamplighters");
    expect(await colour(page, x, y)).toEqual(await variable(page, "--color-node-other"));
    await openForm(page, story, faction.id);
    const name = page.getByLabel("Name", { exact: true });
    await expect(name).toHaveValue("Lamplighters");
    const behind = await name.evaluate((field) => {
      const probe = document.body.appendChild(document.createElement("p"));
      probe.style.background = "var(--color-bg-surface)";
      const surface = getComputedStyle(probe).backgroundColor;
      probe.remove();
      const seen: string[] = [];
      for (let one = field.parentElement; one; one = one.parentElement)
        seen.push(getComputedStyle(one).backgroundColor);
      return { surface, first: seen.find((each) => each !== "rgba(0, 0, 0, 0)") };
    });
    expect(behind.first).toBe(behind.surface);
  }
});
