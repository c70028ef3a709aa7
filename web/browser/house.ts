import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";

interface Entry {
  id: string;
  entryKey: string;
  version: number;
  [field: string]: unknown;
}

/** What a test asks of the server directly, beside the page. */
export interface House {
  story(title: string, language?: "zh" | "en"): Promise<string>;
  sample(sample: "harbor.zh" | "harbor.en"): Promise<string>;
  entry(storyId: string, fields: Record<string, unknown>): Promise<Entry>;
  change(storyId: string, entryId: string, fields: Record<string, unknown>): Promise<Entry>;
  entries(storyId: string): Promise<Entry[]>;
}

/** A page that fails its test when it breaks its own rules: no foreign request, no error on the console. */
export const test = base.extend<{ house: House; complaints: string[] }>({
  complaints: [
    async ({ page, baseURL }, use) => {
      const complaints: string[] = [];
      const home = new URL(baseURL ?? "").host;
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith("http") && url.host !== home) complaints.push(`foreign request: ${url}`);
      });
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
      page.on("console", (message) => {
        // A refusal or a lost connection is what some tests are about.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          complaints.push(`console: ${message.text()}`);
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  house: async ({ request }, use) => {
    const api = "/api/v2";
    await use({
      story: async (title, language = "en") => {
        const answer = await request.post(`${api}/stories`, { data: { title, language } });
        return (await answer.json()).id;
      },
      sample: async (sample) => (await (await request.post(`${api}/samples/${sample}`)).json()).id,
      entry: async (storyId, fields) => {
        const answer = await request.post(`${api}/stories/${storyId}/lorebook`, { data: fields });
        expect(answer.status()).toBe(201);
        return answer.json();
      },
      change: async (storyId, entryId, fields) => {
        const answer = await request.put(`${api}/stories/${storyId}/lorebook/${entryId}`, { data: fields });
        expect(answer.status()).toBe(200);
        return answer.json();
      },
      entries: async (storyId) => {
        const answer = await request.get(`${api}/stories/${storyId}/lorebook?size=1000`);
        return (await answer.json()).content;
      },
    });
  },
});

/** No fault that axe can see. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // All frames are of the page's own origin: no second page is needed to put the results together.
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const told = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  expect(told).toEqual([]);
}

export const open = (page: Page, storyId: string, place: string) => page.goto(`/stories/${storyId}/${place}`);

export { expect };

/** The page of an entity with its form open. */
export async function openForm(page: Page, story: string, id: string): Promise<void> {
  await open(page, story, `entities/${encodeURIComponent(id)}`);
  await page.getByRole("button", { name: /^(Edit|编辑)$/ }).click();
}
