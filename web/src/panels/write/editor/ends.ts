import { Extension } from "@tiptap/core";
import { Selection } from "@tiptap/pm/state";

/** To the ends of the text: a browser knows no end of a paragraph that it has not laid out, and stops before it. */
export const Ends = Extension.create({
  name: "ends",
  addKeyboardShortcuts() {
    const go = (end: "start" | "end") => () => {
      const { view } = this.editor;
      const { doc, tr } = view.state;
      const there = end === "end" ? Selection.atEnd(doc) : Selection.atStart(doc);
      view.dispatch(tr.setSelection(there).scrollIntoView());
      return true;
    };
    return {
      "Ctrl-End": go("end"),
      "Ctrl-Home": go("start"),
      "Cmd-ArrowDown": go("end"),
      "Cmd-ArrowUp": go("start"),
    };
  },
});
