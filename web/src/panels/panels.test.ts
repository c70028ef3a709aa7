import { expect, it } from "vitest";

const sources = import.meta.glob<string>("./*/**/*.{ts,tsx}", {
  eager: true,
  query: "?raw",
  import: "default",
});

it("has panels that know neither each other nor the shell", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(10);
  const strangers = Object.entries(sources).flatMap(([file, source]) => {
    const own = file.split("/")[1];
    const from = new URL(file, "http://web/src/panels/");
    return [...source.matchAll(/from\s+"(\.[^"]+)"/g)]
      .map(([, to]) => new URL(to ?? "", from).pathname)
      .filter(
        (path) =>
          path.startsWith("/src/shell/") || (path.startsWith("/src/panels/") && path.split("/")[3] !== own),
      )
      .map((path) => `${file} → ${path}`);
  });
  expect(strangers).toEqual([]);
});
