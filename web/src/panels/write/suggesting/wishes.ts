import type { Editor } from "@tiptap/react";
import type { Picked } from "../../../story/EntityPicker";
import type { Prompt } from "../../../story/prompts/prompts";
import type { Said } from "../../../texts/language";
import { offsetIn } from "../editor/annotating";
import { textOfDoc } from "../editor/schema";
import type { Prose } from "../prose";
import type { texts } from "./texts";

export type WishKind = "continue" | "beat" | "rewrite" | "shorten" | "expand" | "voice";

/** A prompt of the author's, or in whose voice it is to be. */
export interface WishMore {
  readonly prompt?: Prompt;
  readonly whom?: Picked;
}

/** What a model is asked to write, and what its words would stand in place of. */
export interface Wish {
  readonly kind: WishKind;
  readonly from: number;
  readonly to: number;
  /** The text that the model reads as the scene so far. */
  readonly text: string;
  /** What the words are about: a beat, or the selected words. */
  readonly about: string;
  /** What follows the cursor. */
  readonly after: string;
  readonly more?: WishMore;
  /** What parts the words from those that follow at once: a space before a Latin word. */
  readonly end: "" | " ";
}

const BEAT = /^\/(?:beat|节拍|要点)?[ \t\u3000]*(\S.*)$/i;
const AFTER = 1_500;

/** What is wished at the cursor: prose for a beat, or else how the scene goes on; of a selection, its kind. */
export function wishAt(editor: Editor, gap: Prose["gap"], kind: WishKind, more: WishMore = {}): Wish {
  const { doc, selection } = editor.state;
  const whole = textOfDoc(doc, { gap, tail: "" });
  const { from, to } = selection;
  if (kind !== "continue") {
    const about = doc.textBetween(from, to, gap);
    return { kind, from, to, text: whole, about, after: "", end: "", more };
  }
  const { $to } = selection;
  const beat = BEAT.exec($to.parent.textContent);
  if (beat && !more.prompt) {
    const [start, end] = [$to.start(), $to.end()];
    const text = whole.slice(0, offsetIn(doc, gap, start)).trimEnd();
    const after = whole
      .slice(offsetIn(doc, gap, end))
      .trim()
      .slice(0, AFTER);
    return { kind: "beat", from: start, to: end, text, about: beat[1] ?? "", after, end: "" };
  }
  const at = offsetIn(doc, gap, to);
  const after = whole.slice(at).trim().slice(0, AFTER);
  const end = /^[\p{Script=Latin}\d]/u.test(whole.slice(at, at + 2)) ? " " : "";
  return { kind, from: to, to, text: whole.slice(0, at), about: "", after, end, more };
}

/** The wish in words, as the model is asked. */
export function askedFor(wish: Wish, instruction: string, t: Said<typeof texts>): string {
  const { prompt, whom } = wish.more ?? {};
  const own = prompt && [prompt.instruction, wish.about === "" ? "" : t.askPassage(wish.about)];
  const asked =
    own?.filter(Boolean).join("\n\n") ??
    {
      continue: t.askContinue,
      beat: t.askBeat(wish.about),
      rewrite: t.askRewrite(wish.about),
      shorten: t.askShorten(wish.about),
      expand: t.askExpand(wish.about),
      voice: t.askVoice(whom?.name ?? "", wish.about),
    }[wish.kind];
  const more = [
    instruction.trim() === "" ? "" : t.askInstruction(instruction.trim()),
    wish.after === "" ? "" : t.askBefore(wish.after),
  ];
  return [asked, ...more].filter(Boolean).join("\n\n");
}

const WORD_END = /[\p{L}\p{N},.;:!?’”"')]$/u;

/** The model's words as they would stand: no space at the ends, and one between two Latin words. */
export function fitted(words: string, wish: Wish): string {
  const text = words.replaceAll("\r\n", "\n").replace(/^\s+/, "");
  if (wish.kind !== "continue") return text;
  const isNewParagraph = wish.text === "" || /\n$/.test(wish.text);
  const needsSpace = !isNewParagraph && WORD_END.test(wish.text) && /^[\p{Script=Latin}\d“"‘']/u.test(text);
  return needsSpace ? ` ${text}` : text;
}
