import type { APIRequestContext, Page } from "@playwright/test";
import { expect, type House, open } from "./house";

type Answer = Record<string, unknown> & { id: string };

export async function tell(request: APIRequestContext, channel: string, payload: object): Promise<Answer> {
  const answer = await (await request.post(`/api/v2/ipc/${channel}`, { data: payload })).json();
  expect(answer.ok, JSON.stringify(answer)).toBe(true);
  return answer.data;
}

export async function put(request: APIRequestContext, path: string, data: object): Promise<Answer> {
  const answer = await request.put(`/api/v2/stories/${path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** Two keepers, and a secret that only one of them saw in chapter 2. */
export async function harbour(house: House, request: APIRequestContext, language: "en" | "zh" = "en") {
  const story = await house.story("Secrets", language);
  const person = (name: string, more: object = {}) =>
    tell(request, "knowledge:entity:create", { projectId: story, type: "character", name, ...more });
  const li = await person("Jiang Li");
  const shen = await person("Shen Chao");
  const cellar = await person("Salt Cellar", { type: "location", secrecy: "private" });
  await put(request, `${story}/chapters/0/scenes/0`, { text: "Jiang Li lit the lamp. Shen Chao watched." });
  await put(request, `${story}/chapters/1/scenes/0`, { text: "Jiang Li saw the boat go down." });
  const answer = await request.post(`/api/v2/stories/${story}/events`, {
    data: {
      name: "The Drowning",
      summary: "The boat goes down.",
      moment: { chapter: 1, scene: 0 },
      roles: [{ entityId: li.id, role: "witness" }],
      secrecy: "private",
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return { story, li: li.id, shen: shen.id, cellar: cellar.id, event: (await answer.json()).id as string };
}

export const entityPage = (page: Page, story: string, id: string) => open(page, story, `entities/${id}`);

export async function pick(page: Page, label: string, name: string): Promise<void> {
  const dialog = page.getByRole("dialog").last();
  await dialog.getByRole("combobox", { name: label }).fill(name);
  await dialog.getByRole("option", { name }).click();
}
