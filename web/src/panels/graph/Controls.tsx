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
  onSteps(steps: number): void;
  onLeaveFocus(): void;
  aside: number;
  onBringBack(): void;
  view: "picture" | "table";
  onView(view: "picture" | "table"): void;
  onAdd(): void;
  isOpen: boolean;
}

const STEPS = ["1", "2", "3"] as const;

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
      <Button look="primary" icon="plus" onClick={props.onAdd}>
        {t.addNode}
      </Button>
      <Choice
        label={t.viewAs}
        value={view}
        options={[
          { value: "picture", label: t.asPicture },
          { value: "table", label: t.asTable },
        ]}
        onChange={props.onView}
      />
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
      {focus !== null && (
        <div className={styles.focus}>
          <p className={styles.focused}>
            <span>{t.focusOn(focus)}</span>
            <IconButton icon="close" size="small" label={t.leaveFocus} onClick={props.onLeaveFocus} />
          </p>
          <Choice
            label={t.steps}
            value={String(steps) as (typeof STEPS)[number]}
            options={STEPS.map((value) => ({ value, label: value }))}
            onChange={(value) => props.onSteps(Number(value))}
          />
        </div>
      )}
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
