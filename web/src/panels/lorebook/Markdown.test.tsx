// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ADDRESSES, BREAKOUTS, HTML } from "../../../browser/harmful";
import Markdown, { isOfTheWeb } from "./Markdown";

afterEach(cleanup);

const shown = (text: string) => render(<Markdown text={text} />).container.firstElementChild as HTMLElement;

/** What may come out, and with which attributes. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "p blockquote ul li table thead tbody tr strong em s h3 h4 h5 h6 br hr code pre"
      .split(" ")
      .map((tag) => [tag, []]),
  ),
  a: ["href", "title", "target", "rel"],
  ol: ["start"],
  th: ["data-align"],
  td: ["data-align"],
};

/** Everything else that is in it. */
const strangers = (box: HTMLElement): string[] =>
  [...box.querySelectorAll("*")].flatMap((one) => {
    const tag = one.tagName.toLowerCase();
    const attributes = one.getAttributeNames().filter((name) => !KNOWN[tag]?.includes(name));
    const leads = one instanceof HTMLAnchorElement && !["http:", "https:"].includes(one.protocol);
    return [...(tag in KNOWN ? [] : [tag]), ...attributes, ...(leads ? [one.href] : [])];
  });

describe("what Markdown can say", () => {
  it("is drawn as elements", () => {
    const box = shown(
      "# Lamp\n\n**bold** *soft* ~~gone~~ `code`\n\n- one\n- two\n\n3. three\n\n> said\n\n---\n\n    block",
    );
    expect(box.innerHTML).toBe(
      "<h3>Lamp</h3><p><strong>bold</strong> <em>soft</em> <s>gone</s> <code>code</code></p>" +
        "<ul><li>one</li><li>two</li></ul>" +
        '<ol start="3"><li>three</li></ol><blockquote><p>said</p></blockquote><hr><pre><code>block\n</code></pre>',
    );
  });

  it("has tables, with their columns aligned", () => {
    const cells = [...shown("|a|b|c|\n|:-|:-:|-:|\n|1|2|3|").querySelectorAll("td")];
    expect(cells.map((cell) => [cell.textContent, cell.dataset.align])).toEqual([
      ["1", "left"],
      ["2", "center"],
      ["3", "right"],
    ]);
  });

  it("keeps the lines in which something was written", () => {
    expect(shown("姓名：林逸\n年龄：27").innerHTML).toBe("<p>姓名：林逸<br>年龄：27</p>");
  });

  it("is understood beside Chinese characters and their punctuation, where no blanks are", () => {
    for (const [text, strong] of [
      ["**重要：**他不回头。", "重要："],
      ["这是**「寒霜剑」**的来历", "「寒霜剑」"],
      ["他说**“不”**就走了", "“不”"],
      ["𠮷**野（家）**𠮷", "野（家）"],
    ])
      expect(shown(text as string).querySelector("strong")?.textContent, text).toBe(strong);
    expect(shown("2 * 3 * 4").querySelector("em")).toBeNull();
    expect(shown("他 ** 说 ** 话").querySelector("strong")).toBeNull();
  });

  it("has headings below the title of the entry, without a gap between them", () => {
    const levels = (text: string) => [...shown(text).querySelectorAll("h3,h4,h5,h6")].map((h) => h.tagName);
    expect(levels("# a\n\n## b\n\n# c")).toEqual(["H3", "H4", "H3"]);
    expect(levels("#### a\n\n## b\n\n###### c")).toEqual(["H3", "H3", "H4"]);
  });

  it("leads to the web in another window, and loads no image", () => {
    const link = shown("[site](https://example.org/a?b=1)").querySelector("a");
    expect(link?.href).toBe("https://example.org/a?b=1");
    expect([link?.target, link?.rel]).toEqual(["_blank", "noopener noreferrer nofollow"]);
    const image = shown("![the lamp](https://example.org/lamp.png)");
    expect(image.querySelector("img")).toBeNull();
    expect(image.textContent).toBe("Image: the lamp");
    expect(image.querySelector("a")?.href).toBe("https://example.org/lamp.png");
  });
});

describe("what means harm", () => {
  it.each(HTML)("is shown letter by letter: %s", (text) => {
    const box = shown(text);
    expect(strangers(box)).toEqual([]);
    expect(box.textContent).toBe(text);
  });

  it("leads nowhere, by whatever address", () => {
    for (const text of ADDRESSES) {
      const box = shown(text);
      expect([...strangers(box), ...box.querySelectorAll("a")], JSON.stringify(text)).toEqual([]);
      cleanup();
    }
  });

  it.each(BREAKOUTS)("leaves no attribute: %s", (text) => {
    expect(strangers(shown(text))).toEqual([]);
  });

  it("is no better in pieces and in any order", () => {
    const pieces = [
      ...HTML,
      ...BREAKOUTS,
      "[",
      "](",
      ")",
      "<",
      ">",
      "`",
      "\n",
      "\n\n> ",
      "- ",
      "|",
      "**",
      "&#",
    ];
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: 8 }, () => {
        const piece = pieces[next(pieces.length)] as string;
        return piece.slice(next(piece.length));
      }).join("");
      expect(strangers(shown(text)), JSON.stringify(text)).toEqual([]);
      cleanup();
    }
  });

  it.each([
    ["quotes", ">".repeat(20_000)],
    ["lists", "- ".repeat(20_000)],
    ["emphasis", "*_".repeat(10_000)],
    ["brackets", "[".repeat(20_000)],
    ["images", "![".repeat(10_000)],
    ["ticks", "`".repeat(20_000)],
    ["columns", `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}`],
  ])("does not stop the page with nothing but %s", (_, text) => {
    const begun = performance.now();
    expect(strangers(shown(text))).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

it("knows what an address of the web is", () => {
  for (const address of ["https://a.org", "HTTP://a.org/b", "https://例子.中国/"])
    expect(isOfTheWeb(address)).toBe(true);
  for (const address of [
    "//a.org",
    "https:a.org",
    "https://",
    " https://a.org",
    "javascript:1",
    "mailto:a@b",
  ])
    expect(isOfTheWeb(address)).toBe(false);
});
