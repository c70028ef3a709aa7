// Weighs what a visitor loads before the first panel is there, and then for a heavy one; fails when it is too much.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const OUT = new URL("../../src/fabula/static/app/", import.meta.url);
const LIMITS_KB = { "src/panels/lorebook/index.tsx": 200 };
// What a panel adds to the first route.
const MORE_KB = { "src/panels/write/index.tsx": 140 };

const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", OUT), "utf8"));
const files = (key, found = new Set()) => {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const next of chunk.imports ?? []) files(next, found);
  return found;
};
const weight = (file) => gzipSync(readFileSync(new URL(file, OUT))).length / 1000;

let isTooHeavy = false;
for (const [panel, limit] of Object.entries(LIMITS_KB)) {
  const needed = files(panel, files("index.html"));
  const sum = [...needed].reduce((all, file) => all + weight(file), 0);
  console.log(`${panel}: ${sum.toFixed(1)} kB gzip of ${limit}`);
  isTooHeavy ||= sum > limit;
}
for (const [panel, limit] of Object.entries(MORE_KB)) {
  const before = files("index.html");
  const sum = [...files(panel)].reduce((all, file) => all + (before.has(file) ? 0 : weight(file)), 0);
  console.log(`${panel}: ${sum.toFixed(1)} kB gzip more, of ${limit}`);
  isTooHeavy ||= sum > limit;
}
if (isTooHeavy) {
  console.error("Too heavy: load less, or load it later.");
  process.exit(1);
}
