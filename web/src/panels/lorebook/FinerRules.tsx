import { useId } from "react";
import type { ActivationRules, Moment } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Select, Switch, TextField } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import type { Fields } from "./draft";
import styles from "./EntryForm.module.css";
import { texts } from "./texts";

const LOGICS = ["and_any", "and_all", "not_any", "not_all"] as const;

interface FinerRulesProps {
  fields: Fields;
  onChange(fields: Partial<Fields>): void;
}

/** What most entries do without, folded away. */
export function FinerRules({ fields, onChange }: FinerRulesProps) {
  const t = useTexts(texts);
  const { rules } = fields;
  const change = (changed: Partial<ActivationRules>) => onChange({ rules: { ...rules, ...changed } });
  return (
    <details className={styles.finer}>
      <summary>{t.finer}</summary>
      <div className={styles.inside}>
        {fields.category !== "custom" && (
          <Facts facts={fields.attributes} onChange={(attributes) => onChange({ attributes })} />
        )}
        <div className={styles.two}>
          <Switch
            label={t.caseSensitive}
            checked={rules.caseSensitive ?? false}
            onChange={(caseSensitive) => change({ caseSensitive })}
          />
          <Switch
            label={t.insideWords}
            checked={rules.wholeWord === false}
            onChange={(isInside) => change({ wholeWord: isInside ? false : null })}
          />
        </div>
        <TagInput
          label={t.secondary}
          tags={rules.secondaryKeywords ?? []}
          onChange={(secondaryKeywords) => change({ secondaryKeywords })}
        />
        <Select
          label={t.secondaryLogic}
          value={rules.secondaryLogic ?? "and_any"}
          onChange={(secondaryLogic) => change({ secondaryLogic })}
          options={LOGICS.map((value) => ({ value, label: t[value] }))}
        />
        <TagInput
          label={t.exclude}
          tags={rules.excludeKeywords ?? []}
          onChange={(excludeKeywords) => change({ excludeKeywords })}
        />
        <div className={styles.two}>
          <Chapter label={t.since} moment={fields.since} onChange={(since) => onChange({ since })} />
          <Chapter label={t.until} moment={fields.until} onChange={(until) => onChange({ until })} />
        </div>
      </div>
    </details>
  );
}

function Chapter({
  label,
  moment,
  onChange,
}: {
  label: string;
  moment: Moment | null;
  onChange(moment: Moment | null): void;
}) {
  const t = useTexts(texts);
  return (
    <TextField
      label={label}
      hint={t.chapterHint}
      type="number"
      min={0}
      step={1}
      value={moment?.chapter ?? ""}
      onChange={(event) => {
        const chapter = Number.parseInt(event.target.value, 10);
        onChange(Number.isNaN(chapter) || chapter < 0 ? null : { chapter });
      }}
    />
  );
}

/** A value of an attribute as it is typed: plain text, or JSON for what is more than text. */
export const factText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

export function factOf(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function Facts({
  facts,
  onChange,
}: {
  facts: Record<string, unknown>;
  onChange(facts: Record<string, unknown>): void;
}) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const list = useId();
  const pairs = Object.entries(facts);
  const put = (at: number, key: string, value: unknown) =>
    onChange(Object.fromEntries(pairs.map((pair, place) => (place === at ? [key, value] : pair))));
  return (
    <fieldset>
      <legend className={styles.legend}>{t.facts}</legend>
      <div className={styles.facts}>
        {pairs.map(([key, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is being edited
          <div key={`${list}${place}`} className={styles.fact}>
            <TextField
              quiet
              label={t.factName}
              value={key}
              onChange={(event) => {
                if (!(event.target.value in facts)) put(place, event.target.value, value);
              }}
            />
            <TextField
              quiet
              label={`${t.factValue}: ${key}`}
              value={factText(value)}
              onChange={(event) => put(place, key, factOf(event.target.value, value))}
            />
            <IconButton
              icon="close"
              label={`${words.delete}: ${key}`}
              onClick={() => onChange(Object.fromEntries(pairs.filter((_, other) => other !== place)))}
            />
          </div>
        ))}
        <div>
          <Button
            size="small"
            icon="plus"
            disabled={"" in facts}
            onClick={() => onChange({ ...facts, "": "" })}
          >
            {t.addFact}
          </Button>
        </div>
      </div>
    </fieldset>
  );
}
