import { Extension } from "@tiptap/core";
import type { Node as Doc } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import type { Prose } from "../prose";
import { unitsOf } from "./knownTexts";
import { textOfDoc } from "./schema";

/** Words of the saved text that something is said about; places are counted as the server counts them. */
export interface Annotation {
  readonly id: string;
  readonly start: number;
  readonly quotation: string;
  /** The part of the quotation that is marked; all of it if none is named. */
  readonly mark?: { readonly start: number; readonly end: number };
  readonly attributes: Readonly<Record<string, string>>;
}

/** Where an annotation stands in the document. */
export interface Annotated {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

export const LAYERS = ["findings", "points", "newNames"] as const;
export type Layer = (typeof LAYERS)[number];

const keys: Readonly<Record<Layer, PluginKey<DecorationSet>>> = {
  findings: new PluginKey<DecorationSet>("findings"),
  points: new PluginKey<DecorationSet>("points"),
  newNames: new PluginKey<DecorationSet>("newNames"),
};
// Longer than ProseMirror waits before it takes a composition for ended.
const COMPOSED_AFTER_MS = 80;

/** Marks what the server says about words of the scene; the marks go along with what is typed. */
export const Annotating = Extension.create({
  name: "annotating",
  addProseMirrorPlugins: () => LAYERS.map((layer) => annotating(layer)),
});

export function annotating(layer: Layer): Plugin<DecorationSet> {
  const key = keys[layer];
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, before) => {
        const marks = tr.getMeta(key) as DecorationSet | undefined;
        return marks ?? (tr.docChanged ? before.map(tr.mapping, tr.doc) : before);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

/** Shows these annotations instead of those before; after a composition if one is going on. Gives a way to call it off. */
export function annotate(
  view: EditorView,
  layer: Layer,
  annotations: readonly Annotation[],
  gap: Prose["gap"],
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    if (view.isDestroyed) return;
    // A span that comes or goes under an input method would end the composition.
    if (view.composing) return;
    const { doc, tr } = view.state;
    const marks = marksOf(doc, annotations, gap);
    if (marks.length === 0 && annotated(view.state, layer).length === 0) return;
    view.dispatch(tr.setMeta(keys[layer], DecorationSet.create(doc, marks)).setMeta("addToHistory", false));
  };
  const composed = () => {
    timer = setTimeout(show, COMPOSED_AFTER_MS);
  };
  if (view.composing) view.dom.addEventListener("compositionend", composed, { once: true });
  else show();
  return () => {
    clearTimeout(timer);
    view.dom.removeEventListener("compositionend", composed);
  };
}

/** What is annotated in a part of the document, in its order; by default everywhere. */
export function annotated(state: EditorState, layer: Layer, from?: number, to = from): Annotated[] {
  return (keys[layer].getState(state)?.find(from, to) ?? [])
    .map((mark) => ({ id: mark.spec.id as string, from: mark.from, to: mark.to }))
    .toSorted((one, other) => one.from - other.from);
}

function marksOf(doc: Doc, annotations: readonly Annotation[], gap: Prose["gap"]): Decoration[] {
  if (annotations.length === 0) return [];
  const text = textOfDoc(doc, { gap, tail: "" });
  const units = unitsOf(text);
  const positionOf = positionsIn(doc, gap);
  return annotations.flatMap(({ id, start, quotation, mark, attributes }) => {
    const at = located(text, quotation, units(start));
    if (at === null) return [];
    const inside = unitsOf(quotation);
    const from = positionOf(at + (mark ? inside(mark.start) : 0));
    const to = positionOf(at + (mark ? inside(mark.end) : quotation.length));
    return from < to ? [Decoration.inline(from, to, { ...attributes }, { id })] : [];
  });
}

/** Where a quotation stands, if it does: at its place, else nearest to it. */
export function located(text: string, quotation: string, at: number): number | null {
  if (quotation === "") return null;
  if (text.startsWith(quotation, at)) return at;
  const after = text.indexOf(quotation, at);
  const before = text.lastIndexOf(quotation, at);
  if (after < 0 || before < 0) return Math.max(after, before) < 0 ? null : Math.max(after, before);
  return after - at < at - before ? after : before;
}

/** From places in the text of a document to those in the document. */
export function positionsIn(doc: Doc, gap: Prose["gap"]): (offset: number) => number {
  const begins: { text: number; doc: number; length: number }[] = [];
  let text = 0;
  doc.forEach(({ textContent }, offset) => {
    begins.push({ text, doc: offset + 1, length: textContent.length });
    text += textContent.length + gap.length;
  });
  return (offset) => {
    let low = 0;
    let high = begins.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((begins[middle]?.text ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const begin = begins[low];
    return begin ? begin.doc + Math.min(offset - begin.text, begin.length) : 0;
  };
}

/** From a place in a document to the one in its text. */
export function offsetIn(doc: Doc, gap: Prose["gap"], position: number): number {
  const $at = doc.resolve(position);
  let offset = 0;
  for (let index = 0; index < $at.index(0); index++)
    offset += doc.child(index).textContent.length + gap.length;
  return offset + ($at.depth === 0 ? 0 : $at.parentOffset);
}
