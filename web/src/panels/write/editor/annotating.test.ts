import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { EditorView } from "@tiptap/pm/view";
// @vitest-environment jsdom
import { expect, it } from "vitest";
import { annotate, annotated, annotating, located, offsetIn, positionsIn } from "./annotating";
import { charactersBefore } from "./knownTexts";

const schema = new Schema({
  nodes: { doc: { content: "paragraph+" }, paragraph: { content: "text*", toDOM: () => ["p", 0] }, text: {} },
});
const docOf = (...paragraphs: string[]) =>
  schema.node(
    "doc",
    null,
    paragraphs.map((text) => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])),
  );

it("leads from every place of the text into the document and back", () => {
  const doc = docOf("Fog.", "", "𠮷 came.");
  for (const gap of ["\n", "\n\n"] as const) {
    const text = ["Fog.", "", "𠮷 came."].join(gap);
    const positionOf = positionsIn(doc, gap);
    for (const word of ["Fog", "came"]) {
      const at = text.indexOf(word);
      expect(doc.textBetween(positionOf(at), positionOf(at + word.length))).toBe(word);
      expect(offsetIn(doc, gap, positionOf(at))).toBe(at);
    }
  }
});

it("counts characters as the server does", () => {
  expect(charactersBefore("𠮷 came", 3)).toBe(2);
  expect(charactersBefore("He came", 3)).toBe(3);
});

it("finds words that were moved by what was typed since, nearest to where they stood", () => {
  expect(located("a b a", "a", 4)).toBe(4);
  expect(located("xx a b a", "a b", 0)).toBe(3);
  expect(located("a --- a", "a", 5)).toBe(6);
  expect(located("nothing", "a b", 0)).toBeNull();
});

it("marks words by the server's places, and the mark goes along with what is typed", () => {
  const state = EditorState.create({
    doc: docOf("𠮷 saw her blue eyes."),
    plugins: [annotating("findings")],
  });
  const view = new EditorView(document.createElement("div"), { state });
  const quotation = "𠮷 saw her blue eyes.";
  annotate(
    view,
    "findings",
    [{ id: "f", start: 0, quotation, mark: { start: 10, end: 14 }, attributes: { "data-finding": "f" } }],
    "\n\n",
  );
  expect(view.dom.querySelector("[data-finding=f]")?.textContent).toBe("blue");
  view.dispatch(view.state.tr.insertText("Then ", 1));
  const [mark] = annotated(view.state, "findings");
  expect(view.state.doc.textBetween(mark?.from ?? 0, mark?.to ?? 0)).toBe("blue");
  annotate(view, "findings", [], "\n\n");
  expect(annotated(view.state, "findings")).toEqual([]);
  view.destroy();
});
