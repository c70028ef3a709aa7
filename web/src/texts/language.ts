import { useMemo } from "react";
import { useStore } from "zustand";
import { createKeptStore } from "../kept";

export type Language = "en" | "zh";
type Phrase = string | ((...values: never[]) => string);

/** Texts in English and Chinese, side by side: a key without its twin does not compile. */
export type Texts = Record<string, readonly [en: Phrase, zh: Phrase]>;
export type Said<T extends Texts> = { readonly [K in keyof T]: T[K][0] };

export function inBoth<const T extends Texts>(texts: T): T {
  return texts;
}

const isLanguage = (value: unknown): value is Language => value === "en" || value === "zh";

export const languageStore = createKeptStore<Language>(
  "language",
  typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en",
  isLanguage,
);

export const useLanguage = (): Language => useStore(languageStore);

/** The texts as they are said in a language. */
export function said<T extends Texts>(texts: T, language: Language): Said<T> {
  const place = language === "en" ? 0 : 1;
  return Object.fromEntries(Object.entries(texts).map(([key, pair]) => [key, pair[place]])) as Said<T>;
}

/** The texts in the language of the page. */
export function useTexts<T extends Texts>(texts: T): Said<T> {
  const language = useLanguage();
  return useMemo(() => said(texts, language), [texts, language]);
}
