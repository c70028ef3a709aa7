import { lazy, Suspense } from "react";
import type { LorebookEntry } from "../../client/rest";
import { Choice, Select, TextField } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { folded, wordsOf } from "./arrange";
import { ContentField } from "./ContentField";
import { CATEGORIES, LEVELS, POSITIONS } from "./choices";
import type { Fields } from "./draft";
import styles from "./EntryForm.module.css";
import { FinerRules } from "./FinerRules";
import { texts } from "./texts";

// The first route has no room for what only books of other programs have.
const WorldInfoRules = lazy(() => import("./WorldInfoRules"));

interface EntryFormProps {
  fields: Fields;
  /** Whether its book is activated as in SillyTavern. */
  isScanned: boolean;
  ownId: string | null;
  entries: LorebookEntry[];
  onChange(fields: Partial<Fields>): void;
}

export function EntryForm({ fields, isScanned, ownId, entries, onChange }: EntryFormProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const doubts = doubtsOf(fields, ownId, entries, t.doubled);
  const note = doubts.size > 0 ? t.doubledNote : null;
  const isEntity = fields.category !== "custom";
  return (
    <div className={styles.form}>
      <div className={styles.pair}>
        <TextField
          label={t.name}
          hint={t.nameHint}
          error={doubts.get(fields.entryKey) ?? null}
          value={fields.entryKey}
          maxLength={200}
          required
          onChange={(event) => onChange(renamed(fields, event.target.value))}
        />
        <TextField
          label={t.displayName}
          value={fields.displayName}
          maxLength={200}
          placeholder={fields.entryKey}
          onChange={(event) => onChange({ displayName: event.target.value })}
        />
        <Select
          label={t.category}
          value={fields.category}
          onChange={(category) => onChange({ category })}
          options={CATEGORIES.map((value) => ({ value, label: words[value] }))}
        />
      </div>
      <ContentField content={fields.content} onChange={(content) => onChange({ content })} />
      <TagInput
        label={t.keywords}
        tags={fields.keywordsJson}
        doubts={doubts}
        note={note}
        onChange={(keywordsJson) => onChange({ keywordsJson })}
      />
      {isEntity && (
        <TagInput
          label={t.aliases}
          tags={fields.aliases}
          doubts={doubts}
          onChange={(aliases) => onChange({ aliases })}
        />
      )}
      <Choice
        label={t.level}
        value={fields.aiContextLevel}
        onChange={(aiContextLevel) => onChange({ aiContextLevel })}
        options={LEVELS.map((value) => ({ value, label: words[value] }))}
      />
      {!isScanned && (
        <Choice
          label={t.position}
          value={fields.insertionPosition}
          onChange={(insertionPosition) => onChange({ insertionPosition })}
          options={POSITIONS.map((value) => ({ value, label: words[value] }))}
        />
      )}
      <div className={styles.numbers}>
        <div className={styles.priority}>
          <TextField
            label={t.priority}
            type="number"
            step={1}
            value={fields.priority}
            onChange={(event) => onChange({ priority: wholeNumber(event.target.value, fields.priority) })}
          />
          <input
            type="range"
            aria-label={t.priority}
            min={0}
            max={100}
            value={Math.min(100, Math.max(0, fields.priority))}
            onChange={(event) => onChange({ priority: Number(event.target.value) })}
          />
        </div>
        <TextField
          label={t.budget}
          type="number"
          min={1}
          max={100_000}
          step={50}
          value={fields.tokenBudget}
          onChange={(event) =>
            onChange({ tokenBudget: Math.min(100_000, Math.max(1, wholeNumber(event.target.value, 500))) })
          }
        />
      </div>
      {isScanned && (
        <details className={styles.finer}>
          <summary>{t.worldInfo}</summary>
          <div className={styles.inside}>
            <Suspense>
              <WorldInfoRules fields={fields} onChange={onChange} />
            </Suspense>
          </div>
        </details>
      )}
      <FinerRules entryId={ownId} fields={fields} onChange={onChange} />
    </div>
  );
}

/** A display name that was the key stays the key. */
function renamed(fields: Fields, entryKey: string): Partial<Fields> {
  return fields.displayName === fields.entryKey ? { entryKey, displayName: entryKey } : { entryKey };
}

export function wholeNumber(text: string, otherwise: number): number {
  const number = Math.round(Number(text));
  return text.trim() !== "" && Number.isFinite(number) ? number : otherwise;
}

/** The words of this entry that call others, too, and which. */
export function doubtsOf(
  fields: Fields,
  ownId: string | null,
  entries: readonly LorebookEntry[],
  tell: (names: string) => string,
): Map<string, string> {
  const mine = new Map(wordsOf(fields).map((word) => [folded(word), word]));
  const found = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.id === ownId) continue;
    for (const word of new Set(wordsOf(entry).map(folded))) {
      const own = mine.get(word);
      if (own) found.set(own, [...(found.get(own) ?? []), entry.displayName]);
    }
  }
  return new Map([...found].map(([word, names]) => [word, tell(names.join(", "))]));
}
