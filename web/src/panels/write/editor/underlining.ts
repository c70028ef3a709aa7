import { Extension } from "@tiptap/core";
import type { Node as Doc } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { nodeTypeOf } from "../../../design/NodeMark";
import { type Found, idOf, type Lexicon } from "./lexicon";

interface Underlined {
  readonly lexicon: Lexicon | null;
  readonly marks: DecorationSet;
  /** Where text is being composed: looked through when it has been. */
  readonly waiting: Range | null;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type Wish = { readonly kind: "lexicon"; readonly lexicon: Lexicon } | { readonly kind: "composed" };

const key = new PluginKey<Underlined>("underlining");
// Longer than ProseMirror waits before it takes a composition for ended.
const COMPOSED_AFTER_MS = 80;

/** Underlines known names; at a key press only the paragraph that has changed is looked through. */
export const Underlining = Extension.create({
  name: "underlining",
  addProseMirrorPlugins: () => [underlining()],
});

export function underlining(): Plugin<Underlined> {
  return new Plugin<Underlined>({
    key,
    state: {
      init: () => ({ lexicon: null, marks: DecorationSet.empty, waiting: null }),
      apply: follow,
    },
    props: {
      decorations: (state) => key.getState(state)?.marks,
      handleDOMEvents: {
        compositionend: (view) => {
          setTimeout(() => composed(view), COMPOSED_AFTER_MS);
          return false;
        },
      },
    },
  });
}

/** Other words than before are looked for from now on. */
export function underline(view: EditorView, lexicon: Lexicon): void {
  wish(view, { kind: "lexicon", lexicon });
}

/** The name that the cursor stands in or next to. */
export function underlinedAt(state: EditorState, at: number): { id: string; from: number } | null {
  const [mark] = key.getState(state)?.marks.find(at, at) ?? [];
  return mark ? { id: mark.spec.id, from: mark.from } : null;
}

function composed(view: EditorView): void {
  if (view.isDestroyed || view.composing || !key.getState(view.state)?.waiting) return;
  wish(view, { kind: "composed" });
}

function wish(view: EditorView, meant: Wish): void {
  view.dispatch(view.state.tr.setMeta(key, meant).setMeta("addToHistory", false));
}

function follow(tr: Transaction, before: Underlined): Underlined {
  const wished = tr.getMeta(key) as Wish | undefined;
  if (wished?.kind === "lexicon") {
    const all = marksIn(tr.doc, wished.lexicon, { from: 0, to: tr.doc.content.size });
    return { lexicon: wished.lexicon, marks: DecorationSet.create(tr.doc, all), waiting: null };
  }
  if (!before.lexicon || (!tr.docChanged && !wished)) return before;
  const marks = tr.docChanged ? before.marks.map(tr.mapping, tr.doc) : before.marks;
  const range = joined(mapped(before.waiting, tr), changedRange(tr));
  // A span that comes or goes under an input method would end the composition.
  if (range === null || tr.getMeta("composition")) return { ...before, marks, waiting: range };
  return { ...before, marks: remarked(marks, tr.doc, before.lexicon, range), waiting: null };
}

/** The part of the new document that a transaction has touched. */
function changedRange(tr: Transaction): Range | null {
  let range: Range | null = null;
  tr.mapping.maps.forEach((map, place) => {
    const after = tr.mapping.slice(place + 1);
    map.forEach((_oldFrom, _oldTo, from, to) => {
      range = joined(range, { from: after.map(from, -1), to: after.map(to, 1) });
    });
  });
  return range;
}

const mapped = (range: Range | null, tr: Transaction): Range | null =>
  range && { from: tr.mapping.map(range.from, -1), to: tr.mapping.map(range.to, 1) };

function joined(one: Range | null, other: Range | null): Range | null {
  if (!one || !other) return one ?? other;
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

/** The marks with those of the touched paragraphs made anew, where they are others than before. */
function remarked(marks: DecorationSet, doc: Doc, lexicon: Lexicon, range: Range): DecorationSet {
  const from = Math.max(0, range.from);
  const to = Math.min(doc.content.size, range.to);
  let result = marks;
  doc.nodesBetween(from, to, (paragraph, start) => {
    const inside = { from: start + 1, to: start + 1 + paragraph.content.size };
    const old = result.find(inside.from, inside.to);
    const now = marksOf(paragraph, start, lexicon);
    if (!isSame(old, now)) result = result.remove(old).add(doc, now);
    return false;
  });
  return result;
}

const isSame = (old: readonly Decoration[], now: readonly Decoration[]): boolean =>
  old.length === now.length &&
  now.every((mark) =>
    old.some((known) => known.from === mark.from && known.to === mark.to && known.spec.id === mark.spec.id),
  );

function marksIn(doc: Doc, lexicon: Lexicon, { from, to }: Range): Decoration[] {
  const marks: Decoration[] = [];
  doc.nodesBetween(from, to, (paragraph, start) => {
    marks.push(...marksOf(paragraph, start, lexicon));
    return false;
  });
  return marks;
}

const marksOf = (paragraph: Doc, start: number, lexicon: Lexicon): Decoration[] =>
  lexicon.find(paragraph.textContent).map((found) => markOf(found, start + 1));

function markOf({ start, end, owners }: Found, at: number): Decoration {
  const [first] = owners;
  const id = first ? idOf(first) : "";
  const type = nodeTypeOf(first?.type ?? "custom");
  return Decoration.inline(at + start, at + end, { "data-name": id, "data-type": type }, { id });
}
