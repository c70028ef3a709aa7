import { Select, Switch, TextField } from "../../design/Field";
import { TagInput } from "../../design/TagInput";
import { useTexts } from "../../texts/language";
import type { Fields } from "./draft";
import styles from "./EntryForm.module.css";
import {
  AT_DEPTH,
  IN_OUTLET,
  SOURCES,
  TRIGGERS,
  type WorldInfo,
  withWorldInfo,
  worldInfoOf,
} from "./worldInfo";
import { texts } from "./worldInfoTexts";

const PLACES = ["0", "1", "2", "3", "4", "5", "6", "7"] as const;
const ROLES = ["0", "1", "2"] as const;

interface WorldInfoRulesProps {
  fields: Fields;
  onChange(fields: Partial<Fields>): void;
}

/** The rules of an entry that is activated as in SillyTavern. */
export default function WorldInfoRules({ fields, onChange }: WorldInfoRulesProps) {
  const t = useTexts(texts);
  const said = worldInfoOf(fields);
  const change = (changed: Partial<WorldInfo>) => onChange(withWorldInfo(fields, changed));
  const { characterFilter: filter } = said;
  return (
    <>
      <div className={styles.two}>
        <Select
          label={t.place}
          value={PLACES[said.position] ?? "0"}
          onChange={(place) => change({ position: Number(place) })}
          options={PLACES.map((value) => ({ value, label: t[`place${value}`] }))}
        />
        {said.position === IN_OUTLET && (
          <TextField
            label={t.outlet}
            value={said.outletName}
            onChange={(event) => change({ outletName: event.target.value })}
          />
        )}
        {said.position === AT_DEPTH && (
          <div className={styles.two}>
            <Count
              label={t.depth}
              hint={t.depthHint}
              value={said.depth}
              onChange={(depth) => change({ depth: depth ?? 4 })}
            />
            <Select
              label={t.role}
              value={ROLES[said.role] ?? "0"}
              onChange={(role) => change({ role: Number(role) })}
              options={ROLES.map((value) => ({ value, label: t[`role${value}`] }))}
            />
          </div>
        )}
      </div>
      <div className={styles.two}>
        <Count
          label={t.probability}
          max={100}
          value={said.useProbability ? said.probability : 100}
          onChange={(probability) => change({ probability: probability ?? 100, useProbability: true })}
        />
        <Count
          label={t.scanDepth}
          placeholder={t.asBook}
          value={said.scanDepth}
          onChange={(scanDepth) => change({ scanDepth })}
        />
      </div>
      <div className={styles.three}>
        {(["sticky", "cooldown", "delay"] as const).map((length) => (
          <Count
            key={length}
            label={t[length]}
            hint={t.messages}
            value={said[length]}
            onChange={(count) => change({ [length]: count })}
          />
        ))}
      </div>
      <fieldset className={styles.group}>
        <legend>{t.recursion}</legend>
        <Switch
          label={t.excludeRecursion}
          checked={said.excludeRecursion}
          onChange={(excludeRecursion) => change({ excludeRecursion })}
        />
        <Switch
          label={t.preventRecursion}
          checked={said.preventRecursion}
          onChange={(preventRecursion) => change({ preventRecursion })}
        />
        <Count
          label={t.delayUntilRecursion}
          hint={t.delayHint}
          value={said.delayUntilRecursion}
          onChange={(level) => change({ delayUntilRecursion: level ?? 0 })}
        />
      </fieldset>
      <div className={styles.two}>
        <TextField
          label={t.group}
          hint={t.groupHint}
          value={said.group}
          onChange={(event) => change({ group: event.target.value })}
        />
        <Count
          label={t.groupWeight}
          value={said.groupWeight}
          onChange={(groupWeight) => change({ groupWeight: groupWeight ?? 100 })}
        />
        <Switch
          label={t.groupOverride}
          checked={said.groupOverride}
          onChange={(groupOverride) => change({ groupOverride })}
        />
        <Switch
          label={t.ignoreBudget}
          checked={said.ignoreBudget}
          onChange={(ignoreBudget) => change({ ignoreBudget })}
        />
        <Switch
          label={t.vectorized}
          checked={said.vectorized}
          onChange={(vectorized) => change({ vectorized })}
        />
      </div>
      <TagInput
        label={t.filterNames}
        tags={[...filter.names]}
        onChange={(names) => change({ characterFilter: { ...filter, names } })}
      />
      <Switch
        label={t.filterExclude}
        checked={filter.isExclude}
        onChange={(isExclude) => change({ characterFilter: { ...filter, isExclude } })}
      />
      <fieldset className={styles.group}>
        <legend>{t.triggers}</legend>
        {TRIGGERS.map((trigger) => (
          <Switch
            key={trigger}
            label={t[trigger]}
            checked={said.triggers.includes(trigger)}
            onChange={(isOn) =>
              change({
                triggers: isOn ? [...said.triggers, trigger] : said.triggers.filter((one) => one !== trigger),
              })
            }
          />
        ))}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t.sources}</legend>
        {SOURCES.map((source) => (
          <Switch
            key={source}
            label={t[source]}
            checked={said[source]}
            onChange={(isOn) => change({ [source]: isOn })}
          />
        ))}
      </fieldset>
    </>
  );
}

interface CountProps {
  label: string;
  hint?: string;
  placeholder?: string;
  max?: number;
  value: number | null;
  onChange(value: number | null): void;
}

/** A whole number from 0 on, or none. */
function Count({ label, hint, placeholder, max = 1_000_000, value, onChange }: CountProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      placeholder={placeholder}
      type="number"
      min={0}
      max={max}
      step={1}
      value={value ?? ""}
      onChange={(event) => {
        const number = Math.round(Number(event.target.value));
        const isNone = event.target.value.trim() === "" || !Number.isFinite(number);
        onChange(isNone ? null : Math.min(max, Math.max(0, number)));
      }}
    />
  );
}
