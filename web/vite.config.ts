import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Where `fabula serve` is while the page is worked on.
const SERVER = process.env.FABULA_URL ?? "http://127.0.0.1:8765";

// It sees the host that the browser sees, and so knows the page for its own.
const BEHIND = { target: SERVER, changeOrigin: false };

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/app/" : "/",
  plugins: [react()],
  build: {
    outDir: "../src/fabula/static/app",
    emptyOutDir: true,
    manifest: true,
    // Small files stay files: the page's policy lets nothing be written into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": BEHIND, "/docs": BEHIND, "/static": BEHIND } },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    // A machine that does other things meanwhile is slow, not wrong.
    testTimeout: 60_000,
    // Rules without a page keep nothing between files: one world for all of them is soon built.
    isolate: false,
  },
}));
