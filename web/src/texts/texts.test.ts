import { describe, expect, it } from "vitest";
import { glossary } from "./glossary";
import { said, type Texts } from "./language";

const files = import.meta.glob<Record<string, unknown>>(["../**/texts.ts", "../**/*Texts.ts"], {
  eager: true,
});

/** Every object of texts that a file exports, under the name of the file. */
const exported = Object.entries(files).flatMap(([file, module]) =>
  typeof module.texts === "object" ? [[file, module.texts as Texts] as const] : [],
);

describe.each([["glossary", glossary as Texts] as const, ...exported])("the texts of %s", (_, texts) => {
  it("are there in both languages, and the Chinese ones are Chinese", () => {
    for (const [key, pair] of Object.entries(texts)) {
      const [en, zh] = pair.map((phrase) =>
        typeof phrase === "function" ? (phrase as (...values: unknown[]) => string)(2, 3) : phrase,
      );
      expect(en, key).toBeTruthy();
      // "token" is what Chinese writers say, too; and the other language is called by its own name.
      if (key !== "otherLanguage") expect(zh, key).toMatch(/\p{Script=Han}|token/u);
    }
  });
});

it("says a phrase in the language that is asked for", () => {
  expect(said(glossary, "en").lorebook).toBe("Lorebook");
  expect(said(glossary, "zh").lorebook).toBe("设定集");
});

it("finds the texts of every panel", () => {
  const panels = Object.keys(import.meta.glob("../panels/*/index.tsx"));
  const told = exported.map(([file]) => file).filter((file) => file.startsWith("../panels/"));
  expect([...new Set(told.map((file) => file.split("/")[2]))].sort()).toEqual(
    panels.map((file) => file.split("/")[2]).sort(),
  );
});
