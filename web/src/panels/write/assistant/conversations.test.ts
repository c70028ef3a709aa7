import { expect, it } from "vitest";
import { titleOf } from "./conversations";

it.each([
  ["Why?\n\nBecause.", "Why? Because."],
  ["字".repeat(70), `${"字".repeat(60)}…`],
  ["🙂".repeat(61), `${"🙂".repeat(60)}…`],
  ["About this passage:\n\n> Fog.\n\nWhy?", "About this passage: Why?"],
  ["  ", "…"],
])("names a conversation by the first words: %j", (content, title) => {
  expect(titleOf([{ role: "user", content }])).toBe(title);
});
