import { type ReactNode, useId, useState } from "react";
import { inBoth, useTexts } from "../texts/language";
import { Icon } from "./icons";
import styles from "./TagInput.module.css";

const texts = inBoth({
  remove: [(tag: string) => `Remove ${tag}`, (tag: string) => `移除 ${tag}`],
  hint: ["Enter or a comma adds one", "按回车或逗号添加"],
});

interface TagInputProps {
  label: string;
  /** The label is only for readers of the screen. */
  quiet?: boolean;
  tags: readonly string[];
  onChange(tags: string[]): void;
  /** Tags that need a second look, and why. */
  doubts?: ReadonlyMap<string, string>;
  note?: ReactNode;
}

const SEPARATORS = /[,，、;；\n]/;

/** The tags in a text, each once and in order. */
export function tagsIn(text: string, known: readonly string[] = []): string[] {
  const tags = [...known];
  for (const part of text.split(SEPARATORS)) {
    const tag = part.trim();
    if (tag && !tags.includes(tag)) tags.push(tag);
  }
  return tags;
}

/** Words as tags: typed or pasted, taken away one by one. */
export function TagInput({ label, quiet, tags, onChange, doubts, note }: TagInputProps) {
  const t = useTexts(texts);
  const id = useId();
  const [text, setText] = useState("");
  const add = (more: string) => {
    const all = tagsIn(more, tags);
    if (all.length !== tags.length) onChange(all);
    setText("");
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={quiet ? "visually-hidden" : styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        {tags.map((tag) => (
          <span
            key={tag}
            className={styles.tag}
            data-doubt={doubts?.has(tag) || undefined}
            title={doubts?.get(tag)}
          >
            {tag}
            <button
              type="button"
              aria-label={t.remove(tag)}
              onClick={() => onChange(tags.filter((other) => other !== tag))}
            >
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          id={id}
          value={text}
          placeholder={tags.length === 0 ? t.hint : ""}
          onChange={(event) => {
            const { value, selectionStart } = event.target;
            const isComposing = event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing;
            if (!isComposing && SEPARATORS.test(value) && selectionStart === value.length) add(value);
            else setText(value);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter" && text.trim()) {
              event.preventDefault();
              add(text);
            } else if (event.key === "Backspace" && text === "" && tags.length > 0) {
              onChange(tags.slice(0, -1));
            }
          }}
          onBlur={() => text.trim() && add(text)}
        />
      </div>
      {note && <p className={styles.note}>{note}</p>}
    </div>
  );
}
