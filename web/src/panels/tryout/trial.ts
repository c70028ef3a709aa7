import { REASONS } from "../../client/context";
import type {
  CaseBook,
  CaseMessage,
  LorebookCase,
  ScanSettings,
  StoryLorebook,
  TracedEntry,
  TriedScan,
} from "../../client/rest";
import { inBoth, type Language } from "../../texts/language";

/** A book that is tried, with its entries as World Info. */
export interface TriedBook {
  readonly book: StoryLorebook;
  readonly worldInfo: CaseBook;
}

/** What is tried beside the books. */
export interface Talk {
  readonly chat: readonly CaseMessage[];
  readonly user: string;
  readonly char: string;
  readonly settings: ScanSettings;
}

/** The case to send: each book under a name of its own, at its source. */
export function caseOf(books: readonly TriedBook[], { chat, user, char, settings }: Talk): LorebookCase {
  const named = books.map(({ book, worldInfo }, place) => {
    const isTaken = books.slice(0, place).some((other) => other.book.name === book.name);
    return { source: book.source, name: isTaken ? `${book.name} (${place + 1})` : book.name, worldInfo };
  });
  const at = (source: StoryLorebook["source"]) =>
    named.filter((one) => one.source === source).map(({ name }) => name);
  // One conversation and one persona have one book each: further ones are read like books of the character.
  const [chatBook = null, ...moreOfChat] = at("chat");
  const [personaBook = null, ...moreOfPersona] = at("persona");
  return {
    books: Object.fromEntries(named.map(({ name, worldInfo }) => [name, worldInfo])),
    sources: {
      global: at("global"),
      character: [...at("character"), ...moreOfChat, ...moreOfPersona],
      chat: chatBook,
      persona: personaBook,
    },
    user,
    char,
    chat: [...chat],
    settings,
  };
}

/** What became of an entry, and whether it would have been otherwise with the settings of the books. */
export interface Fate {
  readonly entry: TracedEntry;
  readonly change: "new" | "gone" | null;
}

export interface Fates {
  readonly fired: readonly Fate[];
  /** Found, but over the budget. */
  readonly overBudget: readonly Fate[];
  readonly silent: readonly Fate[];
}

const OVER_BUDGET = "over_budget";
const keyOf = ({ book, uid }: TracedEntry): string => JSON.stringify([book, uid]);

/** The entries by what became of them; those that fired in the order of passes. */
export function fatesIn(scan: TriedScan, usual: TriedScan): Fates {
  const usually = new Set(usual.trace.filter(({ fired }) => fired).map(keyOf));
  const fates = scan.trace.map((entry): Fate => {
    const wasFired = usually.has(keyOf(entry));
    return { entry, change: entry.fired === wasFired ? null : entry.fired ? "new" : "gone" };
  });
  return {
    fired: fates
      .filter(({ entry }) => entry.fired)
      .toSorted((one, other) => (one.entry.pass ?? 0) - (other.entry.pass ?? 0)),
    overBudget: fates.filter(({ entry }) => entry.reason === OVER_BUDGET),
    // What the changed settings silence is told first.
    silent: fates
      .filter(({ entry }) => !entry.fired && entry.reason !== OVER_BUDGET)
      .toSorted((one, other) => Number(other.change !== null) - Number(one.change !== null)),
  };
}

/** The message in which a key was found: places are counted from the newest one. */
export function messageOf({ where, index }: TracedEntry, chat: readonly CaseMessage[]): CaseMessage | null {
  if (where !== "chat" || index === null || index === undefined) return null;
  return chat[chat.length - 1 - index] ?? null;
}

const MORE_REASONS = inBoth({
  disabled: ["switched off", "已停用"],
  no_keys: ["has no key", "没有关键词"],
  not_found: ["no key is in the text", "文中没有关键词"],
  same_uid: ["replaced by an entry with the same uid", "被相同 uid 的条目取代"],
});

/** Why an entry fired or did not, in words; a reason that is not known keeps its name. */
export function reasonOf(code: string, language: Language): string {
  const known: Record<string, readonly [string, string]> = REASONS;
  const more: Record<string, readonly [string, string]> = MORE_REASONS;
  const pair = more[code] ?? known[`book_${code}`];
  return pair?.[language === "en" ? 0 : 1] ?? code;
}

const AROUND = 60;

/** The part of a message around the first place of a word. */
export function excerpt(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, Math.max(at, 0) + word.length + AROUND);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
