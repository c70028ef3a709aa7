import type { Editor } from "@tiptap/react";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { SELECTED } from "../../../story/addresses";
import type { Prose } from "../prose";
import { positionsIn } from "./annotating";
import { unitsOf } from "./knownTexts";

/** Selects the words that the address names, once, and brings them into sight. */
export function useSelectedPart(editor: Editor | null, read: () => string, gap: () => Prose["gap"]): void {
  const [params, setParams] = useSearchParams();
  const asked = params.get(SELECTED);
  useEffect(() => {
    const found = /^(\d{1,9})-(\d{1,9})$/.exec(asked ?? "");
    if (!editor || asked === null) return;
    if (found) {
      const units = unitsOf(read());
      const positionOf = positionsIn(editor.state.doc, gap());
      const [from, to] = [positionOf(units(Number(found[1]))), positionOf(units(Number(found[2])))];
      editor.chain().setTextSelection({ from, to }).focus().scrollIntoView().run();
    }
    setParams(
      (before) => {
        before.delete(SELECTED);
        return before;
      },
      { replace: true },
    );
  }, [editor, asked, read, gap, setParams]);
}
