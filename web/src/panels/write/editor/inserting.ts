import type { Editor } from "@tiptap/react";
import { pastedParagraphs } from "../prose";
import { contentOf } from "./schema";

/** Adds a text to the end of the scene, in paragraphs of its own. */
export function insertAtEnd(editor: Editor | null, text: string): void {
  if (!editor) return;
  const { content } = contentOf({ paragraphs: pastedParagraphs(text.trim()) });
  editor.chain().insertContentAt(editor.state.doc.content.size, content).focus("end").scrollIntoView().run();
}
