import type { Node as Doc } from "@tiptap/pm/model";
import type { Prose } from "../prose";

/** Paragraphs that a name may run on through, as one text, and where they stand in the document. */
export interface Block {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The place in the document of a place in the text. */
  placeOf(offset: number): number;
}

type Gap = Prose["gap"];

const WIDE_BLANK = "\u3000";

/** The blocks that a part of a document touches or borders on; by default all of them. */
export function blocksIn(doc: Doc, gap: Gap, from = 0, to = doc.content.size): Block[] {
  const textAt = (index: number) => doc.child(index).textContent;
  const isParted = (index: number) =>
    index <= 0 || index >= doc.childCount || parts(textAt(index - 1), textAt(index), gap);
  let first = Math.max(0, doc.resolve(Math.max(0, from)).index(0) - 1);
  let last = Math.min(doc.childCount - 1, doc.resolve(Math.min(doc.content.size, to)).index(0) + 1);
  while (!isParted(first)) first -= 1;
  while (!isParted(last + 1)) last += 1;

  const blocks: Block[] = [];
  let offset = 0;
  let open: Paragraph[] = [];
  for (let index = 0; index <= last; index++) {
    if (index >= first) {
      open.push({ text: textAt(index), at: offset + 1 });
      if (isParted(index + 1)) {
        if (open.some(({ text }) => text !== "")) blocks.push(blockOf(open, gap));
        open = [];
      }
    }
    offset += doc.child(index).nodeSize;
  }
  return blocks;
}

/** Whether no name goes on from one paragraph into the next: not over an empty line, nor into an indented one. */
const parts = (one: string, next: string, gap: Gap): boolean =>
  gap === "\n\n" || one === "" || next === "" || next.startsWith(WIDE_BLANK);

interface Paragraph {
  readonly text: string;
  readonly at: number;
}

function blockOf(paragraphs: readonly Paragraph[], gap: Gap): Block {
  const [first, last] = [paragraphs[0] as Paragraph, paragraphs.at(-1) as Paragraph];
  return {
    text: paragraphs.map(({ text }) => text).join(gap),
    from: first.at,
    to: last.at + last.text.length,
    placeOf: (offset) => {
      let begin = 0;
      for (const { text, at } of paragraphs) {
        if (offset <= begin + text.length) return at + offset - begin;
        begin += text.length + gap.length;
      }
      return last.at + last.text.length;
    },
  };
}
