import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import { indents } from "./indents";

const schema = new Schema({
  nodes: { doc: { content: "paragraph+" }, paragraph: { content: "text*" }, text: {} },
});

const stateOf = (...paragraphs: string[]) =>
  EditorState.create({
    doc: schema.node(
      "doc",
      null,
      paragraphs.map((text) => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])),
    ),
    plugins: [indents()],
  });

/** The paragraphs that are marked, by their number. */
function marked(state: EditorState): number[] {
  const set = state.plugins[0]?.getState(state);
  return set.find().map(({ from }: { from: number }) => state.doc.resolve(from).index(0));
}

describe("paragraphs with spaces of their own", () => {
  it("are marked, and the others are not", () => {
    expect(marked(stateOf("　　雾。", "雾。", "", " fog"))).toEqual([0, 3]);
  });

  it("are followed while the text is written", () => {
    const state = stateOf("雾。", "　　灯。");
    const spaced = state.apply(state.tr.insertText("　　", 1));
    expect(marked(spaced)).toEqual([0, 1]);
    const bare = spaced.apply(spaced.tr.delete(1, 3));
    expect(marked(bare)).toEqual([1]);
    const split = bare.apply(bare.tr.split(2));
    expect(marked(split)).toEqual([2]);
    const joined = split.apply(split.tr.delete(0, split.doc.child(0).nodeSize));
    expect(marked(joined)).toEqual([1]);
  });
});
