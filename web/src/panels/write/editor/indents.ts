import { Extension } from "@tiptap/core";
import { PluginKey } from "@tiptap/pm/state";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { paragraphMarks } from "./paragraphMarks";

const key = new PluginKey<DecorationSet>("indents");
const OWN_INDENT = /^[\s\u3000]/;

/** Marks paragraphs that bring spaces of their own: many Chinese texts do, and are not indented twice. */
export const Indents = Extension.create({
  name: "indents",
  addProseMirrorPlugins: () => [indents()],
});

export const indents = () =>
  paragraphMarks(key, (paragraph, start) =>
    OWN_INDENT.test(paragraph.textContent.slice(0, 1))
      ? [Decoration.node(start, start + paragraph.nodeSize, { "data-indented": "" })]
      : [],
  );
