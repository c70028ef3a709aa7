import type { AiContextLevel, Category, LorebookEntryPatch } from "../../client/rest";
import { Select, Switch, TextArea, TextField } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Proposal.module.css";
import { texts } from "./texts";

const LEVELS: readonly AiContextLevel[] = ["always", "when_detected", "manual_only", "never"];

/** What a reviewer changes of a newcomer before approving. */
export interface Adjustment {
  readonly name: string;
  readonly content: string;
  readonly level: AiContextLevel;
  readonly createEntry: boolean;
  /** What it is, if it is not what it was taken for. */
  readonly type: Category | null;
}

export const untouched = (name: string): Adjustment => ({
  name,
  content: "",
  level: "when_detected",
  createEntry: true,
  type: null,
});

/** What is sent of it: only what the reviewer said. */
export function overridesOf(adjustment: Adjustment, name: string): LorebookEntryPatch | null {
  const changed: LorebookEntryPatch = {};
  const called = adjustment.name.trim();
  if (called !== "" && called !== name) {
    changed.entryKey = called;
    changed.displayName = called;
  }
  if (adjustment.content.trim() !== "") changed.content = adjustment.content;
  if (adjustment.type !== null) changed.category = adjustment.type;
  if (adjustment.level !== "when_detected") changed.aiContextLevel = adjustment.level;
  return Object.keys(changed).length === 0 || !adjustment.createEntry ? null : changed;
}

interface AdjustProps {
  adjustment: Adjustment;
  onChange(adjustment: Adjustment): void;
}

export function Adjust({ adjustment, onChange }: AdjustProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const change = (changed: Partial<Adjustment>) => onChange({ ...adjustment, ...changed });
  return (
    <details className={styles.fold}>
      <summary>{t.adjust}</summary>
      <div className={styles.adjust}>
        <Switch
          label={t.createEntry}
          checked={adjustment.createEntry}
          onChange={(createEntry) => change({ createEntry })}
        />
        {adjustment.createEntry && (
          <>
            <div className={styles.two}>
              <TextField
                label={t.name}
                maxLength={200}
                value={adjustment.name}
                onChange={(event) => change({ name: event.target.value })}
              />
              <Select
                label={t.level}
                value={adjustment.level}
                onChange={(level) => change({ level })}
                options={LEVELS.map((value) => ({ value, label: words[value] }))}
              />
            </div>
            <TextArea
              label={t.content}
              hint={t.contentHint}
              value={adjustment.content}
              onChange={(event) => change({ content: event.target.value })}
            />
          </>
        )}
      </div>
    </details>
  );
}
