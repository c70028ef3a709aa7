import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { listStoriesOptions, searchStoryOptions } from "../client/rest/@tanstack/react-query.gen";
import { THEMES, themeStore } from "../design/theme";
import { redo, undo } from "../story/story";
import { glossary } from "../texts/glossary";
import { languageStore, useLanguage, useTexts } from "../texts/language";
import { type Command, fitting } from "./fitting";
import styles from "./Palette.module.css";
import { FIRST_PANEL, PANELS, panelAddress } from "./panels";
import { texts } from "./texts";

const FOUND = 8;

/** One field from which everything can be reached without the mouse. */
export function Palette({ storyId, onClose }: { storyId: string; onClose(): void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const commands = useCommands(storyId);
  const found = useFound(storyId, useDeferredValue(text.trim()));
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const shown = [...fitting(commands, text), ...found];
  const chosen = Math.min(at, shown.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    if (command.to) void navigate(command.to);
    else command.run?.();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <input
        className={styles.field}
        role="combobox"
        aria-label={t.palette}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown[chosen] ? `${list}-${chosen}` : undefined}
        placeholder={t.paletteHint}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step !== 0 && shown.length > 0) {
            event.preventDefault();
            setAt((chosen + step + shown.length) % shown.length);
          } else if (event.key === "Enter") {
            event.preventDefault();
            run(shown[chosen]);
          }
        }}
      />
      <div id={list} role="listbox" aria-label={t.palette} className={styles.list}>
        {shown.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={command.id}
            id={`${list}-${place}`}
            role="option"
            aria-selected={place === chosen}
            className={styles.option}
            onClick={() => run(command)}
            onPointerMove={() => setAt(place)}
          >
            <span>{command.label}</span>
            <span className={styles.group}>{command.group}</span>
          </div>
        ))}
        {shown.length === 0 && <p className={styles.none}>{t.paletteNone}</p>}
      </div>
    </dialog>
  );
}

function useCommands(storyId: string): Command[] {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const stories = useQuery(listStoriesOptions({ query: { size: 100 } }));
  const names = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  return [
    ...PANELS.filter(({ key }) => key !== null).map(({ path, word }) => ({
      id: path,
      label: words[word],
      group: t.groupGo,
      to: panelAddress(storyId, path),
    })),
    { id: "stories", label: t.allStories, group: t.groupGo, to: "/" },
    { id: "undo", label: words.undo, group: t.groupDo, run: () => void undo(storyId) },
    { id: "redo", label: words.redo, group: t.groupDo, run: () => void redo(storyId) },
    ...THEMES.map((theme) => ({
      id: `theme:${theme}`,
      label: `${t.theme}: ${names[theme]}`,
      group: t.groupDo,
      run: () => themeStore.setState(theme),
    })),
    {
      id: "language",
      label: t.otherLanguage,
      group: t.groupDo,
      run: () => languageStore.setState(language === "zh" ? "en" : "zh"),
    },
    ...(stories.data?.content ?? [])
      .filter(({ id }) => id !== storyId)
      .map(({ id, title }) => ({
        id: `story:${id}`,
        label: title,
        group: t.groupStories,
        to: panelAddress(id, FIRST_PANEL),
      })),
  ];
}

/** Names of the story that fit, as a search finds them. */
function useFound(storyId: string, q: string): Command[] {
  const t = useTexts(texts);
  const found = useQuery({
    ...searchStoryOptions({ path: { storyId }, query: { q, kinds: ["entity", "event"], limit: FOUND } }),
    enabled: q.length > 0,
    placeholderData: (before) => before,
  });
  if (q.length === 0) return [];
  return (found.data?.items ?? [])
    .filter(({ why }) => why !== "near")
    .map(({ id, title }) => ({
      id: `found:${id}`,
      label: title,
      group: t.groupFound,
      to: panelAddress(storyId, `entities/${encodeURIComponent(id)}`),
    }));
}
