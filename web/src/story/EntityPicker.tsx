import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import { searchStoryOptions } from "../client/rest/@tanstack/react-query.gen";
import { TextField } from "../design/Field";
import { NodeMark } from "../design/NodeMark";
import { inBoth, useTexts } from "../texts/language";
import styles from "./EntityPicker.module.css";

const texts = inBoth({
  hint: ["Type a name…", "输入名称…"],
  none: ["Nobody and nothing is called so.", "没有找到对应的实体。"],
});

/** Somebody or something of the story, as it is picked. */
export interface Picked {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

interface EntityPickerProps {
  storyId: string;
  label: string;
  value: Picked | null;
  onPick(entity: Picked | null): void;
  /** Those that make no sense here. */
  without?: readonly string[];
  /** What is looked for before anything is typed. */
  first?: string;
  quiet?: boolean;
}

const SHOWN = 8;

/** Somebody of the story, found by typing a part of a name. */
export function EntityPicker({
  storyId,
  label,
  value,
  onPick,
  without = [],
  first = "",
  quiet = false,
}: EntityPickerProps) {
  const t = useTexts(texts);
  const list = useId();
  const [text, setText] = useState(first);
  const [isOpen, setOpen] = useState(first !== "");
  const [at, setAt] = useState(0);
  const q = useDeferredValue(text.trim());
  const found = useQuery({
    ...searchStoryOptions({ path: { storyId }, query: { q, kinds: ["entity", "event"], limit: 20 } }),
    enabled: q !== "" && isOpen,
    placeholderData: keepPreviousData,
  });
  const shown = (found.data?.items ?? [])
    .filter(({ id, why }) => !without.includes(id) && why !== "near")
    .slice(0, SHOWN);
  const isListed = isOpen && q !== "" && found.data !== undefined;
  const chosen = Math.min(at, shown.length - 1);
  const pick = (place: number) => {
    const hit = shown[place];
    if (!hit) return;
    onPick({ id: hit.id, name: hit.title, type: hit.type });
    setText(hit.title);
    setOpen(false);
  };
  return (
    <div className={styles.picker}>
      <TextField
        label={label}
        quiet={quiet}
        role="combobox"
        autoComplete="off"
        placeholder={t.hint}
        aria-expanded={isListed}
        aria-controls={list}
        aria-activedescendant={isListed && shown[chosen] ? `${list}-${chosen}` : undefined}
        value={isOpen ? text : (value?.name ?? text)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
          if (value) onPick(null);
        }}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || !isListed) return;
          const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (step !== 0 && shown.length > 0) {
            event.preventDefault();
            setAt((chosen + step + shown.length) % shown.length);
          } else if (event.key === "Enter") {
            event.preventDefault();
            pick(chosen);
          } else if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            setOpen(false);
          }
        }}
      />
      <div id={list} role="listbox" aria-label={label} className={styles.list} hidden={!isListed}>
        {shown.map(({ id, title, type, snippet }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={id}
            id={`${list}-${place}`}
            role="option"
            aria-selected={place === chosen}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(place)}
            onPointerMove={() => setAt(place)}
          >
            <NodeMark type={type} />
            <span className={styles.name}>{title}</span>
            <span className={styles.more}>{snippet}</span>
          </div>
        ))}
        {isListed && shown.length === 0 && !found.isFetching && <p className={styles.none}>{t.none}</p>}
      </div>
    </div>
  );
}
