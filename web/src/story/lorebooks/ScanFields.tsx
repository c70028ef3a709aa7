import type { ScanSettings } from "../../client/rest";
import { Select, Switch, TextField } from "../../design/Field";
import { useTexts } from "../../texts/language";
import styles from "./ScanFields.module.css";
import { texts } from "./texts";

const NUMBERS = [
  ["scanDepth", 1_000],
  ["budgetPercent", 100],
  ["budgetCap", 1_000_000],
  ["maxContext", 10_000_000],
  ["maxRecursionSteps", 1_000],
  ["minActivations", 1_000],
  ["minActivationsDepthMax", 1_000],
] as const;
const SWITCHES = [
  "recursive",
  "matchWholeWords",
  "caseSensitive",
  "includeNames",
  "useGroupScoring",
] as const;

type NumberName = (typeof NUMBERS)[number][0];

interface ScanFieldsProps {
  settings: ScanSettings;
  /** Settings that do not count where these are asked for. */
  without?: readonly NumberName[];
  onChange(changed: ScanSettings): void;
}

/** The settings by which a book is scanned, as SillyTavern has them. */
export function ScanFields({ settings, without = [], onChange }: ScanFieldsProps) {
  const t = useTexts(texts);
  return (
    <div className={styles.fields}>
      <div className={styles.numbers}>
        {NUMBERS.filter(([name]) => !without.includes(name)).map(([name, most]) => (
          <TextField
            key={name}
            type="number"
            label={t[name]}
            min={0}
            max={most}
            step={1}
            value={settings[name] ?? 0}
            onChange={(event) => {
              const number = Math.round(Number(event.target.value));
              if (Number.isFinite(number)) onChange({ [name]: Math.min(most, Math.max(0, number)) });
            }}
          />
        ))}
      </div>
      <Select
        label={t.characterStrategy}
        value={String(settings.characterStrategy ?? 1)}
        options={[
          { value: "0", label: t.strategyEvenly },
          { value: "1", label: t.strategyCharacter },
          { value: "2", label: t.strategyGlobal },
        ]}
        onChange={(value) => onChange({ characterStrategy: Number(value) as 0 | 1 | 2 })}
      />
      <div className={styles.switches}>
        {SWITCHES.map((name) => (
          <Switch
            key={name}
            label={t[name]}
            checked={settings[name] ?? false}
            onChange={(isOn) => onChange({ [name]: isOn })}
          />
        ))}
      </div>
    </div>
  );
}
