import { useLanguage } from "../texts/language";
import styles from "./Confidence.module.css";

export const HIGH = 0.9;
export const LOW = 0.5;

/** How sure something is: a bar, and the number beside it. */
export function Confidence({ label, value }: { label: string; value: number }) {
  const language = useLanguage();
  const look = value >= HIGH ? "high" : value < LOW ? "low" : "middle";
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(value);
  return (
    <span className={styles.confidence} data-look={look}>
      <span
        className={styles.bar}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(value * 100)}
        aria-valuetext={percent}
      >
        <span style={{ width: `${value * 100}%` }} />
      </span>
      <span className={styles.figure} aria-hidden="true">
        {percent}
      </span>
    </span>
  );
}
