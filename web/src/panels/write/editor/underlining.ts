import { Extension } from "@tiptap/core";
import type { Node as Doc } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import type { Mention } from "../../../client/rest";
import { nodeTypeOf } from "../../../design/NodeMark";
import type { Prose } from "../prose";
import { type Block, blocksIn } from "./blocks";
import type { KnownTexts } from "./knownTexts";

interface Underlined {
  readonly known: KnownTexts | null;
  readonly marks: DecorationSet;
  /** What has changed since its names were found; until they are, the old marks go along with the text. */
  readonly waiting: Range | null;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

type Wish = { readonly kind: "known"; readonly known: KnownTexts } | { readonly kind: "found" };

export interface UnderliningOptions {
  /** What stands between two paragraphs in the text as it is saved. */
  gap(): Prose["gap"];
}

const key = new PluginKey<Underlined>("underlining");
const PAUSE_MS = 120;
const AT_LATEST_MS = 500;
// Longer than ProseMirror waits before it takes a composition for ended.
const COMPOSED_AFTER_MS = 80;

/** Underlines known names; after a pause the server is asked about the paragraphs that have changed. */
export const Underlining = Extension.create<UnderliningOptions>({
  name: "underlining",
  addOptions: () => ({ gap: () => "\n\n" as const }),
  addProseMirrorPlugins() {
    return [underlining(this.options)];
  },
});

export function underlining({ gap }: UnderliningOptions): Plugin<Underlined> {
  const blocks = ({ doc }: { doc: Doc }, { from, to }: Range) => blocksIn(doc, gap(), from, to);
  return new Plugin<Underlined>({
    key,
    state: {
      init: () => ({ known: null, marks: DecorationSet.empty, waiting: null }),
      apply: (tr, before) => follow(tr, before, blocks),
    },
    view: (view) => watched(view, blocks),
    props: { decorations: (state) => key.getState(state)?.marks },
  });
}

/** Shows the names of these texts from now on; the server is asked about other texts through them, too. */
export function underline(view: EditorView, known: KnownTexts): void {
  wish(view, { kind: "known", known });
}

/** The name that the cursor stands in or next to. */
export function underlinedAt(state: EditorState, at: number): { mention: Mention; from: number } | null {
  const marks = key.getState(state)?.marks.find(at, at) ?? [];
  const mark = marks.find(({ from, to }) => from <= at && at < to) ?? marks[0];
  return mark ? { mention: mark.spec.mention, from: mark.from } : null;
}

export const idOf = ({ entityId, entryId }: Pick<Mention, "entityId" | "entryId">): string =>
  entityId ?? entryId ?? "";

function wish(view: EditorView, meant: Wish): void {
  view.dispatch(view.state.tr.setMeta(key, meant).setMeta("addToHistory", false));
}

type Blocks = (state: { doc: Doc }, range: Range) => Block[];

/** Asks about what has changed when somebody pauses, and now and then while they do not; one request at a time. */
function watched(view: EditorView, blocks: Blocks) {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const rest = () => {
    clearTimeout(pause);
    clearTimeout(latest);
    latest = undefined;
  };
  const touch = (after: number) => {
    clearTimeout(pause);
    pause = setTimeout(look, after);
    latest ??= setTimeout(look, AT_LATEST_MS);
  };
  const look = async () => {
    rest();
    const { known, waiting } = stateOf(view);
    // A span that comes or goes under an input method would end the composition: its end looks again.
    if (!known || !waiting || isAsking || view.composing) return;
    const texts = blocks(view.state, waiting).map(({ text }) => text);
    if (texts.some((text) => known.namesIn(text) === undefined)) {
      isAsking = true;
      try {
        await known.ask(texts);
      } catch {
        // What is underlined stays; the next change, or whoever comes back online, asks again.
        return;
      } finally {
        isAsking = false;
      }
    }
    if (view.isDestroyed || view.composing) return;
    wish(view, { kind: "found" });
    if (stateOf(view).waiting) touch(PAUSE_MS);
  };
  const composed = () => touch(COMPOSED_AFTER_MS);
  view.dom.addEventListener("compositionend", composed);
  return {
    update: (now: EditorView, before: EditorState) => {
      if (key.getState(before)?.known !== stateOf(now).known) touch(0);
      else if (before.doc !== now.state.doc) touch(PAUSE_MS);
    },
    destroy: () => {
      rest();
      view.dom.removeEventListener("compositionend", composed);
    },
  };
}

const stateOf = (view: EditorView): Underlined => key.getState(view.state) as Underlined;

function follow(tr: Transaction, before: Underlined, blocks: Blocks): Underlined {
  const wished = tr.getMeta(key) as Wish | undefined;
  if (wished?.kind === "known")
    return { ...before, known: wished.known, waiting: { from: 0, to: tr.doc.content.size } };
  if (wished) return settled(before, tr.doc, blocks);
  if (!tr.docChanged) return before;
  const waiting = joined(mapped(before.waiting, tr), changedRange(tr));
  return { ...before, marks: before.marks.map(tr.mapping, tr.doc), waiting };
}

/** The marks made anew where names have been found; what has changed meanwhile goes on waiting. */
function settled({ known, marks, waiting }: Underlined, doc: Doc, blocks: Blocks): Underlined {
  let result = marks;
  let left: Range | null = null;
  for (const block of waiting ? blocks({ doc }, waiting) : []) {
    const names = known?.namesIn(block.text);
    if (!names) {
      left = joined(left, block);
      continue;
    }
    const old = result.find(block.from, block.to);
    const now = names.map((mention) => markOf(mention, block));
    if (!isSame(old, now)) result = result.remove(old).add(doc, now);
  }
  return { known, marks: result, waiting: left };
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

const isSame = (old: readonly Decoration[], now: readonly Decoration[]): boolean =>
  old.length === now.length &&
  now.every((mark, place) => {
    const known = old[place];
    return known?.from === mark.from && known.to === mark.to && says(known) === says(mark);
  });

const says = ({ spec: { mention } }: Decoration): string =>
  [idOf(mention), mention.type, mention.outOfTime].join(" ");

function markOf(mention: Mention, { placeOf }: Block): Decoration {
  const attributes: Record<string, string> = {
    "data-name": idOf(mention),
    "data-type": nodeTypeOf(mention.type),
  };
  if (mention.outOfTime) attributes["data-out-of-time"] = mention.outOfTime;
  return Decoration.inline(placeOf(mention.start), placeOf(mention.end), attributes, { mention });
}
