import type { ImportProblem } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { texts } from "./texts";

/** The entries of a lorebook that cannot be taken in, and why. */
export function Problems({ problems, count }: { problems: readonly ImportProblem[]; count: number }) {
  const t = useTexts(texts);
  if (count === 0) return null;
  return (
    <>
      <p>{t.problems(count)}</p>
      <ul className={styles.errors}>
        {problems.map(({ index, entryKey, message }) => (
          <li key={index}>
            {index + 1}. {entryKey} — {message}
          </li>
        ))}
        {count > problems.length && <li>{t.moreErrors(count - problems.length)}</li>}
      </ul>
    </>
  );
}
