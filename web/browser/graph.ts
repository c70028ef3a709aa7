import type { APIRequestContext, Page } from "@playwright/test";
import { expect } from "./house";

export const api = "/api/v2";

export async function ask(request: APIRequestContext, channel: string, payload: object) {
  const answer = await (await request.post(`${api}/ipc/${channel}`, { data: payload })).json();
  expect(answer.ok, JSON.stringify(answer)).toBe(true);
  return answer.data;
}

export const entity = (request: APIRequestContext, projectId: string, name: string, more: object = {}) =>
  ask(request, "knowledge:entity:create", { projectId, type: "character", name, ...more });

export const relate = (
  request: APIRequestContext,
  projectId: string,
  source: string,
  target: string,
  word = "ally",
) =>
  ask(request, "knowledge:relation:create", {
    projectId,
    sourceEntityId: source,
    targetEntityId: target,
    relationType: word,
  });

export const picture = async (request: APIRequestContext, story: string) =>
  (await request.get(`${api}/stories/${story}/graph/picture`)).json();

/** Where a node is on the screen, once the picture stands still. */
export async function at(page: Page, name: string): Promise<{ x: number; y: number; r: number }> {
  let before = "";
  await expect
    .poll(async () => {
      const now = JSON.stringify(
        await page.evaluate((known) => {
          const graph = window.__graph;
          return graph?.isDrawn() ? graph.at(known) : null;
        }, name),
      );
      const isStill = now === before && now !== "null" && now !== undefined;
      before = now;
      return isStill;
    })
    .toBe(true);
  return JSON.parse(before);
}

/** A node that stands where it was put, with a little luck from nobody. */
export const placed = (x: number, y: number) => ({ layoutX: x, layoutY: y });

export async function two(request: APIRequestContext, story: string) {
  const lin = await entity(request, story, "林逸", placed(-200, 0));
  const su = await entity(request, story, "苏瑶", placed(200, 0));
  return { lin, su };
}

/** Draws a relation from the rim of one node to another. */
export async function draw(page: Page, source: string, target: string) {
  const from = await at(page, source);
  const to = await at(page, target);
  await page.mouse.move(from.x + from.r, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, from.y + 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
