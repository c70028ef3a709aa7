import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, open } from "./house";
import { test as base } from "./servers";

/** Addresses of a page that is somebody else's, on this machine, under both of its names. */
const test = base.extend<{ elsewhere: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: that is how a fixture says that it needs nothing
  elsewhere: async ({}, use) => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Elsewhere</title>");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await use([`http://127.0.0.1:${port}`, `http://localhost:${port}`]);
    server.closeAllConnections();
    server.close();
  },
});

/** All that a page can try on a server without being asked first; what came of each. */
function attack(page: Page, server: string, story: string): Promise<Record<string, string>> {
  return page.evaluate(
    async ([url, projectId]) => {
      const entity = JSON.stringify({ projectId, type: "character", name: "Thief" });
      const create = `${url}/api/v2/ipc/knowledge:entity:create`;
      const told = (asked: Promise<Response>) =>
        asked.then(
          (answer) => (answer.type === "opaque" ? "opaque" : `${answer.status}`),
          () => "refused",
        );
      const socket = (protocols: string[]) =>
        new Promise<string>((resolve) => {
          const opened = new WebSocket(`${url?.replace("http", "ws")}/api/v2/ipc`, protocols);
          opened.onopen = () =>
            opened.send(JSON.stringify({ id: 1, channel: "knowledge:entity:list", payload: { projectId } }));
          opened.onmessage = ({ data }) => resolve(data);
          opened.onerror = () => resolve("refused");
        });
      const loaded = (tag: "img" | "script" | "iframe", src: string) =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag);
          element.onload = () => resolve("loaded");
          element.onerror = () => resolve("refused");
          element.src = src;
          document.body.append(element);
        });
      const listened = new Promise<string>((resolve) => {
        const source = new EventSource(`${url}/api/v2/stories/${projectId}/live`);
        source.onmessage = () => resolve("heard");
        source.onerror = () => {
          source.close();
          resolve("refused");
        };
      });
      const blind: RequestInit = { method: "POST", mode: "no-cors", body: entity };
      return {
        plain: await told(fetch(create, { ...blind, headers: { "content-type": "text/plain" } })),
        typed: await told(
          fetch(create, { method: "POST", body: entity, headers: { "content-type": "application/json" } }),
        ),
        beacon: String(navigator.sendBeacon(create, entity)),
        read: await told(fetch(`${url}/api/v2/stories`)),
        token: await told(fetch(`${url}/api/v2/page-token`)),
        socket: await socket([]),
        pretending: await socket(["page.guess", "fabula"]),
        script: await loaded("script", `${url}/static/swagger-ui/swagger-ui-bundle.js`),
        image: await loaded("img", `${url}/static/swagger-ui/favicon-32x32.png`),
        events: await listened,
      };
    },
    [server, story],
  );
}

const REFUSED = {
  plain: "opaque",
  typed: "refused",
  beacon: "true",
  read: "refused",
  token: "refused",
  socket: "refused",
  pretending: "refused",
  script: "refused",
  image: "refused",
  events: "refused",
};

test("a page of somebody else on this machine writes nothing, reads nothing and hears nothing", async ({
  browser,
  server,
  house,
  elsewhere,
}) => {
  const story = await house.story("Kept");
  await house.entry(story, { entryKey: "Mr Salt", category: "character", content: "He did it." });
  const foreign = await browser.newPage();
  for (const address of elsewhere) {
    await foreign.goto(address);
    expect(await attack(foreign, server.url, story)).toEqual(REFUSED);
    expect(await attack(foreign, server.url.replace("127.0.0.1", "localhost"), story)).toEqual(REFUSED);
  }
  const sandbox = foreign.waitForEvent("console");
  await foreign.setContent(
    `<iframe sandbox="allow-scripts" srcdoc="<script>
      const socket = new WebSocket('${server.url.replace("http", "ws")}/api/v2/ipc');
      socket.onopen = () => console.info('open');
      socket.onerror = () => console.info('refused');
    </script>"></iframe>`,
  );
  expect((await sandbox).text()).not.toBe("open");
  await foreign.close();
  expect((await house.entries(story)).map(({ entryKey }) => entryKey)).toEqual(["Mr Salt"]);
});

test("a page from elsewhere may lead here", async ({ browser, server, elsewhere }) => {
  const foreign = await browser.newPage();
  await foreign.goto(elsewhere[0] ?? "");
  await foreign.setContent(`<a href="${server.url}/">Fabula</a>`);
  await foreign.getByRole("link").click();
  await expect(foreign).toHaveTitle("Fabula");
  await expect(foreign.getByRole("button", { name: "Open a sample" })).toBeVisible();
  await foreign.close();
});

test("a page that stays open while the server starts again loses no word and needs no reload", async ({
  page,
  house,
  server,
}) => {
  const story = await house.story("Storm");
  const scene = `/api/v2/stories/${story}/chapters/0/scenes/0`;
  await page.request.put(scene, { data: { text: "Calm." } });
  await open(page, story, "write");
  await page.locator(".ProseMirror p").last().click();
  await page.keyboard.press("End");
  await page.keyboard.type(" One.");
  const kept = async () => (await (await page.request.get(scene)).json()).text;
  await expect.poll(kept).toBe("Calm. One.");

  await server.kill();
  await server.start();
  const refused = page.waitForResponse((answer) => answer.status() === 403);
  await page.keyboard.type(" Two.");
  await refused;
  await expect.poll(kept).toBe("Calm. One. Two.");
  await expect(page.locator(".ProseMirror p")).toHaveText("Calm. One. Two.");
});

test("a file that is given to the page after the server started again is taken in", async ({
  page,
  server,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Open a sample" }).click();
  await expect(page.locator(".ProseMirror")).toBeVisible();
  await page.goBack();
  await server.kill();
  await server.start();
  const novel = "Lamps\n\nChapter 1\n\nFog came in.\n\nChapter 2\n\nThe lamp went out.\n";
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "lamps.txt"));
    return transfer;
  }, novel);
  const refused = page.waitForResponse((answer) => answer.status() === 403);
  await page.getByRole("main").dispatchEvent("dragover", { dataTransfer: dropped });
  await page.getByRole("main").dispatchEvent("drop", { dataTransfer: dropped });
  await refused;
  const dialog = page.getByRole("dialog", { name: "Import" });
  await expect(dialog).toContainText("2 chapters");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByRole("button", { name: "Open the story" }).click();
  await expect(page).toHaveURL(/stories\/[^/]+\/write/);
});

test("the page's own sockets and streams are let in", async ({ page, house }) => {
  const story = await house.story("Open");
  await open(page, story, "lorebook");
  const heard = await page.evaluate(async (projectId) => {
    const { token } = await (await fetch("/api/v2/page-token")).json();
    const socket = new WebSocket(`ws://${location.host}/api/v2/ipc`, [`page.${token}`, "fabula"]);
    const answer = await new Promise<string>((resolve) => {
      socket.onopen = () =>
        socket.send(JSON.stringify({ id: 1, channel: "knowledge:entity:list", payload: { projectId } }));
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => resolve("refused");
    });
    const source = new EventSource(`/api/v2/stories/${projectId}/live`);
    const revision = await new Promise<string>((resolve) => {
      source.addEventListener("revision", ({ data }) => resolve(data));
      source.onerror = () => resolve("refused");
    });
    source.close();
    return { ok: JSON.parse(answer).ok, protocol: socket.protocol, revision };
  }, story);
  expect(heard).toEqual({ ok: true, protocol: "fabula", revision: "1" });
});
