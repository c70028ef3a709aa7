import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const KNOWN = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Against a running server, named by FABULA_URL: `python -m pytest tests/browser` starts one. */
export default defineConfig({
  testDir: "browser",
  outputDir: process.env.FABULA_SHOTS ?? "node_modules/.playwright",
  workers: 1,
  fullyParallel: false,
  timeout: 240_000,
  // Long, because a busy machine is no reason to fail; nobody waits when all is well.
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    baseURL: process.env.FABULA_URL ?? "http://127.0.0.1:8765",
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? KNOWN.find(existsSync),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
