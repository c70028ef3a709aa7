import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { SearchHit } from "../client/rest";
import { listStoriesOptions, searchStoryOptions } from "../client/rest/@tanstack/react-query.gen";
import { Marked } from "../design/Marked";
import { THEMES, themeStore } from "../design/theme";
import { entityPage, panelOf, scenePage } from "../story/addresses";
import { BEGUN } from "../story/begun";
import { type Places, usePlaces } from "../story/places";
import { type Pov, usePov } from "../story/pov/pov";
import { redo, undo } from "../story/story";
import { visits } from "../story/visited";
import { glossary } from "../texts/glossary";
import { languageStore, useLanguage, useTexts } from "../texts/language";
import { type Command, fitting } from "./fitting";
import styles from "./Palette.module.css";
import { FIRST_PANEL, PANELS, panelAddress } from "./panels";
import { texts } from "./texts";

const FOUND = 8;
const PASSAGES = 6;
const RECENT = 5;
// Whoever opens the page need not wait for it.
const SeenBy = lazy(async () => ({ default: (await import("../story/pov/SeenBy")).SeenBy }));

/** One field from which everything can be reached without the mouse. */
export function Palette({ storyId, onClose }: { storyId: string; onClose(): void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const commands = useCommands(storyId);
  const pov = usePov(storyId);
  const found = useFound(storyId, useDeferredValue(text.trim()), pov);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  const shown = [...fitting(commands, text), ...found];
  const chosen = Math.min(at, shown.length - 1);
  useEffect(() => {
    // What is chosen with the keys stays in sight.
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [list, chosen]);
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
      <div className={styles.seen}>
        <Suspense>
          <SeenBy storyId={storyId} pov={pov} />
        </Suspense>
      </div>
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
            {command.marks ? (
              <span className={styles.passage}>
                <Marked text={command.label} spans={command.marks} />
              </span>
            ) : (
              <span>{command.label}</span>
            )}
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
  const here = location.pathname + location.search;
  const begun = (panel: string, what: string) => panelOf(storyId, panel, { [BEGUN]: what });
  const begins = [
    ["scene", t.newScene, begun("write", "scene")],
    ["chapter", t.newChapter, begun("write", "chapter")],
    ["entry", t.newEntry, panelOf(storyId, "lorebook", { entry: "new" })],
    ["event", t.newEvent, begun("timeline", "event")],
    ["thread", t.newThread, begun("threads", "thread")],
  ] as const;
  return [
    ...visits(storyId)
      .filter(({ to }) => to !== here)
      .slice(0, RECENT)
      .map(({ to, label }) => ({ id: `recent:${to}`, label, group: t.groupRecent, to })),
    ...begins.map(([what, label, to]) => ({ id: `new:${what}`, label, group: t.groupDo, to })),
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

/** Names of the story that fit, as a search finds them: for somebody in it, only what they know. */
function useFound(storyId: string, q: string, { id }: Pov): Command[] {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const names = useHits(storyId, q, ["entity", "event"], FOUND, id);
  const passages = useHits(storyId, q, ["passage"], PASSAGES, id);
  if (q.length === 0) return [];
  return [
    ...names
      .filter(({ why }) => why !== "near")
      .map((hit) => ({
        id: `found:${hit.id}`,
        label: hit.title,
        group: t.groupFound,
        to: entityPage(storyId, hit.id),
      })),
    // What is only alike in meaning has no word that could be shown.
    ...passages.filter(({ marks }) => marks.length > 0).map((hit) => passageCommand(storyId, hit, places)),
  ];
}

function useHits(storyId: string, q: string, kinds: SearchHit["kind"][], limit: number, pov: string | null) {
  const found = useQuery({
    ...searchStoryOptions({
      path: { storyId },
      query: { q, kinds, limit, ...(pov === null ? {} : { pov }) },
    }),
    enabled: q.length > 0,
    placeholderData: (before) => before,
  });
  return found.data?.items ?? [];
}

/** A passage of the book, which opens with its words selected. */
function passageCommand(storyId: string, hit: SearchHit, places: Places): Command {
  const [chapter, scene] = [hit.chapter ?? 0, hit.scene ?? 0];
  return {
    id: `passage:${hit.id}`,
    label: hit.snippet,
    marks: hit.marks,
    group: places.chapterName(chapter),
    to: scenePage(storyId, chapter, scene, hit),
  };
}
