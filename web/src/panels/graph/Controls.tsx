import type { ReactNode } from "react";
import { Button, IconButton } from "../../design/Button";
import { Choice, TextField } from "../../design/Field";
import { NodeMark } from "../../design/NodeMark";
import type { Places } from "../../story/places";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Graph.module.css";
import { texts } from "./texts";
import { useKinds } from "./words";

export interface ControlsProps {
  q: string;
  onSearch(text: string): void;
  /** How many were found; null without a search. */
  found: number | null;
  onFound(): void;
  types: readonly { type: string; count: number }[];
  hidden: ReadonlySet<string>;
  onToggle(type: string): void;
  places: Places;
  chapter: number | null;
  onChapter(chapter: number | null): void;
  focus: string | null;
  steps: number;
  /** Whether there is somebody around whom one could look. */
  canFocus: boolean;
  /** Null for the whole graph. */
  onSteps(steps: number | null): void;
  /** Those who are related to nobody. */
  tray: ReactNode;
  aside: number;
  onBringBack(): void;
  view: "picture" | "table";
  onView(view: "picture" | "table"): void;
  onAdd(): void;
  isRefreshing: boolean;
  onRefresh(): void;
  isOpen: boolean;
  /** The switch for whose point of view it is. */
  seenBy: ReactNode;
  /** How the picture stands. */
  arranging: ReactNode;
}

const STEPS = ["1", "2", "3"] as const;
const ALL = "all";

/** What is looked for, what is shown, and when. */
export function Controls(props: ControlsProps) {
  const { q, found, types, hidden, places, chapter, focus, steps, aside, view } = props;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const kinds = useKinds();
  const last = Math.max(-1, ...places.chapters.map((each) => each.chapter));
  return (
    <section className={styles.controls} aria-label={t.controls} data-open={props.isOpen || undefined}>
      <TextField
        id="graph-search"
        type="search"
        quiet
        label={t.searchNodes}
        placeholder={t.searchNodes}
        value={q}
        onChange={(event) => props.onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) props.onFound();
          else if (event.key === "Escape") {
            props.onSearch("");
            event.currentTarget.blur();
          }
        }}
      />
      <p className={styles.found} role="status">
        {found === null ? "" : t.found(found)}
      </p>
      <div className={styles.acts}>
        <Button look="primary" icon="plus" onClick={props.onAdd}>
          {t.addNode}
        </Button>
        <IconButton
          icon="refresh"
          look="plain"
          label={t.refresh}
          aria-busy={props.isRefreshing}
          onClick={props.onRefresh}
        />
      </div>
      <Choice
        label={t.viewAs}
        value={view}
        options={[
          { value: "picture", label: t.asPicture },
          { value: "table", label: t.asTable },
        ]}
        onChange={props.onView}
      />
      {props.seenBy}
      <fieldset className={styles.kinds} hidden={types.length === 0}>
        <legend>{t.kinds}</legend>
        {types.map(({ type, count }) => (
          <label key={type} className={styles.kind}>
            <input
              type="checkbox"
              checked={!hidden.has(type)}
              aria-label={t.showKind(kinds(type), count)}
              onChange={() => props.onToggle(type)}
            />
            <NodeMark type={type} size={16} />
            <span>{kinds(type)}</span>
            <span className={styles.count}>{count.toLocaleString("en")}</span>
          </label>
        ))}
      </fieldset>
      {last >= 0 && (
        <div className={styles.moment}>
          <label htmlFor="graph-moment">{t.moment}</label>
          <output htmlFor="graph-moment">
            {chapter === null ? t.wholeStory : t.asOfEnd(places.chapterName(chapter))}
          </output>
          <input
            id="graph-moment"
            type="range"
            min={0}
            max={last + 1}
            value={chapter ?? last + 1}
            aria-valuetext={chapter === null ? t.wholeStory : t.asOfEnd(places.chapterName(chapter))}
            onChange={(event) => {
              const chosen = Number(event.target.value);
              props.onChapter(chosen > last ? null : chosen);
            }}
          />
        </div>
      )}
      {props.arranging}
      <div className={styles.focus} data-on={focus !== null || undefined}>
        {focus !== null && (
          <p className={styles.focused}>
            <span>{t.focusOn(focus)}</span>
            <IconButton icon="close" size="small" label={t.leaveFocus} onClick={() => props.onSteps(null)} />
          </p>
        )}
        <Choice
          label={t.steps}
          value={focus === null ? ALL : (String(steps) as (typeof STEPS)[number])}
          options={[
            { value: ALL, label: t.wholeGraph },
            ...STEPS.map((value) => ({ value, label: value, disabled: !props.canFocus })),
          ]}
          hint={props.canFocus ? undefined : t.stepsHint}
          onChange={(value) => props.onSteps(value === ALL ? null : Number(value))}
        />
      </div>
      {props.tray}
      {aside > 0 && (
        <p className={styles.focused}>
          <span>{t.putAside(aside)}</span>
          <Button look="quiet" size="small" onClick={props.onBringBack}>
            {t.bringBack}
          </Button>
        </p>
      )}
      <span className="visually-hidden">{words.graph}</span>
    </section>
  );
}
