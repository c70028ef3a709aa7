// @vitest-environment jsdom
import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { EditorView } from "@tiptap/pm/view";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Mention } from "../../../client/rest";
import { blocksIn } from "./blocks";
import { createKnownTexts, type Find } from "./knownTexts";
import { underline, underlinedAt, underlining } from "./underlining";

const schema = new Schema({
  nodes: {
    doc: { content: "paragraph+" },
    paragraph: { content: "text*", toDOM: () => ["p", 0] },
    text: {},
  },
});
const docOf = (...paragraphs: string[]) =>
  schema.node(
    "doc",
    null,
    paragraphs.map((text) => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])),
  );

const mention = (name: string, start: number, end: number, more: Partial<Mention> = {}): Mention => ({
  entityId: `id:${name}`,
  entryId: null,
  type: "character",
  name,
  term: name,
  kind: "name",
  start,
  end,
  outOfTime: null,
  ...more,
});

/** A server that finds these names, and counts as ours does: in characters. */
function server(...names: string[]) {
  const asked: string[] = [];
  const line = { isDown: false };
  const find: Find = async (text) => {
    asked.push(text);
    if (line.isDown) throw new Error("down");
    const characters = (before: string) => [...before].length;
    return names
      .flatMap((name) =>
        [...text.matchAll(new RegExp(name.replace(" ", "[ \\n]"), "g"))].map(({ 0: found, index }) => {
          const start = characters(text.slice(0, index));
          return mention(name, start, start + characters(found));
        }),
      )
      .sort((one, other) => one.start - other.start);
  };
  return { find, asked, line };
}

describe("the blocks of a document", () => {
  const texts = (gap: "\n" | "\n\n", ...paragraphs: string[]) =>
    blocksIn(docOf(...paragraphs), gap).map(({ text }) => text);

  it("are its paragraphs where empty lines part them, and whole stretches where they do not", () => {
    expect(texts("\n\n", "a", "b", "", "c")).toEqual(["a", "b", "c"]);
    expect(texts("\n", "a", "b", "", "c")).toEqual(["a\nb", "c"]);
    expect(texts("\n", "a", "　　b", "　　c", "d")).toEqual(["a", "　　b", "　　c\nd"]);
    expect(texts("\n\n", "")).toEqual([]);
  });

  it("know where their letters stand in the document", () => {
    const doc = docOf("ab", "cd", "", "ef");
    for (const { text, placeOf } of blocksIn(doc, "\n"))
      for (const [offset, letter] of [...text].entries())
        if (letter !== "\n") expect(doc.textBetween(placeOf(offset), placeOf(offset) + 1)).toBe(letter);
  });

  it("around a change are those that it may have joined or parted", () => {
    const doc = docOf("a", "b", "c", "d", "e");
    expect(blocksIn(doc, "\n\n", 7, 7).map(({ text }) => text)).toEqual(["b", "c", "d"]);
    expect(blocksIn(docOf("a", "b", "", "c", "d", "", "e"), "\n", 7, 7).map(({ text }) => text)).toEqual([
      "a\nb",
      "c\nd",
    ]);
  });
});

describe("texts whose names are known", () => {
  it("are asked for once, together, and each gets its own names", async () => {
    const { find, asked } = server("江离", "Li Bai");
    const known = createKnownTexts(find);
    await known.ask(["𠀀江离", "Li\nBai，江离", "雾"]);
    expect(asked).toEqual(["𠀀江离\n\nLi\nBai，江离\n\n雾"]);
    const places = (text: string) => known.namesIn(text)?.map(({ start, end }) => text.slice(start, end));
    expect(places("𠀀江离")).toEqual(["江离"]);
    expect(places("Li\nBai，江离")).toEqual(["Li\nBai", "江离"]);
    expect(places("雾")).toEqual([]);
    expect(known.namesIn("灯")).toBeUndefined();
    await known.ask(["雾", "灯"]);
    expect(asked[1]).toBe("灯");
  });

  it("show whoever is meant where several share a word", async () => {
    const known = createKnownTexts(async () => [mention("A", 0, 2), mention("B", 0, 2)]);
    await known.ask(["师兄"]);
    expect(known.namesIn("师兄")?.map(({ name }) => name)).toEqual(["A"]);
  });

  it("are asked for in parts where they are long", async () => {
    const { find, asked } = server("江离");
    const long = Array.from({ length: 30 }, (_, place) => `${"雾".repeat(9_000)}江离${place}`);
    const known = createKnownTexts(find);
    await known.ask(long);
    expect(asked.length).toBe(3);
    for (const text of long) expect(known.namesIn(text)).toHaveLength(1);
  });
});

describe("underlines", () => {
  let view: EditorView;
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    view.destroy();
    vi.useRealTimers();
  });

  function desk(paragraphs: string[], ...names: string[]) {
    const place = document.createElement("div");
    const plugins = [underlining({ gap: () => "\n\n" })];
    view = new EditorView(place, { state: EditorState.create({ doc: docOf(...paragraphs), plugins }) });
    const house = server(...names);
    underline(view, createKnownTexts(house.find));
    const marked = () => [...place.querySelectorAll("[data-name]")].map(({ textContent }) => textContent);
    const type = (text: string, at: number) => view.dispatch(view.state.tr.insertText(text, at));
    return { ...house, marked, type };
  }
  const pause = () => vi.advanceTimersByTimeAsync(600);

  it("come after a pause, for the paragraphs that have changed only", async () => {
    const { marked, type, asked } = desk(["a", "b", "c", "江离", "d"], "江离");
    await pause();
    expect(marked()).toEqual(["江离"]);
    type("江离", 1);
    expect(marked()).toEqual(["江离"]);
    await pause();
    expect(marked()).toEqual(["江离", "江离"]);
    expect(asked).toEqual(["a\n\nb\n\nc\n\n江离\n\nd", "江离a"]);
    expect(underlinedAt(view.state, 2)?.mention.name).toBe("江离");
  });

  it("go along with the text until the answer is there", async () => {
    const { marked, type } = desk(["江离"], "江离");
    await pause();
    type("雾，", 1);
    expect(marked()).toEqual(["江离"]);
    await pause();
    expect(marked()).toEqual(["江离"]);
    type("x", 4);
    await pause();
    expect(marked()).toEqual([]);
  });

  it("stay while nobody answers, and are put right after the next change", async () => {
    const { marked, type, line } = desk(["江离"], "江离");
    await pause();
    line.isDown = true;
    type("江离", 3);
    await pause();
    expect(marked()).toEqual(["江离"]);
    line.isDown = false;
    type("。", 5);
    await pause();
    expect(marked()).toEqual(["江离", "江离"]);
  });

  it("follow when the story knows other names", async () => {
    const { marked } = desk(["江离与沈潮"], "江离");
    await pause();
    underline(view, createKnownTexts(server("沈潮").find));
    expect(marked()).toEqual(["江离"]);
    await pause();
    expect(marked()).toEqual(["沈潮"]);
  });
});
