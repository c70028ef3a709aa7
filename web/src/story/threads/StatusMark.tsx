import type { ThreadStatus } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Threads.module.css";
import { texts } from "./texts";

/** Where a thread stands: a word with its colour. */
export function StatusMark({ status }: { status: ThreadStatus }) {
  const t = useTexts(texts);
  return (
    <span className={styles.status} data-status={status}>
      {t[status]}
    </span>
  );
}
