import { useLanguage } from "../texts/language";
import styles from "./Meter.module.css";

interface MeterProps {
  label: string;
  value: number;
  limit: number;
  /** The value is being counted again. */
  pending?: boolean;
}

/** How much of a limit is used; over it, the bar is full and red. */
export function Meter({ label, value, limit, pending = false }: MeterProps) {
  const language = useLanguage();
  const number = new Intl.NumberFormat(language);
  const isOver = value > limit;
  return (
    <div className={styles.meter} data-over={isOver || undefined} data-pending={pending || undefined}>
      <span className={styles.label}>{label}</span>
      <span className={styles.figures}>
        <strong>{number.format(value)}</strong> / {number.format(limit)}
      </span>
      <progress max={limit} value={Math.min(value, limit)} aria-label={label} />
    </div>
  );
}
