import { Extension } from "@tiptap/core";
import { PluginKey } from "@tiptap/pm/state";
import { Decoration, type DecorationSet } from "@tiptap/pm/view";
import { paragraphMarks } from "./paragraphMarks";

const key = new PluginKey<DecorationSet>("italics");
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_]{1,400}?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/** Shows words between stars or low lines in italics, as plain texts write them; the text stays as it is typed. */
export const Italics = Extension.create({
  name: "italics",
  addProseMirrorPlugins: () => [italics()],
});

export const italics = () =>
  paragraphMarks(key, ({ textContent }, start) =>
    /[*_]/.test(textContent)
      ? [...textContent.matchAll(EMPHASIS)].map(({ index, 0: whole }) =>
          Decoration.inline(start + 1 + index, start + 1 + index + whole.length, { "data-italic": "" }),
        )
      : [],
  );
