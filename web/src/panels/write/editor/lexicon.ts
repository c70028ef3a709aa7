import type { KnownName } from "../../../client/rest";

/** A place in a paragraph where a known word stands, and whom it means: mostly one, at times several. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly owners: readonly KnownName[];
}

/** All words of a story, ready to be looked for. */
export interface Lexicon {
  readonly names: readonly KnownName[];
  /** Whom an id means, of an entity or of an entry without one. */
  byId(id: string): KnownName | undefined;
  find(text: string): Found[];
}

interface Word {
  readonly known: KnownName;
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly insideWords: boolean;
}

interface Branch {
  next: Map<number, Branch> | null;
  words: Word[] | null;
}

export const idOf = (known: KnownName): string => known.entityId ?? known.entryId ?? known.name;

/** Puts all words into one tree of letters; where words overlap, the leftmost and then the longest counts. */
export function lexiconOf(names: readonly KnownName[]): Lexicon {
  const root: Branch = { next: null, words: null };
  const ids = new Map(names.map((known) => [idOf(known), known]));
  // Names before aliases before keywords: whoever has a word as a name is named first.
  for (const known of names) if (known.entityId !== null) plant(root, plain(known, known.name));
  for (const known of names) for (const alias of known.aliases) plant(root, plain(known, alias));
  for (const known of names) {
    const { caseSensitive, wholeWord } = known;
    const keywords = known.entityId === null ? [known.name, ...known.keywords] : known.keywords;
    for (const text of keywords)
      plant(root, { known, text, caseSensitive, insideWords: wholeWord === false });
  }
  return { names, byId: (id) => ids.get(id), find: (text) => findIn(root, text) };
}

const plain = (known: KnownName, text: string): Word => ({
  known,
  text,
  caseSensitive: false,
  insideWords: false,
});

function plant(root: Branch, word: Word): void {
  const letters = folded(word.text.trim());
  if (letters === "") return;
  let branch = root;
  for (let place = 0; place < letters.length; place++) {
    const letter = letters.charCodeAt(place);
    branch.next ??= new Map();
    let next = branch.next.get(letter);
    if (!next) {
      next = { next: null, words: null };
      branch.next.set(letter, next);
    }
    branch = next;
  }
  branch.words = [...(branch.words ?? []), word];
}

function findIn(root: Branch, text: string): Found[] {
  const letters = folded(text);
  const found: Found[] = [];
  let start = 0;
  while (start < letters.length) {
    const best = longestAt(root, letters, text, start);
    if (best) {
      found.push(best);
      start = best.end;
    } else start += 1;
  }
  return found;
}

function longestAt(root: Branch, letters: string, text: string, start: number): Found | null {
  let branch: Branch | undefined = root;
  let best: Found | null = null;
  for (let end = start; branch; end++) {
    if (branch.words) {
      const owners = standing(branch.words, letters, text, start, end);
      if (owners.length > 0) best = { start, end, owners };
    }
    branch = end < letters.length ? branch.next?.get(letters.charCodeAt(end)) : undefined;
  }
  return best;
}

/** Whom the words of this place mean, by their own rules; each once. */
function standing(words: Word[], letters: string, text: string, start: number, end: number): KnownName[] {
  const isWhole = !runsOn(letters, start) && !runsOn(letters, end);
  const owners = new Set<KnownName>();
  for (const word of words) {
    if (!isWhole && !word.insideWords) continue;
    if (word.caseSensitive && text.slice(start, end) !== word.text) continue;
    owners.add(word.known);
  }
  return [...owners];
}

const runsOn = (text: string, place: number): boolean =>
  place > 0 &&
  place < text.length &&
  isWordLetter(text.charCodeAt(place - 1)) &&
  isWordLetter(text.charCodeAt(place));

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const judged = new Uint8Array(0x10000);

/** A letter of a script that puts spaces between words; looked up once for each. */
function isWordLetter(code: number): boolean {
  if (judged[code] === 0) {
    const letter = String.fromCharCode(code);
    judged[code] = LETTER.test(letter) && !UNSPACED.test(letter) ? 2 : 1;
  }
  return judged[code] === 2;
}

const MARKS: Readonly<Record<string, string>> = {
  "\u2019": "'",
  "\u02bc": "'",
  "\u2010": "-",
  "\u30fb": "·",
  "\u2027": "·",
  "\u2022": "·",
};
const UNUSUAL = /[\s\uff01-\uff5e\u2019\u02bc\u2010\u30fb\u2027\u2022]/g;

/** The text without differences of case, width and of marks that stand for each other; as long as it was. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : [...text].map(lowered).join("");
  return same.replace(UNUSUAL, (letter) => {
    const mark = MARKS[letter];
    if (mark !== undefined) return mark;
    const code = letter.charCodeAt(0);
    return code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0).toLowerCase() : " ";
  });
}

function lowered(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}
