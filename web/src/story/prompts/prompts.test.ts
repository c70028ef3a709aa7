import { expect, it } from "vitest";
import { builtInPrompts, promptFile, promptsIn, promptsOfFile, withPrompts } from "./prompts";

it("reads the author's prompts and leaves out what is none", () => {
  const prompts = [{ name: "Colder", instruction: "Colder." }, { name: "", instruction: "x" }, 5];
  expect(promptsIn({ prompts })).toEqual([
    { name: "Colder", instruction: "Colder.", use: "selection", send: "context", model: "write" },
  ]);
  expect(promptsIn({ prompts: "none" })).toEqual([]);
});

it.each(["en", "zh"] as const)("has prompts for every use in %s, each by its own name", (language) => {
  const prompts = builtInPrompts(language);
  expect(new Set(prompts.map(({ use }) => use)).size).toBe(3);
  expect(new Set(prompts.map(({ name }) => name)).size).toBe(prompts.length);
});

it("writes prompts into a file that is read again, and replaces those of the same name", () => {
  const [own, other] = promptsIn({
    prompts: [
      { name: "Colder", instruction: "Colder." },
      { name: "更冷", instruction: "写得更冷。" },
    ],
  });
  if (!own || !other) throw new Error("these are prompts");
  expect(promptsOfFile(promptFile([own, other]))).toEqual([own, other]);
  expect(withPrompts([{ ...own, instruction: "Warm." }], [own, other])).toEqual([own, other]);
  for (const none of ["", "[]", "{}", '{"prompts": [{}]}']) expect(promptsOfFile(none)).toBe(null);
});
