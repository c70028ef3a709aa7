import type { Editor } from "@tiptap/react";
import { useEffect, useId, useRef, useState } from "react";
import type { KnownName } from "../../../client/rest";
import { type Calling, fittingNames } from "./calling";
import type { Lexicon } from "./lexicon";
import type { Spot } from "./spot";

const SHOWN = 8;

/** What happens after an @: which names are offered, which is chosen, and what the keys do. */
export function useNameCalling(lexicon: Lexicon | undefined) {
  const id = useId();
  const [calling, setCalling] = useState<Calling | null>(null);
  const [chosen, setChosen] = useState(0);
  const [refused, setRefused] = useState<number | null>(null);
  const editor = useRef<Editor | null>(null);
  const isOpen = calling !== null && calling.from !== refused;
  const names = isOpen && lexicon ? fittingNames(lexicon.names, calling.query, SHOWN) : [];
  const place = Math.min(chosen, names.length - 1);
  const now = useRef({ names, place, calling });
  now.current = { names, place, calling };

  const active = isOpen && names.length > 0 ? `${id}-${place}` : null;
  useEffect(() => {
    const field = editor.current?.view.dom;
    if (active === null) {
      field?.removeAttribute("aria-activedescendant");
      field?.removeAttribute("aria-controls");
    } else {
      field?.setAttribute("aria-activedescendant", active);
      field?.setAttribute("aria-controls", id);
    }
  }, [active, id]);

  const insert = (known: KnownName) => {
    const called = now.current.calling;
    const { current } = editor;
    if (!called || !current) return;
    current.view.dispatch(current.state.tr.insertText(known.name, called.from, called.to).scrollIntoView());
    current.view.focus();
  };
  return {
    id,
    names,
    place,
    isOpen: active !== null,
    point: setChosen,
    insert,
    attach: (to: Editor | null) => {
      editor.current = to;
    },
    onCalling: (next: Calling | null) => {
      if (next?.from !== now.current.calling?.from) setChosen(0);
      if (next === null) setRefused(null);
      setCalling(next);
    },
    onKey: (event: KeyboardEvent): boolean => {
      const { names: shown, place: at, calling: called } = now.current;
      if (event.isComposing || shown.length === 0 || !called) return false;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const known = shown[at];
      if (step !== 0) setChosen((at + step + shown.length) % shown.length);
      else if ((event.key === "Enter" || event.key === "Tab") && known) insert(known);
      else if (event.key === "Escape") setRefused(called.from);
      else return false;
      event.preventDefault();
      return true;
    },
    /** Where the list belongs: under the @. */
    spot: (): Spot => {
      const at = editor.current?.view.coordsAtPos(now.current.calling?.from ?? 0);
      return at ?? { left: 0, top: 0, bottom: 0 };
    },
  };
}
