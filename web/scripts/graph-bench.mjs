// Looks at a large graph in Chromium: first picture, panning, search. Prints JSON.
// FABULA_URL and FABULA_STORY say where; `python -m bench.picture` makes such a story and calls this.
import { existsSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const { FABULA_URL = "http://127.0.0.1:8765", FABULA_STORY = "bench", FABULA_SHOTS } = process.env;
const KNOWN = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const TICKS_MS = 10;
const FRAMES = 60;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? KNOWN.find(existsSync),
  args: ["--no-sandbox", "--disable-gpu"],
});
const session = await browser.newBrowserCDPSession();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });

/** Milliseconds of the processor that the drawing processes have used so far. */
async function cpu() {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo
    .filter(({ type }) => type === "renderer" || type === "GPU")
    .reduce((sum, { id }) => {
      try {
        const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ");
        return sum + (Number(fields[11]) + Number(fields[12])) * TICKS_MS;
      } catch {
        return sum;
      }
    }, 0);
}

const frames = (work) =>
  page.evaluate(
    ([count, name]) =>
      new Promise((resolve) => {
        const host = document.querySelector('[role="application"]');
        const { left, top } = host.getBoundingClientRect();
        const send = (type, x, y) =>
          host.dispatchEvent(
            new PointerEvent(type, {
              pointerId: 1,
              pointerType: "mouse",
              button: 0,
              clientX: left + x,
              clientY: top + y,
            }),
          );
        host.setPointerCapture = () => {};
        let frame = 0;
        if (name === "pan") send("pointerdown", 12, 12);
        const next = () => {
          const turn = (frame / count) * 2 * Math.PI;
          if (name === "pan") send("pointermove", 12 + 60 * Math.sin(turn), 12 + 40 * Math.sin(2 * turn) + 8);
          else if (name === "zoom")
            host.dispatchEvent(
              new WheelEvent("wheel", {
                deltaY: frame % 20 < 10 ? -12 : 12,
                clientX: left + 400,
                clientY: top + 300,
              }),
            );
          if (++frame < count) requestAnimationFrame(next);
          else {
            if (name === "pan") send("pointerup", 12, 12);
            resolve(null);
          }
        };
        requestAnimationFrame(next);
      }),
    [FRAMES, work],
  );

/** CPU per frame while something goes on, without what the last full drawing after it costs. */
async function perFrame(work) {
  const before = await cpu();
  const start = performance.now();
  await frames(work);
  const figures = { cpu_ms_per_frame: (await cpu()) - before, wall_ms_per_frame: performance.now() - start };
  await page.waitForTimeout(600);
  return Object.fromEntries(Object.entries(figures).map(([name, sum]) => [name, +(sum / FRAMES).toFixed(2)]));
}

await page.addInitScript(() => {
  window.__long = [];
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries())
      window.__long.push([Math.round(startTime), Math.round(duration)]);
  }).observe({ entryTypes: ["longtask"] });
});
// The page itself is in the browser's cache, as it is for whoever opens the graph from another panel.
await page.goto(`${FABULA_URL}/stories/${FABULA_STORY}/settings`);
await page.waitForTimeout(1_500);
const cpuBefore = await cpu();
const start = performance.now();
await page.locator('nav a[href$="/graph"]').click();
await page.waitForFunction(() => window.__graph?.isDrawn());
const first = { wall_ms: Math.round(performance.now() - start), cpu_ms: (await cpu()) - cpuBefore };
if (FABULA_SHOTS) await page.screenshot({ path: `${FABULA_SHOTS}/whole.png` });
await page.waitForTimeout(1_500);
const long = await page.evaluate(() => window.__long.filter(([, duration]) => duration > 200));
const pan = await perFrame("pan");
const zoom = await perFrame("zoom");
const idle = await perFrame("nothing");

const searchCpu = await cpu();
/** From the key to the frame in which what was found is marked and told. */
const searched = await page.evaluate(
  () =>
    new Promise((resolve) => {
      const field = document.querySelector("#graph-search");
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
      const start = performance.now();
      const told = () => /found|找到/.test(document.querySelector('[class*="found"]')?.textContent ?? "");
      const watch = new MutationObserver(() => {
        if (!told()) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      });
      watch.observe(document.body, { subtree: true, childList: true, characterData: true });
      set.call(field, "林");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }),
);
const search = { wall_ms: Math.round(searched), cpu_ms: (await cpu()) - searchCpu };
await page.waitForTimeout(800);
if (FABULA_SHOTS) await page.screenshot({ path: `${FABULA_SHOTS}/search.png` });
const panWhileSearching = await perFrame("pan");
console.log(
  JSON.stringify({
    first_picture: first,
    long_tasks_over_200_ms: long,
    pan,
    zoom,
    idle,
    search,
    panWhileSearching,
  }),
);
await browser.close();
