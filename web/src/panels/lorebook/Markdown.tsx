import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { createElement, memo, type ReactNode, useMemo } from "react";
import { useTexts } from "../../texts/language";
import styles from "./Markdown.module.css";
import { texts } from "./texts";

/** Deeper than this nothing is nested: whoever writes more means harm. */
const DEEPEST = 32;

// HTML stays text, and an address that is none of the web leaves its whole link as it was typed.
const parser = new MarkdownIt({ html: false, linkify: false, breaks: true, maxNesting: DEEPEST });
parser.validateLink = isOfTheWeb;
parser.inline.State = chinese(parser.inline.State);

/** Whether an address leads to the web, and nowhere else. */
export function isOfTheWeb(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

const CHINESE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const BLANK = /\s/u;

/** Beside Chinese characters `**重要：**` begins and ends without blanks, which Chinese does not have. */
function chinese(State: typeof StateInline): typeof StateInline {
  return class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      const before = [...this.src.slice(Math.max(0, start - 2), start)].at(-1) ?? " ";
      const after = String.fromCodePoint(this.src.codePointAt(start + found.length) ?? 32);
      if (!canSplitWord || !(CHINESE.test(before) || CHINESE.test(after))) return found;
      return {
        ...found,
        can_open: found.can_open || !BLANK.test(after),
        can_close: found.can_close || !BLANK.test(before),
      };
    }
  };
}

interface Branch {
  readonly token: Token;
  readonly inside: readonly Branch[];
}

/** Tokens come one after the other, each that opens something before what is in it. */
function branchesOf(tokens: readonly Token[]): Branch[] {
  const root: Branch[] = [];
  const open: Branch[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      if (open.length > 1) open.pop();
      continue;
    }
    const inside = branchesOf(token.children ?? []);
    (open.at(-1) ?? root).push({ token, inside });
    if (token.nesting > 0) open.push(inside);
  }
  return root;
}

/** All elements that can come out of it, beside headings, links, code and lines. */
const ELEMENTS = new Map([
  ["paragraph_open", "p"],
  ["blockquote_open", "blockquote"],
  ["bullet_list_open", "ul"],
  ["ordered_list_open", "ol"],
  ["list_item_open", "li"],
  ["table_open", "table"],
  ["thead_open", "thead"],
  ["tbody_open", "tbody"],
  ["tr_open", "tr"],
  ["th_open", "th"],
  ["td_open", "td"],
  ["strong_open", "strong"],
  ["em_open", "em"],
  ["s_open", "s"],
]);

/** Below the title of the entry, and never more than one level deeper than the heading before. */
const FIRST_HEADING = 3;

interface Drawing {
  imageOf(name: string): string;
  /** The headings around this place, as they were written. */
  readonly above: number[];
}

function drawn(branches: readonly Branch[], drawing: Drawing): ReactNode[] {
  return branches.map(({ token, inside }, place) => {
    const children = () => drawn(inside, drawing);
    const key = place;
    switch (token.type) {
      case "inline":
        return children();
      case "text":
        return token.content;
      case "softbreak":
      case "hardbreak":
        return <br key={key} />;
      case "hr":
        return <hr key={key} />;
      case "code_inline":
        return <code key={key}>{token.content}</code>;
      case "code_block":
      case "fence":
        return (
          <pre key={key}>
            <code>{token.content}</code>
          </pre>
        );
      case "heading_open":
        return createElement(headingOf(token, drawing.above), { key }, children());
      case "link_open":
        return (
          <Link key={key} address={String(token.attrGet("href"))}>
            {children()}
          </Link>
        );
      case "image":
        return (
          <Link key={key} address={String(token.attrGet("src"))}>
            {drawing.imageOf(token.content)}
          </Link>
        );
    }
    const element = ELEMENTS.get(token.type);
    if (element === undefined) return token.content;
    if (token.hidden) return children();
    return createElement(element, { key, ...looksOf(token) }, children());
  });
}

function headingOf(token: Token, above: number[]): string {
  const depth = Number(token.tag.slice(1));
  while (above.length > 0 && (above.at(-1) ?? 0) >= depth) above.pop();
  const level = Math.min(6, FIRST_HEADING + above.length);
  above.push(depth);
  return `h${level}`;
}

function looksOf(token: Token): { start?: number; "data-align"?: string | undefined } {
  if (token.type === "ordered_list_open") return { start: Number(token.attrGet("start") ?? 1) };
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
  return align === undefined ? {} : { "data-align": align };
}

/** Leads away in a window of its own, which learns nothing of this one; nothing is fetched before. */
function Link({ address, children }: { address: string; children: ReactNode }) {
  if (!isOfTheWeb(address)) return children;
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A text in Markdown. Elements are built from a closed list: nothing that was typed is ever read as HTML. */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  const t = useTexts(texts);
  const branches = useMemo(() => branchesOf(parser.parse(text, {})), [text]);
  return (
    <div className={styles.markdown} dir="auto">
      {drawn(branches, { imageOf: t.imageOf, above: [] })}
    </div>
  );
});

export default Markdown;
