import { useSyncExternalStore } from "react";

/** A value that several components look at. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A store that outlives the page, in this browser only; what cannot be read again is forgotten. */
export function createKeptStore<T>(
  name: string,
  initial: T,
  isValid: (value: unknown) => value is T,
): Store<T> {
  const kept = readKept(name);
  const store = createStore<T>(isValid(kept) ? kept : initial);
  return {
    ...store,
    set: (next) => {
      store.set(next);
      writeKept(name, next);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
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
