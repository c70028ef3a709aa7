import type { Editor } from "@tiptap/react";
import { useEffect, useState } from "react";
import { Button } from "../../../design/Button";
import { ROLES, type Role } from "../../../story/threads/threads";
import { useTexts } from "../../../texts/language";
import type { Prose } from "../prose";
import type { WishKind } from "../suggesting/wishes";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import { type Part, selectedName, selectedPart } from "./selection";
import { type Spot, spotStyle } from "./spot";

const SETTLED_MS = 150;
const WIDE = 570;
const KINDS = ["rewrite", "shorten", "expand"] as const;
const FIRST_ASKED = ["voice", "question", "prompts"] as const;

/** What is asked first before the model writes: in whose voice, what about it, or with which prompt. */
export type FirstAsked = (typeof FIRST_ASKED)[number];

interface SelectionBarProps {
  editor: Editor;
  gap(): Prose["gap"];
  /** An entry of a name, or of what a passage tells. */
  onNew(entry: { name: string; told: string }): void;
  /** The words plant, advance or pay off a thread. */
  onMark(part: Part, role: Role): void;
  /** The words establish a fact. */
  onEstablish(part: Part): void;
  /** The model is to write them again. */
  onWish(kind: WishKind): void;
  onAsk(first: FirstAsked, part: Part): void;
}

/** Offers what can be made of the words that are selected. */
export default function SelectionBar(props: SelectionBarProps) {
  const { editor, gap, onNew, onMark, onEstablish, onWish, onAsk } = props;
  const t = useTexts(texts);
  const [selected, setSelected] = useState<{ name: string | null; part: Part; spot: Spot } | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const part = selectedPart(editor, gap());
      if (!part || !editor.isFocused) return setSelected(null);
      const { left, top, bottom } = editor.view.coordsAtPos(editor.state.selection.from);
      setSelected({ name: selectedName(editor), part, spot: { left, top, bottom } });
    };
    const settle = () => {
      clearTimeout(timer);
      setSelected((before) => (before === null ? before : null));
      if (!editor.state.selection.empty) timer = setTimeout(look, SETTLED_MS);
    };
    // Words may have been selected while this was still loading.
    settle();
    editor.on("selectionUpdate", settle);
    editor.on("blur", settle);
    // Words that stay selected are offered again to whoever comes back to the text.
    editor.on("focus", settle);
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", settle);
      editor.off("blur", settle);
      editor.off("focus", settle);
    };
  }, [editor, gap]);
  if (!selected) return null;
  const { name, part, spot } = selected;
  const roleWords = { plants: t.plant, advances: t.advance, payoffs: t.payOff };
  return (
    <div
      role="toolbar"
      aria-label={t.withSelection}
      className={styles.bar}
      style={spotStyle(spot, WIDE)}
      onPointerDown={(event) => event.preventDefault()}
    >
      <div className={styles.menu}>
        {KINDS.map((kind) => (
          <Button key={kind} size="small" icon="pen" onClick={() => onWish(kind)}>
            {t[kind]}
          </Button>
        ))}
        {FIRST_ASKED.map((first) => (
          <Button key={first} size="small" icon="pen" onClick={() => onAsk(first, part)}>
            {t[first]}
          </Button>
        ))}
        <Button
          size="small"
          icon="plus"
          onClick={() => onNew(name ? { name, told: "" } : { name: "", told: part.quotation })}
        >
          {name ? t.newEntryOf(name) : t.entryOfPassage}
        </Button>
        {ROLES.map((role) => (
          <Button key={role} size="small" onClick={() => onMark(part, role)}>
            {roleWords[role]}
          </Button>
        ))}
        <Button size="small" onClick={() => onEstablish(part)}>
          {t.establish}
        </Button>
      </div>
    </div>
  );
}
