import { useTexts } from "../../texts/language";
import styles from "./Findings.module.css";
import type { Severity } from "./findings";
import { texts } from "./texts";

/** How severe something is: a word with its colour. */
export function SeverityMark({ severity }: { severity: Severity }) {
  const t = useTexts(texts);
  return (
    <span className={styles.severity} data-severity={severity}>
      {t[severity]}
    </span>
  );
}
