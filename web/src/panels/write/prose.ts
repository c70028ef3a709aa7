/** A scene's text as paragraphs, so that the same text comes out again where nobody has written. */
export interface Prose {
  readonly paragraphs: readonly string[];
  /** What stands between two paragraphs: an empty line, or just the end of a line. */
  readonly gap: "\n" | "\n\n";
  /** Line ends after the last paragraph. */
  readonly tail: string;
}

export function proseOf(text: string): Prose {
  const body = text.replace(/\n+$/, "");
  const gap = /(?<!\n)(?:\n\n)*\n(?!\n)/.test(body) ? "\n" : "\n\n";
  return { paragraphs: body.split(gap), gap, tail: text.slice(body.length) };
}

export const textOfProse = ({ paragraphs, gap, tail }: Prose): string => paragraphs.join(gap) + tail;

/** What was pasted, in paragraphs; empty lines only part them. */
export const pastedParagraphs = (text: string): string[] =>
  text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split(/\n+/);
