import type { Node as Doc } from "@tiptap/pm/model";
import { Plugin, type PluginKey, type Transaction } from "@tiptap/pm/state";
import { type Decoration, DecorationSet } from "@tiptap/pm/view";

/** What is marked in a paragraph that begins at a place of the document. */
export type Marking = (paragraph: Doc, start: number) => readonly Decoration[];

/** From where to where the paragraphs reach that have a part in a range. */
function wholeIn(doc: Doc, from: number, to: number): [from: number, to: number] {
  let [first, last] = [to, from];
  doc.nodesBetween(from, to, (paragraph, start) => {
    first = Math.min(first, start);
    last = Math.max(last, start + paragraph.nodeSize);
    return false;
  });
  return [Math.min(first, from), Math.max(last, to)];
}

/** Marks that follow from the words of each paragraph alone: only those that a change touched are read again. */
export function paragraphMarks(key: PluginKey<DecorationSet>, marking: Marking): Plugin<DecorationSet> {
  const marksIn = (doc: Doc, from: number, to: number): Decoration[] => {
    const marks: Decoration[] = [];
    doc.nodesBetween(from, to, (paragraph, start) => {
      marks.push(...marking(paragraph, start));
      return false;
    });
    return marks;
  };
  const followed = (tr: Transaction, before: DecorationSet): DecorationSet => {
    let marks = before.map(tr.mapping, tr.doc);
    if (tr.getMeta("composition")) return marks;
    tr.mapping.maps.forEach((map, place) => {
      const after = tr.mapping.slice(place + 1);
      map.forEach((_oldFrom, _oldTo, start, end) => {
        const from = Math.max(0, after.map(start, -1) - 1);
        const to = Math.min(tr.doc.content.size, after.map(end, 1) + 1);
        const now = marksIn(tr.doc, from, to);
        const [first, last] = wholeIn(tr.doc, from, to);
        const old = marks.find(first, last).filter((mark) => mark.to > first && mark.from < last);
        const isSame = (mark: Decoration, at: number) =>
          mark.from === old[at]?.from && mark.to === old[at]?.to;
        if (now.length === old.length && now.every(isSame)) return;
        marks = marks.remove(old).add(tr.doc, now);
      });
    });
    return marks;
  };
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, marksIn(doc, 0, doc.content.size)),
      apply: (tr, before) => (tr.docChanged ? followed(tr, before) : before),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}
