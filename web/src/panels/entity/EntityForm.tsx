import type { AiContextLevel } from "../../client/rest";
import { Choice, Select, TextArea, TextField } from "../../design/Field";
import { NODE_TYPES } from "../../design/NodeMark";
import { TagInput } from "../../design/TagInput";
import { Attributes } from "../../story/Attributes";
import { MomentField } from "../../story/MomentField";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import type { Fields } from "./entity";
import { texts } from "./texts";

export const LEVELS: readonly AiContextLevel[] = ["always", "when_detected", "manual_only", "never"];
const TYPES = NODE_TYPES.filter((type) => type !== "custom");

interface EntityFormProps {
  storyId: string;
  fields: Fields;
  nameProblem: string | null;
  onChange(fields: Partial<Fields>): void;
}

/** What one can write of an entity. */
export function EntityForm({ storyId, fields, nameProblem, onChange }: EntityFormProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const percent = new Intl.NumberFormat(useLanguage(), { style: "percent" });
  const typeName = (type: string) => {
    const known = TYPES.find((one) => one === type);
    return known ? words[known] : type === "unknown" ? t.unknown : type;
  };
  const types = [...new Set<string>([...TYPES, "unknown", fields.type])];
  return (
    <div className={styles.form}>
      <div className={styles.pair}>
        <TextField
          label={t.name}
          maxLength={256}
          error={nameProblem}
          value={fields.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Select
          label={t.type}
          value={fields.type}
          disabled={fields.type === "event"}
          onChange={(type) => onChange({ type })}
          options={types
            .filter((type) => type !== "event" || fields.type === "event")
            .map((type) => ({ value: type, label: typeName(type) }))}
        />
      </div>
      <TextArea
        label={t.description}
        placeholder={t.descriptionHint}
        maxLength={65_536}
        value={fields.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <TagInput label={t.aliases} tags={fields.aliases} onChange={(aliases) => onChange({ aliases })} />
      <Attributes attributes={fields.attributes} onChange={(attributes) => onChange({ attributes })} />
      <Choice<AiContextLevel>
        label={t.level}
        value={fields.aiContextLevel}
        onChange={(aiContextLevel) => onChange({ aiContextLevel })}
        options={LEVELS.map((value) => ({ value, label: words[value] }))}
      />
      <details className={styles.finer}>
        <summary>{t.finer}</summary>
        <div className={styles.form}>
          <label className={styles.range}>
            <span className={styles.legend}>
              {t.significance}: {percent.format(fields.significance)}
            </span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={fields.significance}
              onChange={(event) => onChange({ significance: Number(event.target.value) })}
            />
          </label>
          <MomentField
            storyId={storyId}
            label={t.since}
            moment={fields.since}
            none={t.always}
            onChange={(since) => onChange({ since })}
          />
          <MomentField
            storyId={storyId}
            label={t.until}
            moment={fields.until}
            none={t.forever}
            onChange={(until) => onChange({ until })}
          />
        </div>
      </details>
    </div>
  );
}
