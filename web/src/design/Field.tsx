import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { useId } from "react";
import { useLanguage } from "../texts/language";
import styles from "./Field.module.css";

interface Around {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** The label is only for readers of the screen. */
  quiet?: boolean;
}

function Labelled({ id, label, hint, error, quiet, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={quiet ? "visually-hidden" : styles.label}>
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-note`} className={styles.error}>
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-note`} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

const noteOf = (id: string, { hint, error }: Around) => ({
  "aria-describedby": hint || error ? `${id}-note` : undefined,
  "aria-invalid": error ? true : undefined,
});

export function TextField({
  label,
  hint,
  error,
  quiet,
  id: given,
  ...rest
}: Around & InputHTMLAttributes<HTMLInputElement>) {
  const own = useId();
  const id = given ?? own;
  return (
    <Labelled {...{ id, label, hint, error, quiet }}>
      <input id={id} className={styles.control} {...noteOf(id, { label, hint, error })} {...rest} />
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  quiet,
  ...rest
}: Around & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, quiet }}>
      <textarea
        id={id}
        className={`${styles.control} ${styles.area}`}
        {...noteOf(id, { label, hint, error })}
        {...rest}
      />
    </Labelled>
  );
}

interface Option<T extends string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "value"> {
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
}

export function Select<T extends string>({
  label,
  hint,
  error,
  quiet,
  options,
  onChange,
  ...rest
}: Around & SelectProps<T>) {
  const id = useId();
  return (
    <Labelled {...{ id, label, hint, error, quiet }}>
      <select
        id={id}
        className={`${styles.control} ${styles.select}`}
        {...noteOf(id, { label, hint, error })}
        {...rest}
        onChange={(event) => {
          const chosen = options.find(({ value }) => value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map(({ value, label: shown }) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly (Option<T> & { hint?: string; disabled?: boolean })[];
  onChange(value: T): void;
  /** Said below all of them. */
  hint?: string | undefined;
  /** The label is only for readers of the screen. */
  quiet?: boolean;
}

/** One of a few, all in sight. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  quiet = false,
}: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.field} aria-describedby={hint ? `${name}-note` : undefined}>
      <legend className={quiet ? "visually-hidden" : styles.label}>{label}</legend>
      <div className={styles.choices}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice} title={option.hint}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${name}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

interface RangeProps {
  label: string;
  value: number;
  onChange(value: number): void;
}

/** A share from nothing to all of it. */
export function Range({ label, value, onChange }: RangeProps) {
  const percent = new Intl.NumberFormat(useLanguage(), { style: "percent" });
  return (
    <label className={styles.field}>
      <span className={styles.label}>
        {label}: {percent.format(value)}
      </span>
      <input
        type="range"
        className={styles.range}
        min={0}
        max={1}
        step={0.01}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}

interface SwitchProps {
  label: string;
  /** What readers of the screen hear, where several switches have the same label; it begins with the label. */
  said?: string;
  disabled?: boolean;
  checked: boolean;
  onChange(checked: boolean): void;
}

export function Switch({ label, said, disabled, checked, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-label={said}
        aria-checked={checked}
        disabled={disabled}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.track} aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}
