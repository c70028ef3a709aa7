import { useStore } from "zustand";
import { IconButton } from "../design/Button";
import { THEMES, type Theme, themeStore } from "../design/theme";
import { useTexts } from "../texts/language";
import { texts } from "./texts";

/** Goes round: system, light, dark. */
export function ThemeSwitch() {
  const t = useTexts(texts);
  const theme = useStore(themeStore);
  const names: Record<Theme, string> = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <IconButton
      icon="sun"
      size="small"
      label={`${t.theme}: ${names[theme]}`}
      onClick={() => themeStore.setState(next)}
    />
  );
}
