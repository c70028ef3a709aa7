import type { Editor } from "@tiptap/react";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { Mention } from "../../../client/rest";
import type { Spot } from "./spot";
import { underlinedAt } from "./underlining";

interface Shown {
  readonly mention: Mention;
  readonly spot: Spot;
  /** It was asked for with the keyboard and takes the focus. */
  readonly isAsked: boolean;
}

const SHOW_AFTER_MS = 250;
const HIDE_AFTER_MS = 200;

/** Which name's card is shown: of the one the pointer rests on, was tapped, or the cursor stands in. */
export function useNameCard(editor: Editor | null) {
  const [shown, setShown] = useState<Shown | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (run: () => void, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, after);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (name: HTMLElement) => {
    const mark = editor && underlinedAt(editor.state, editor.view.posAtDOM(name, 0));
    const { left, top, bottom } = name.getBoundingClientRect();
    if (mark) setShown({ mention: mark.mention, spot: { left, top, bottom }, isAsked: false });
  };
  const close = () => {
    clearTimeout(timer.current);
    setShown(null);
  };
  return {
    shown,
    close,
    stay: () => clearTimeout(timer.current),
    leave: () => later(() => setShown(null), HIDE_AFTER_MS),
    onPointerOver: (event: PointerEvent) => {
      const name = nameAt(event.target);
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      if (name) later(() => name.isConnected && show(name), SHOW_AFTER_MS);
      else later(() => setShown((before) => (before?.isAsked ? before : null)), HIDE_AFTER_MS);
    },
    onTap: (target: EventTarget) => {
      const name = nameAt(target);
      if (name) show(name);
      else close();
    },
    /** Shows the card of the name that the cursor stands in; false if it stands in none. */
    ask: (): boolean => {
      if (!editor) return false;
      const name = underlinedAt(editor.state, editor.state.selection.from);
      if (!name) return false;
      const { left, top, bottom } = editor.view.coordsAtPos(name.from);
      setShown({ mention: name.mention, spot: { left, top, bottom }, isAsked: true });
      return true;
    },
  };
}

const nameAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-name]:not([data-finding])") : null;
