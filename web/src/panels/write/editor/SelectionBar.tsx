import type { Editor } from "@tiptap/react";
import { useEffect, useState } from "react";
import { Button } from "../../../design/Button";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import { type Spot, spotStyle } from "./spot";

const LONGEST = 80;
const SETTLED_MS = 150;

/** The words that are selected, if they could be a name. */
export function selectedName(editor: Editor | null): string | null {
  if (!editor) return null;
  const { from, to, $from, $to } = editor.state.selection;
  if (from === to || to - from > LONGEST || !$from.sameParent($to)) return null;
  return editor.state.doc.textBetween(from, to).trim() || null;
}

/** Offers to make an entry of the words that are selected. */
export function SelectionBar({ editor, onNew }: { editor: Editor; onNew(name: string): void }) {
  const t = useTexts(texts);
  const [selected, setSelected] = useState<{ name: string; spot: Spot } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const name = selectedName(editor);
      if (!name || !editor.isFocused) return setSelected(null);
      const { left, top, bottom } = editor.view.coordsAtPos(editor.state.selection.from);
      setSelected({ name, spot: { left, top, bottom } });
    };
    const settle = () => {
      clearTimeout(timer);
      setSelected((before) => (before === null ? before : null));
      if (!editor.state.selection.empty) timer = setTimeout(look, SETTLED_MS);
    };
    editor.on("selectionUpdate", settle);
    editor.on("blur", settle);
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", settle);
      editor.off("blur", settle);
    };
  }, [editor]);
  if (!selected) return null;
  return (
    <div className={styles.bar} style={spotStyle(selected.spot)}>
      <Button
        size="small"
        icon="plus"
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onNew(selected.name)}
      >
        {t.newEntryOf(selected.name)}
      </Button>
    </div>
  );
}
