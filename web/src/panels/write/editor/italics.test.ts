import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import { italics } from "./italics";

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
    plugins: [italics()],
  });

const marked = (state: EditorState): string[] =>
  state.plugins[0]
    ?.getState(state)
    .find()
    .map(({ from, to }: { from: number; to: number }) => state.doc.textBetween(from, to));

describe("words in italics", () => {
  it("stand between stars or low lines, and nothing else does", () => {
    expect(marked(stateOf("She *would* not, and _that was that_.", "", "“_Never!_”"))).toEqual([
      "*would*",
      "_that was that_",
      "_Never!_",
    ]);
    expect(marked(stateOf("* * *", "2 * 3 * 4", "a_name_of_a_file", "*open", "**bold**", "_ a _"))).toEqual(
      [],
    );
  });

  it("follow what is typed", () => {
    const state = stateOf("She *would not.", "_Never._");
    const closed = state.apply(state.tr.insertText("*", 11));
    expect(marked(closed)).toEqual(["*would*", "_Never._"]);
    const open = closed.apply(closed.tr.delete(5, 6));
    expect(marked(open)).toEqual(["_Never._"]);
    const longer = open.apply(open.tr.insertText("Well. ", open.doc.content.size - 1));
    expect(marked(longer)).toEqual([]);
  });
});
