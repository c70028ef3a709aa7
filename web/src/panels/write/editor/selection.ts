import type { Editor } from "@tiptap/react";
import type { Prose } from "../prose";
import { offsetIn } from "./annotating";
import { charactersBefore } from "./knownTexts";
import { textOfDoc } from "./schema";

const LONGEST_NAME = 80;
const LONGEST_QUOTATION = 4_000;

/** Words of a scene as they stand in its text; `start` is counted as the server counts. */
export interface Part {
  readonly quotation: string;
  readonly start: number;
}

/** The words that are selected, if they could be a name. */
export function selectedName(editor: Editor | null): string | null {
  if (!editor) return null;
  const { from, to, $from, $to } = editor.state.selection;
  if (from === to || to - from > LONGEST_NAME || !$from.sameParent($to)) return null;
  return editor.state.doc.textBetween(from, to).trim() || null;
}

/** The words that are selected, if they can be quoted: without the spaces around them. */
export function selectedPart(editor: Editor | null, gap: Prose["gap"]): Part | null {
  if (!editor) return null;
  const { doc, selection } = editor.state;
  if (selection.empty || selection.to - selection.from > LONGEST_QUOTATION) return null;
  const text = textOfDoc(doc, { gap, tail: "" });
  const from = offsetIn(doc, gap, selection.from);
  const selected = text.slice(from, offsetIn(doc, gap, selection.to));
  const quotation = selected.trim();
  if (quotation === "") return null;
  const start = from + selected.length - selected.trimStart().length;
  return { quotation, start: charactersBefore(text, start) };
}
