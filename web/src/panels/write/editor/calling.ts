import { Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** An @ that somebody is typing a name after. */
export interface Calling {
  readonly from: number;
  readonly to: number;
  readonly query: string;
}

interface CallingOptions {
  /** Hears where a name is being called; null when it no longer is. */
  onChange(calling: Calling | null, view: EditorView): void;
  /** Says whether a key was meant for the list of names. */
  onKey(event: KeyboardEvent): boolean;
}

const CALL =
  /(?:^|[^\p{L}\p{N}._-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[@＠]([^\s@＠]{0,40})$/u;

/** Notices an @ before the cursor; an address such as a@b.org is none. */
export const Callings = Extension.create<CallingOptions>({
  name: "callings",
  addOptions: () => ({ onChange: () => {}, onKey: () => false }),
  addProseMirrorPlugins() {
    const { onChange, onKey } = this.options;
    let last: Calling | null = null;
    return [
      new Plugin({
        key: new PluginKey("callings"),
        view: () => ({
          update: (view, before) => {
            if (before.doc === view.state.doc && before.selection === view.state.selection) return;
            const now = callingIn(view.state);
            if (now === null && last === null) return;
            last = now;
            onChange(now, view);
          },
        }),
        props: { handleKeyDown: (view, event) => last !== null && !view.composing && onKey(event) },
      }),
    ];
  },
});

export function callingIn({ selection }: EditorState): Calling | null {
  if (!selection.empty) return null;
  const { $from } = selection;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 48), $from.parentOffset);
  const query = CALL.exec(before)?.[1];
  return query === undefined ? null : { from: $from.pos - query.length - 1, to: $from.pos, query };
}
