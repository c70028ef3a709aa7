import { z } from "zod";
import { Notice } from "../../design/states";
import { problemOf } from "../../server/problem";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { refusals } from "./refusals";
import { texts } from "./texts";

const zErrors = z.array(
  z.object({ message: z.string(), path: z.string().optional(), line: z.number().optional() }),
);

const zDetails = z.object({
  limit: z.number().optional().catch(undefined),
  count: z.number().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
});

/** What happened where the server gives no reason; it says the rest. */
const SAID = {
  VALIDATION_ERROR: "notKnown",
  PAYLOAD_TOO_LARGE: "tooLarge",
  FORBIDDEN: "notAllowed",
} as const;

/** Why a file was refused: what it is, what to do, and every place where something is wrong. */
export function Refusal({ error }: { error: unknown }) {
  const t = useTexts(texts);
  const because = useTexts(refusals);
  const { code, message, suggestion, details } = problemOf(error);
  const errors = zErrors.catch([]).parse(details.errors);
  const count = typeof details.errorCount === "number" ? details.errorCount : errors.length;
  const reason =
    typeof details.reason === "string" && Object.hasOwn(refusals, details.reason)
      ? because[details.reason as keyof typeof refusals]
      : null;
  const known = code in SAID ? t[SAID[code as keyof typeof SAID]] : null;
  const told = typeof reason === "function" ? reason(zDetails.parse(details)) : (reason ?? known);
  return (
    <Notice look="danger">
      {told && <p>{told}</p>}
      <p>
        <code>{code}</code> {message}
      </p>
      {reason === null && suggestion && <p>{suggestion}</p>}
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
