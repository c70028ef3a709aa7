import { useId, useState } from "react";
import { Button, IconButton } from "../design/Button";
import { TextField } from "../design/Field";
import { TagInput } from "../design/TagInput";
import { glossary } from "../texts/glossary";
import { inBoth, useTexts } from "../texts/language";
import styles from "./Attributes.module.css";

const MOST_KEYS = 200;

const texts = inBoth({
  attributes: ["Attributes", "属性"],
  attribute: ["Attribute", "属性名"],
  value: ["Value", "值"],
  addAttribute: ["Add an attribute", "添加属性"],
  toList: [(name: string) => `Make ${name} a list`, (name: string) => `将“${name}”改为列表`],
  taken: ["There is one of this name already.", "已有同名属性。"],
  tooMany: [(most: number) => `At most ${most} attributes.`, (most: number) => `最多 ${most} 个属性。`],
});

/** A value as it is typed: plain text, or JSON for what is more than text. */
export const typedValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** What was typed as a value: what was text stays text, the rest is JSON if it can be. */
export function valueTyped(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Scalar = string | number | boolean;

/** A value that is a list of plain things; null for everything else. */
export const listIn = (value: unknown): Scalar[] | null =>
  Array.isArray(value) && value.every((one) => ["string", "number", "boolean"].includes(typeof one))
    ? value
    : null;

/** A list after its items were edited as words: those that were there stay what they were. */
export const listTyped = (words: readonly string[], before: readonly Scalar[]): Scalar[] =>
  words.map((word) => before.find((one) => String(one) === word) ?? word);

const BETWEEN = /\s*[,，、;；]\s*/;

interface AttributesProps {
  attributes: Record<string, unknown>;
  onChange(attributes: Record<string, unknown>): void;
}

/** Open facts: any name, any value. */
export function Attributes({ attributes, onChange }: AttributesProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const list = useId();
  const pairs = Object.entries(attributes);
  const put = (at: number, key: string, value: unknown) =>
    onChange(Object.fromEntries(pairs.map((pair, place) => (place === at ? [key, value] : pair))));
  return (
    <fieldset>
      <legend className={styles.legend}>{t.attributes}</legend>
      <div className={styles.attributes}>
        {pairs.map(([key, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name itself is being edited
          <div key={`${list}${place}`} className={styles.attribute}>
            <AttributeName
              name={key}
              isTaken={(name) => Object.hasOwn(attributes, name)}
              onChange={(name) => put(place, name, value)}
            />
            <AttributeValue name={key} value={value} onChange={(next) => put(place, key, next)} />
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
            disabled={Object.hasOwn(attributes, "") || pairs.length >= MOST_KEYS}
            onClick={() => onChange({ ...attributes, "": "" })}
          >
            {t.addAttribute}
          </Button>
          {pairs.length >= MOST_KEYS && <p className={styles.warn}>{t.tooMany(MOST_KEYS)}</p>}
        </div>
      </div>
    </fieldset>
  );
}

interface AttributeValueProps {
  name: string;
  value: unknown;
  onChange(value: unknown): void;
}

/** The value of an attribute: a list item by item, text as text, the rest as JSON. */
function AttributeValue({ name, value, onChange }: AttributeValueProps) {
  const t = useTexts(texts);
  const label = `${t.value}: ${name}`;
  const list = listIn(value);
  if (list !== null)
    return (
      <TagInput
        label={label}
        quiet
        tags={list.map(String)}
        onChange={(words) => onChange(listTyped(words, list))}
      />
    );
  return (
    <div className={styles.value}>
      <TextField
        quiet
        label={label}
        value={typedValue(value)}
        onChange={(event) => onChange(valueTyped(event.target.value, value))}
      />
      {typeof value === "string" && value !== "" && (
        <IconButton
          icon="list"
          label={t.toList(name)}
          onClick={() => onChange(value.split(BETWEEN).filter(Boolean))}
        />
      )}
    </div>
  );
}

interface AttributeNameProps {
  name: string;
  isTaken(name: string): boolean;
  onChange(name: string): void;
}

/** The name of an attribute: on the way to another one it may be one that is taken, and no letter is lost. */
function AttributeName({ name, isTaken, onChange }: AttributeNameProps) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      quiet
      label={t.attribute}
      value={typed ?? name}
      error={typed === null ? null : t.taken}
      onChange={({ target: { value } }) => {
        const isWaiting = value !== name && isTaken(value);
        setTyped(isWaiting ? value : null);
        if (!isWaiting) onChange(value);
      }}
    />
  );
}
