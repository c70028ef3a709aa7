import type { Node as Doc } from "@tiptap/pm/model";
import { type Editor, useEditor } from "@tiptap/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { pastedParagraphs, proseOf } from "../prose";
import { Annotating } from "./annotating";
import { blocksIn } from "./blocks";
import { type Calling, Callings } from "./calling";
import { Ends } from "./ends";
import { Here } from "./here";
import { Indents } from "./indents";
import { Italics } from "./italics";
import { contentOf, PROSE, textOfDoc } from "./schema";
import { Underlining } from "./underlining";

interface ProseOptions {
  text: string;
  label: string;
  language: string;
  onWrite(): void;
  onCalling(calling: Calling | null): void;
  onCallingKey(event: KeyboardEvent): boolean;
  /** Lets the model write on; false if somebody else has the key. */
  onSuggest(): boolean;
}

/** The editor of a scene's text, and the ways to read from it and write into it. */
export function useProse(options: ProseOptions) {
  const current = useRef(options);
  current.current = options;
  const [initial] = useState(() => proseOf(options.text));
  const prose = useRef(initial);
  const doc = useRef<Doc | null>(null);
  const live = useRef<Editor | null>(null);
  const editor = useEditor({
    extensions: [
      ...PROSE,
      Underlining.configure({ gap: () => prose.current.gap }),
      Annotating,
      Indents,
      Italics,
      Ends,
      Here,
      Callings.configure({
        onChange: (calling) => current.current.onCalling(calling),
        onKey: (event) => current.current.onCallingKey(event),
      }),
    ],
    content: contentOf(initial),
    injectCSS: false,
    autofocus: options.text === "" ? "end" : false,
    enableContentCheck: false,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": options.label,
        lang: options.language,
        // No browser can spell Chinese; elsewhere it takes the language from `lang`.
        spellcheck: options.language === "zh" ? "false" : "true",
      },
      // The editor takes every Enter for itself, so that no shortcut of the page would hear of this one.
      handleKeyDown: (view, event) =>
        event.key === "Enter" &&
        (event.ctrlKey || event.metaKey) &&
        !view.composing &&
        current.current.onSuggest(),
      handlePaste: (view, event) => {
        const text = event.clipboardData?.getData("text/plain");
        if (!text) return false;
        const { schema, tr } = view.state;
        const pasted = schema.nodeFromJSON(contentOf({ paragraphs: pastedParagraphs(text) }));
        view.dispatch(tr.replaceSelection(pasted.slice(1, pasted.content.size - 1)).scrollIntoView());
        return true;
      },
    },
    onUpdate: ({ editor: written }) => {
      doc.current = written.state.doc;
      current.current.onWrite();
    },
  });
  live.current = editor;

  const { label } = options;
  useEffect(() => {
    editor?.view.dom.setAttribute("aria-label", label);
  }, [editor, label]);

  return useMemo(
    () => ({
      editor,
      read: () => (doc.current ? textOfDoc(doc.current, prose.current) : current.current.text),
      /** The text in pieces that names do not run on from. */
      blockTexts: () =>
        live.current ? blocksIn(live.current.state.doc, prose.current.gap).map(({ text }) => text) : [],
      /** What stands between two paragraphs in the text as it is saved. */
      gap: () => prose.current.gap,
      isComposing: () => live.current?.view.composing ?? false,
      show: (text: string) => {
        prose.current = proseOf(text);
        if (!live.current) return;
        replace(live.current, contentOf(prose.current));
        doc.current = live.current.state.doc;
      },
    }),
    [editor],
  );
}

/** Puts in another text where it differs, so that the cursor stays where it can. */
function replace(editor: Editor, content: ReturnType<typeof contentOf>): void {
  const { state, view } = editor;
  const next = state.schema.nodeFromJSON(content);
  const start = state.doc.content.findDiffStart(next.content);
  const ends = state.doc.content.findDiffEnd(next.content);
  if (start === null || ends === null) return;
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  view.dispatch(
    state.tr
      .replace(start, ends.a + overlap, next.slice(start, ends.b + overlap))
      .setMeta("preventUpdate", true),
  );
}
