import { Extension, Node } from "@tiptap/core";
import { history, redo, undo } from "@tiptap/pm/history";
import type { Node as Doc } from "@tiptap/pm/model";
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

export const PROSE = [Manuscript, Paragraph, Text, History];

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
