import type { ActivationRules, Moment } from "../../client/rest";
import { Select, Switch, TextField } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { Attributes } from "../../story/Attributes";
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
          <Attributes attributes={fields.attributes} onChange={(attributes) => onChange({ attributes })} />
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
