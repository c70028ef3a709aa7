import { createStore, type StoreApi } from "zustand/vanilla";

/** A store that outlives the page, in this browser only; what cannot be read again is forgotten. */
export function createKeptStore<T>(
  name: string,
  initial: T,
  isValid: (value: unknown) => value is T,
): StoreApi<T> {
  const kept = readKept(name);
  const store = createStore<T>(() => (isValid(kept) ? kept : initial));
  store.subscribe((value) => writeKept(name, value));
  return store;
}

const PREFIX = "fabula:";

export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value; says whether there was room for it. */
export function writeKept(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
