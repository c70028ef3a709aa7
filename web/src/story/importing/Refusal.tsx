import { z } from "zod";
import { Notice } from "../../design/states";
import { problemOf } from "../../server/problem";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { texts } from "./texts";

const zErrors = z.array(
  z.object({ message: z.string(), path: z.string().optional(), line: z.number().optional() }),
);

/** Why a file was refused: what it is, what to do, and every place where something is wrong. */
export function Refusal({ error }: { error: unknown }) {
  const t = useTexts(texts);
  const { code, message, suggestion, details } = problemOf(error);
  const errors = zErrors.catch([]).parse(details.errors);
  const count = typeof details.errorCount === "number" ? details.errorCount : errors.length;
  return (
    <Notice look="danger">
      <p>
        <code>{code}</code> {message}
      </p>
      {suggestion && <p>{suggestion}</p>}
      {errors.length > 0 && (
        <ul className={styles.errors}>
          {errors.map((one, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown
            <li key={place}>
              {one.line !== undefined && <strong>{t.atLine(one.line)}</strong>}
              {one.path && !one.message.includes(one.path) && <code>{one.path}</code>} {one.message}
            </li>
          ))}
          {count > errors.length && <li>{t.moreErrors(count - errors.length)}</li>}
        </ul>
      )}
    </Notice>
  );
}
