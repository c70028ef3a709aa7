import styles from "./Marked.module.css";

/** A part of a text, counted in characters as the server counts them: whole code points. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text in pieces, those inside a span marked; spans that overlap are one. */
export function pieces(text: string, spans: readonly Span[]): { text: string; isMarked: boolean }[] {
  const characters = Array.from(text);
  const flags = new Uint8Array(characters.length);
  for (const { start, end } of spans) flags.fill(1, Math.max(0, start), Math.max(0, end));
  const found: { text: string; isMarked: boolean }[] = [];
  for (const [place, character] of characters.entries()) {
    const isMarked = flags[place] === 1;
    const last = found.at(-1);
    if (last && last.isMarked === isMarked) last.text += character;
    else found.push({ text: character, isMarked });
  }
  return found;
}

const MOST = 200;

/** Every place where one of the words stands in a text, in code points; upper and lower case count alike. */
export function placesOf(text: string, words: readonly string[]): Span[] {
  const characters = Array.from(text.toLowerCase());
  const found: Span[] = [];
  for (const word of words) {
    const wanted = Array.from(word.toLowerCase());
    if (wanted.length === 0) continue;
    for (let at = 0; at + wanted.length <= characters.length && found.length < MOST; at += 1) {
      if (wanted.every((character, place) => characters[at + place] === character))
        found.push({ start: at, end: at + wanted.length });
    }
  }
  return found;
}

/** A text with some of its words marked. */
export function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  return (
    <>
      {pieces(text, spans).map((piece, place) =>
        piece.isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name than their place
          <mark key={place} className={styles.mark}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
