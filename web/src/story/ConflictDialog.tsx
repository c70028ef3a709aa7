import { useState } from "react";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { Choice, TextArea } from "../design/Field";
import { glossary } from "../texts/glossary";
import { inBoth, useTexts } from "../texts/language";
import styles from "./ConflictDialog.module.css";
import { combined, merge } from "./versions";

const texts = inBoth({
  title: [(name: string) => `Two versions of ${name}`, (name: string) => `“${name}”有两个版本`],
  why: [
    "It was changed elsewhere while you were writing. Choose what to keep; nothing of yours is lost until you save.",
    "你编辑时它在别处被修改了。请选择要保留的内容；保存之前你的文字不会丢失。",
  ],
  agreed: ["You have changed different things: both are kept.", "双方修改的是不同内容，会一并保留。"],
  mine: ["Mine", "我的"],
  theirs: ["Theirs", "对方的"],
  both: ["Both", "两者"],
  allMine: ["Keep mine", "全部用我的"],
  allTheirs: ["Take theirs", "全部用对方的"],
  saveMerged: ["Save this", "保存此结果"],
  empty: ["(empty)", "（空）"],
});

type Side = "mine" | "theirs" | "both";

interface ConflictDialogProps<T extends object> {
  name: string;
  /** What can be in dispute, and how it is called. */
  labels: Readonly<Record<keyof T & string, string>>;
  /** The field with running text. */
  prose: keyof T & string;
  /** The other fields of which both sides can be kept together. */
  joinable: readonly (keyof T)[];
  /** How values are read that are no plain text. */
  shown?: { readonly [Field in keyof T]?: (value: T[Field]) => string };
  base: T;
  mine: T;
  theirs: T;
  onSave(merged: T): void;
  onTakeTheirs(): void;
  onClose(): void;
}

/** A value as it is read. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Two versions side by side, and the one that will be saved. */
export function ConflictDialog<T extends object>(props: ConflictDialogProps<T>) {
  const { name, labels, prose, joinable, shown, base, mine, theirs, onSave, onTakeTheirs, onClose } = props;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const fields = Object.keys(labels) as (keyof T & string)[];
  const { merged, disputed } = merge(fields, base, mine, theirs);
  const [sides, setSides] = useState<Partial<Record<keyof T, Side>>>({});
  const [text, setText] = useState<string | null>(null);
  const both = (field: keyof T) =>
    field === prose || joinable.includes(field) ? combined(mine[field], theirs[field]) : null;
  const read = (field: keyof T, side: T) => shown?.[field]?.(side[field]) ?? shownValue(side[field]);
  const chosen: T = { ...merged };
  for (const field of disputed) {
    const side = sides[field] ?? "mine";
    const value = side === "both" ? both(field) : (side === "mine" ? mine : theirs)[field];
    chosen[field] = value as T[keyof T];
  }
  if (text !== null) chosen[prose] = text as T[keyof T & string];
  return (
    <Dialog
      title={t.title(name)}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button onClick={onTakeTheirs}>{t.allTheirs}</Button>
          <Button onClick={() => onSave(mine)}>{t.allMine}</Button>
          <Button look="primary" onClick={() => onSave(chosen)}>
            {t.saveMerged}
          </Button>
        </>
      }
    >
      <p>{t.why}</p>
      {disputed.length === 0 && <p>{t.agreed}</p>}
      {disputed.map((field) => (
        <section key={String(field)} className={styles.field}>
          <Choice<Side>
            label={labels[field as keyof T & string]}
            value={sides[field] ?? "mine"}
            onChange={(side) => {
              setSides({ ...sides, [field]: side });
              if (field === prose) setText(null);
            }}
            options={[
              { value: "mine", label: t.mine },
              { value: "theirs", label: t.theirs },
              ...(both(field) === null ? [] : [{ value: "both" as const, label: t.both }]),
            ]}
          />
          <div className={styles.sides}>
            <div className={styles.side} data-chosen={sides[field] !== "theirs" || undefined}>
              <h3>{t.mine}</h3>
              <p>{read(field, mine) || t.empty}</p>
            </div>
            <div className={styles.side} data-chosen={(sides[field] ?? "mine") !== "mine" || undefined}>
              <h3>{t.theirs}</h3>
              <p>{read(field, theirs) || t.empty}</p>
            </div>
          </div>
        </section>
      ))}
      {disputed.includes(prose) && (
        <TextArea
          label={t.saveMerged}
          value={text ?? String(chosen[prose])}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Dialog>
  );
}
