import { getSchema } from "@tiptap/core";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Editor } from "@tiptap/react";
import { expect, it } from "vitest";
import { said } from "../../../texts/language";
import { contentOf, PROSE } from "../editor/schema";
import { texts } from "./texts";
import { askedFor, fitted, type Wish, wishAt } from "./wishes";

const schema = getSchema(PROSE);

function editorWith(paragraphs: string[], from: number, to = from): Editor {
  const doc = schema.nodeFromJSON(contentOf({ paragraphs }));
  return { state: EditorState.create({ doc, selection: TextSelection.create(doc, from, to) }) } as Editor;
}

it("goes on from the cursor, and tells what follows it", () => {
  const wish = wishAt(editorWith(["One two.", "Three."], 5), "\n\n", "continue");
  expect(wish).toMatchObject({
    kind: "continue",
    from: 5,
    to: 5,
    text: "One ",
    after: "two.\n\nThree.",
    end: " ",
  });
  const asked = askedFor(wish, "she refuses", said(texts, "en"));
  expect(asked).toContain("she refuses");
  expect(asked).toContain("two.\n\nThree.");
});

it.each([
  ["/beat She leaves the tower.", "She leaves the tower."],
  ["/ She leaves.", "She leaves."],
  ["/节拍 她离开灯塔。", "她离开灯塔。"],
])("makes prose of a beat, in the place of its line: %s", (line, about) => {
  const wish = wishAt(editorWith(["Before.", line, "After."], 12), "\n\n", "continue");
  expect(wish).toMatchObject({ kind: "beat", from: 10, to: 10 + line.length, text: "Before.", about });
  expect(wish.after).toBe("After.");
});

it("asks about the selected words with the whole scene as the text", () => {
  const wish = wishAt(editorWith(["One two.", "Three."], 5, 8), "\n\n", "shorten");
  expect(wish).toMatchObject({ kind: "shorten", from: 5, to: 8, about: "two", text: "One two.\n\nThree." });
});

it.each([
  ["She woke", "\n and left.", " and left."],
  ["She woke. ", "Then rain.", "Then rain."],
  ["她醒了。", "\n雨停了。", "雨停了。"],
  ["", "  Rain.", "Rain."],
  ["Over.\n\n", "Rain.", "Rain."],
])("fits words to the text before them: %j + %j", (text, words, expected) => {
  expect(fitted(words, { kind: "continue", text, from: 0, to: 0, about: "", after: "" } as Wish)).toBe(
    expected,
  );
});

it("asks with a prompt of the author's, about the selected words or at the cursor", () => {
  const prompt = {
    name: "Colder",
    instruction: "Make it colder.",
    use: "selection",
    send: "nothing",
    model: "write",
  } as const;
  const t = said(texts, "en");
  const selected = wishAt(editorWith(["One two."], 5, 8), "\n\n", "rewrite", { prompt });
  expect(askedFor(selected, "", t)).toBe("Make it colder.\n\nThe passage:\n\ntwo");
  const here = wishAt(editorWith(["/beat She leaves."], 5), "\n\n", "continue", { prompt });
  expect(here.kind).toBe("continue");
  expect(askedFor(here, "", t)).toMatch(/^Make it colder\./);
});

it("asks for somebody's voice by their name", () => {
  const whom = { id: "1", name: "Jiang Li", type: "character" };
  const wish = wishAt(editorWith(["One two."], 5, 8), "\n\n", "voice", { whom });
  expect(askedFor(wish, "", said(texts, "zh"))).toContain("Jiang Li的口吻");
});
