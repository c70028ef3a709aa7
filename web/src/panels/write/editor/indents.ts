import { Extension } from "@tiptap/core";
import type { Node as Doc } from "@tiptap/pm/model";
import { Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

const key = new PluginKey<DecorationSet>("indents");
const OWN_INDENT = /^[\s\u3000]/;

/** Marks paragraphs that bring spaces of their own: many Chinese texts do, and are not indented twice. */
export const Indents = Extension.create({
  name: "indents",
  addProseMirrorPlugins: () => [indents()],
});

export function indents(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, marksIn(doc, 0, doc.content.size)),
      apply: (tr, before) => (tr.docChanged ? followed(tr, before) : before),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

/** The marks after a change: only paragraphs that it touched are looked at. */
function followed(tr: Transaction, before: DecorationSet): DecorationSet {
  let marks = before.map(tr.mapping, tr.doc);
  if (tr.getMeta("composition")) return marks;
  tr.mapping.maps.forEach((map, place) => {
    const after = tr.mapping.slice(place + 1);
    map.forEach((_oldFrom, _oldTo, start, end) => {
      const from = Math.max(0, after.map(start, -1) - 1);
      const to = Math.min(tr.doc.content.size, after.map(end, 1) + 1);
      const now = marksIn(tr.doc, from, to);
      const old = marks.find(from, to);
      if (now.length === old.length && now.every((mark, at) => mark.from === old[at]?.from)) return;
      marks = marks.remove(old).add(tr.doc, now);
    });
  });
  return marks;
}

function marksIn(doc: Doc, from: number, to: number): Decoration[] {
  const marks: Decoration[] = [];
  doc.nodesBetween(from, to, (paragraph, start) => {
    if (OWN_INDENT.test(paragraph.textContent.slice(0, 1)))
      marks.push(Decoration.node(start, start + paragraph.nodeSize, { "data-indented": "" }));
    return false;
  });
  return marks;
}
