import { closeHistory } from "@tiptap/pm/history";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { contentOf } from "../editor/schema";
import { pastedParagraphs } from "../prose";

/** Words that a model suggests in place of a part of the document; nothing of them is in the text yet. */
export interface Ghost {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface GhostKeys {
  /** Says whether a key was meant for the suggestion. */
  onKey(event: KeyboardEvent): boolean;
  /** Somebody writes on: the suggestion is over. */
  onWrite(): void;
}

const key = new PluginKey<Ghost | null>("ghost");

/** Shows a suggestion as grey text where it would stand. */
export function ghosting({ onKey, onWrite }: GhostKeys): Plugin<Ghost | null> {
  return new Plugin<Ghost | null>({
    key,
    state: {
      init: () => null,
      apply: (tr, before) => {
        const shown = tr.getMeta(key) as Ghost | undefined;
        if (shown !== undefined) return shown;
        return tr.docChanged ? null : before;
      },
    },
    props: {
      decorations: (state) => {
        const ghost = key.getState(state);
        if (!ghost) return null;
        const marks = [
          Decoration.widget(ghost.to, () => element(ghost.text), {
            side: 1,
            key: ghost.text,
            ignoreSelection: true,
          }),
        ];
        if (ghost.from < ghost.to)
          marks.push(Decoration.inline(ghost.from, ghost.to, { "data-replaced": "" }));
        return DecorationSet.create(state.doc, marks);
      },
      handleKeyDown: (view, event) => !view.composing && onKey(event),
    },
    view: () => ({
      update: (view, before) => {
        if (before.doc !== view.state.doc && key.getState(before) && !key.getState(view.state)) onWrite();
      },
    }),
  });
}

function element(text: string): HTMLElement {
  const ghost = document.createElement("span");
  ghost.dataset.ghost = "";
  ghost.contentEditable = "false";
  // Readers of the screen are told the whole of it once it is there.
  ghost.setAttribute("aria-hidden", "true");
  ghost.textContent = text;
  return ghost;
}

export function showGhost(view: EditorView, ghost: Ghost | null): void {
  if (view.isDestroyed) return;
  view.dispatch(view.state.tr.setMeta(key, ghost).setMeta("addToHistory", false));
}

export const GHOST = key;

/** Puts the suggested words into the text: one step that undo takes back as a whole. */
export function keepGhost(view: EditorView, { from, to, text }: Ghost): void {
  const { schema, tr } = view.state;
  const words = schema.nodeFromJSON(contentOf({ paragraphs: pastedParagraphs(text) }));
  const kept = closeHistory(tr)
    .setMeta(key, null)
    .replace(from, to, words.slice(1, words.content.size - 1));
  view.dispatch(kept.scrollIntoView());
}
