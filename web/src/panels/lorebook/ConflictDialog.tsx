import { useState } from "react";
import type { LorebookEntry } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, TextArea } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./ConflictDialog.module.css";
import { combined, type Field, type Fields, fieldsOf, merge } from "./draft";
import { factText } from "./FinerRules";
import { texts } from "./texts";

interface ConflictDialogProps {
  base: Fields;
  mine: Fields;
  theirs: LorebookEntry;
  onSave(merged: Fields): void;
  onTakeTheirs(): void;
  onClose(): void;
}

type Side = "mine" | "theirs" | "both";

/** Two versions of an entry side by side, and the one that will be saved. */
export function ConflictDialog({ base, mine, theirs, onSave, onTakeTheirs, onClose }: ConflictDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const other = fieldsOf(theirs);
  const { merged, disputed } = merge(base, mine, other);
  const [sides, setSides] = useState<Partial<Record<Field, Side>>>({});
  const [content, setContent] = useState<string | null>(null);
  const chosenValue = (field: Field): unknown => {
    const side = sides[field] ?? "mine";
    if (side === "both") return combined(field, mine, other);
    return side === "mine" ? mine[field] : other[field];
  };
  const chosen = {
    ...merged,
    ...Object.fromEntries(disputed.map((field) => [field, chosenValue(field)])),
    ...(content === null ? {} : { content }),
  } as Fields;
  const names: Partial<Record<Field, string>> = {
    entryKey: t.name,
    displayName: t.displayName,
    category: t.category,
    content: t.content,
    keywordsJson: t.keywords,
    aliases: t.aliases,
    attributes: t.facts,
    priority: t.priority,
    enabled: t.enabled,
    insertionPosition: t.position,
    tokenBudget: t.budget,
    aiContextLevel: t.levelShort,
    since: t.since,
    until: t.until,
  };
  const shown = (value: unknown) =>
    (Array.isArray(value) ? value.join(", ") : factText(value)) || t.emptyValue;
  return (
    <Dialog
      title={t.conflict}
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
      <p>{t.conflictWhy}</p>
      {disputed.map((field) => (
        <section key={field} className={styles.field}>
          <Choice<Side>
            label={names[field] ?? t.finer}
            value={sides[field] ?? "mine"}
            onChange={(side) => {
              setSides({ ...sides, [field]: side });
              if (field === "content") setContent(null);
            }}
            options={[
              { value: "mine", label: t.mine },
              { value: "theirs", label: t.theirs },
              ...(combined(field, mine, other) === null ? [] : [{ value: "both" as const, label: t.both }]),
            ]}
          />
          <div className={styles.sides}>
            <div className={styles.side} data-chosen={(sides[field] ?? "mine") !== "theirs" || undefined}>
              <h3>{t.mine}</h3>
              <p>{shown(mine[field])}</p>
            </div>
            <div className={styles.side} data-chosen={(sides[field] ?? "mine") !== "mine" || undefined}>
              <h3>{t.theirs}</h3>
              <p>{shown(other[field])}</p>
            </div>
          </div>
        </section>
      ))}
      {disputed.includes("content") && (
        <TextArea
          label={t.saveMerged}
          value={content ?? String(chosen.content)}
          onChange={(event) => setContent(event.target.value)}
        />
      )}
    </Dialog>
  );
}
