import { Extension } from "@tiptap/core";
import { type EditorState, Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** Marks the paragraph with the cursor: what is typed into one that is not laid out yet lands behind the cursor. */
export const Here = Extension.create({
  name: "here",
  addProseMirrorPlugins: () => [new Plugin({ props: { decorations: marked } })],
});

function marked({ doc, selection: { $head } }: EditorState): DecorationSet {
  if ($head.depth === 0) return DecorationSet.empty;
  return DecorationSet.create(doc, [Decoration.node($head.before(1), $head.after(1), { "data-here": "" })]);
}
