import { Extension, Node } from "@tiptap/core";
import { history, redo, undo } from "@tiptap/pm/history";
import type { Node as Doc } from "@tiptap/pm/model";
import { Selection, TextSelection } from "@tiptap/pm/state";
import { type Prose, textOfProse } from "../prose";

/** Prose and nothing else: a scene is kept as plain text, so the editor knows paragraphs only. */
const Manuscript = Node.create({ name: "doc", topNode: true, content: "paragraph+" });

const Paragraph = Node.create({
  name: "paragraph",
  priority: 1_000,
  group: "block",
  content: "text*",
  marks: "",
  parseHTML: () => [{ tag: "p" }],
  renderHTML: () => ["p", 0],
});

const Text = Node.create({ name: "text", group: "inline" });

const History = Extension.create({
  name: "history",
  addProseMirrorPlugins: () => [history({ depth: 200, newGroupDelay: 600 })],
  addKeyboardShortcuts() {
    const run = (command: typeof undo) => () => command(this.editor.state, this.editor.view.dispatch);
    return { "Mod-z": run(undo), "Shift-Mod-z": run(redo), "Mod-y": run(redo) };
  },
});

/** To the ends of the text: a browser knows no end of a paragraph that it has not laid out, and stops before it. */
const Ends = Extension.create({
  name: "ends",
  addKeyboardShortcuts() {
    const go = (end: "start" | "end", isExtending: boolean) => () => {
      const { state, dispatch } = this.editor.view;
      const to = end === "end" ? Selection.atEnd(state.doc) : Selection.atStart(state.doc);
      const next = isExtending ? TextSelection.create(state.doc, state.selection.anchor, to.head) : to;
      dispatch(state.tr.setSelection(next).scrollIntoView());
      return true;
    };
    return {
      "Ctrl-End": go("end", false),
      "Ctrl-Home": go("start", false),
      "Shift-Ctrl-End": go("end", true),
      "Shift-Ctrl-Home": go("start", true),
      "Cmd-ArrowDown": go("end", false),
      "Cmd-ArrowUp": go("start", false),
      "Shift-Cmd-ArrowDown": go("end", true),
      "Shift-Cmd-ArrowUp": go("start", true),
    };
  },
});

export const PROSE = [Manuscript, Paragraph, Text, History, Ends];

/** A text as the editor takes it. */
export const contentOf = ({ paragraphs }: Pick<Prose, "paragraphs">) => ({
  type: "doc",
  content: paragraphs.map((text) => ({
    type: "paragraph",
    ...(text === "" ? {} : { content: [{ type: "text", text }] }),
  })),
});

/** The text that stands in the editor. */
export function textOfDoc(doc: Doc, { gap, tail }: Pick<Prose, "gap" | "tail">): string {
  const paragraphs: string[] = [];
  doc.forEach((paragraph) => {
    paragraphs.push(paragraph.textContent);
  });
  return textOfProse({ paragraphs, gap, tail });
}
