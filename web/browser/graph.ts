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

export type Colour = readonly [red: number, green: number, blue: number];

/** The colours on the screen in a box of so many pixels, row by row: what people see, not what was drawn. */
export async function colours(page: Page, x: number, y: number, width = 1, height = 1): Promise<Colour[]> {
  const clip = { x: Math.round(x), y: Math.round(y), width, height };
  const shot = (await page.screenshot({ clip, animations: "allow", caret: "initial" })).toString("base64");
  const data = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    return [...(context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [])];
  }, shot);
  return Array.from({ length: data.length / 4 }, (_, place) => {
    const [red = 0, green = 0, blue = 0] = data.slice(place * 4, place * 4 + 3);
    return [red, green, blue] as const;
  });
}

/** The colour of one pixel. */
export const colour = async (page: Page, x: number, y: number): Promise<Colour> =>
  (await colours(page, x, y))[0] ?? [0, 0, 0];

/** How far apart two colours are. */
export const apart = (one: Colour, other: Colour): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

/** How much of a colour is seen over a background, from 0 to 1; not a number where it is another colour. */
export function shareOf(seen: Colour, ink: Colour, background: Colour): number {
  const from = (to: Colour) => to.map((part, place) => part - (background[place] ?? 0));
  const [way, whole] = [from(seen), from(ink)];
  const share =
    way.reduce((sum, part, place) => sum + part * (whole[place] ?? 0), 0) /
    whole.reduce((sum, part) => sum + part * part, 0);
  const mixed = background.map((part, place) => part + share * (whole[place] ?? 0)) as unknown as Colour;
  return apart(seen, mixed) < 8 ? share : Number.NaN;
}

/** A colour of the page by the name of its variable. */
export const variable = async (page: Page, name: string): Promise<Colour> => {
  const hex = await page.evaluate(
    (known) => getComputedStyle(document.documentElement).getPropertyValue(known).trim(),
    name,
  );
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
};

/** Holds what is sent to an address until it is let go. */
export async function hold(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return () => release();
}
