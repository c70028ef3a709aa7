import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/react";
import { useEffect, useId, useRef, useState } from "react";
import type { KnownName } from "../../../client/rest";
import { listNamesOptions } from "../../../client/rest/@tanstack/react-query.gen";
import type { Calling } from "./calling";
import type { Spot } from "./spot";

const SHOWN = 8;

/** What happens after an @: which names are offered, which is chosen, and what the keys do. */
export function useNameCalling(storyId: string) {
  const id = useId();
  const [calling, setCalling] = useState<Calling | null>(null);
  const [chosen, setChosen] = useState(0);
  const [refused, setRefused] = useState<number | null>(null);
  const editor = useRef<Editor | null>(null);
  const isOpen = calling !== null && calling.from !== refused;
  const answer = useQuery({
    ...listNamesOptions({ path: { storyId }, query: { q: calling?.query ?? "", limit: SHOWN } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  // Without a connection nothing will come for what was typed.
  const names = isOpen && !answer.isPaused ? (answer.data?.items ?? []) : [];
  const isBusy = answer.isPlaceholderData;
  const place = Math.min(chosen, names.length - 1);
  const now = useRef({ names, place, calling, isBusy });
  now.current = { names, place, calling, isBusy };
  // Who takes a name before the list has caught up means the one that will stand there.
  const [taken, setTaken] = useState<Calling | null>(null);

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
  const take = () => {
    const known = now.current.names[now.current.place];
    if (now.current.isBusy) setTaken(now.current.calling);
    else if (known) insert(known);
  };
  const isTaken = taken !== null && taken === calling && !isBusy;
  useEffect(() => {
    if (!isTaken) return;
    setTaken(null);
    take();
  });
  return {
    id,
    names,
    place,
    isBusy,
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
      if (step !== 0) setChosen((at + step + shown.length) % shown.length);
      else if (event.key === "Enter" || event.key === "Tab") take();
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
