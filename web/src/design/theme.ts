import { createKeptStore } from "../kept";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value);

export const themeStore = createKeptStore<Theme>("theme", "system", isTheme);

/** Keeps the page in the chosen theme, and in the system's while that is the choice. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const theme = themeStore.getState();
    const shown = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = shown;
  };
  themeStore.subscribe(apply);
  dark.addEventListener("change", apply);
  apply();
}
