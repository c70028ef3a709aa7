import type { AiContextLevel } from "../../client/rest";
import { Choice, Range, Select, TextArea, TextField } from "../../design/Field";
import { NODE_TYPES } from "../../design/NodeMark";
import { TagInput } from "../../design/TagInput";
import { Attributes } from "../../story/Attributes";
import { PeriodFields } from "../../story/PeriodFields";
import { SecrecySwitch } from "../../story/SecrecySwitch";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import type { Fields } from "./entity";
import { Names } from "./Names";
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
      <Names storyId={storyId} names={fields.names} onChange={(names) => onChange({ names })} />
      <Attributes attributes={fields.attributes} onChange={(attributes) => onChange({ attributes })} />
      <Choice<AiContextLevel>
        label={t.level}
        value={fields.aiContextLevel}
        onChange={(aiContextLevel) => onChange({ aiContextLevel })}
        options={LEVELS.map((value) => ({ value, label: words[value] }))}
      />
      <SecrecySwitch secrecy={fields.secrecy} onChange={(secrecy) => onChange({ secrecy })} />
      <details className={styles.finer}>
        <summary>{t.finer}</summary>
        <div className={styles.form}>
          <Range
            label={t.significance}
            value={fields.significance}
            onChange={(significance) => onChange({ significance })}
          />
          <PeriodFields
            storyId={storyId}
            since={fields.since}
            until={fields.until}
            labels={{ since: t.since, until: t.until }}
            onChange={onChange}
          />
        </div>
      </details>
    </div>
  );
}
