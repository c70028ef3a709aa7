import type { ImportProblem } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { texts } from "./texts";

/** What is wrong with an entry, in the reader's language; the server says where. */
const SAID = {
  VALIDATION_ERROR: "entryInvalid",
  PAYLOAD_TOO_LARGE: "entryTooLarge",
  LORE_KEY_DUPLICATE: "entryTaken",
  KG_ENTITY_DUPLICATE: "entryTaken",
} as const;

/** The entries of a lorebook that cannot be taken in, and why. */
export function Problems({ problems, count }: { problems: readonly ImportProblem[]; count: number }) {
  const t = useTexts(texts);
  if (count === 0) return null;
  return (
    <>
      <p>{t.problems(count)}</p>
      <ul className={styles.errors}>
        {problems.map(({ index, entryKey, code, message }) => (
          <li key={index}>
            {index + 1}. {entryKey} — {code in SAID && t[SAID[code as keyof typeof SAID]]} {message}
          </li>
        ))}
        {count > problems.length && <li>{t.moreErrors(count - problems.length)}</li>}
      </ul>
    </>
  );
}
