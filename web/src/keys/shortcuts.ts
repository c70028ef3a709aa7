import { useEffect, useRef } from "react";
import { createStore, useStore } from "zustand";

/** What a key does; `keys` is like "mod+k", "shift+x", "g l" (one after the other), "?". */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  /** Also works while somebody is typing in a field. */
  readonly inFields?: boolean;
  run(): void;
}

const shown = createStore<readonly (readonly Shortcut[])[]>(() => []);

/** All shortcuts that work at this moment, for the sheet that shows them. */
export const useAllShortcuts = (): readonly Shortcut[] => useStore(shown).flat();

const NEXT_KEY_WITHIN_MS = 1_000;

/** Binds keys while the component is there; not in fields and dialogs, and never while text is being composed. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys}=${label}`).join("|");

  useEffect(() => {
    // The signature stands for the shortcuts: their functions are new at every rendering.
    void signature;
    const mine = current.current;
    shown.setState([...shown.getState(), mine], true);
    return () =>
      shown.setState(
        shown.getState().filter((group) => group !== mine),
        true,
      );
  }, [signature]);

  useEffect(() => {
    let before = "";
    let beforeAt = 0;
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
      const key = keyOf(event);
      const sequence = event.timeStamp - beforeAt < NEXT_KEY_WITHIN_MS ? `${before} ${key}` : key;
      const isTyping = isField(event.target, key) || document.querySelector("dialog[open]") !== null;
      // The second of two keys is no key by itself, whoever the two belong to.
      const isSecond =
        sequence !== key && shown.getState().some((group) => group.some(({ keys }) => keys === sequence));
      const wanted = isSecond ? sequence : key;
      const found = current.current.find(({ keys, inFields }) => keys === wanted && (inFields || !isTyping));
      before = key;
      beforeAt = event.timeStamp;
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

/** A pressed key as shortcuts are written; shift is told only of letters and named keys. */
export function keyOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isMarked = event.key.length > 1 || event.key.toLowerCase() !== event.key.toUpperCase();
  return [
    event.ctrlKey || event.metaKey ? "mod" : "",
    event.altKey ? "alt" : "",
    event.shiftKey && isMarked ? "shift" : "",
    key,
  ]
    .filter(Boolean)
    .join("+");
}

/** Keys that move a slider, and go from one choice to the next. */
const MOVES = /^(Arrow\w+|Home|End|PageUp|PageDown)$/;

/** Whether a key belongs to what it is pressed on: every key to a text, some to a slider. */
function isField(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  if (!(target instanceof HTMLInputElement)) return false;
  if (["radio", "range"].includes(target.type)) return MOVES.test(key);
  return !["checkbox", "button"].includes(target.type);
}

const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys as they stand on the keyboard in front of the reader. */
export function shownKeys(keys: string): string[] {
  return keys.split(" ").map((chord) =>
    chord
      .split("+")
      .map((key) => {
        if (key === "mod") return isApple ? "⌘" : "Ctrl";
        if (key === "shift") return isApple ? "⇧" : "Shift";
        if (key === "alt") return isApple ? "⌥" : "Alt";
        return key.length === 1 ? key.toUpperCase() : key;
      })
      .join(isApple ? "" : " + "),
  );
}
