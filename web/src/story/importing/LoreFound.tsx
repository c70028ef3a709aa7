import type { ImportFileResponse } from "../../client/rest";
import { useTexts } from "../../texts/language";
import styles from "./Importing.module.css";
import { texts } from "./texts";

/** What becomes of a lorebook or card of another program: what runs, what is kept, and what is there already. */
export function LoreFound({ found }: { found: ImportFileResponse }) {
  const t = useTexts(texts);
  const { runs = {}, ignored = {}, kept = {}, collisions = [], collisionCount = 0 } = found;
  return (
    <div className={styles.lore}>
      <Fields title={t.runs} note={t.runsNote} counts={runs} />
      <Fields title={t.ignored} note={t.ignoredNote} counts={ignored} isOpen />
      <Fields title={t.kept} note={t.keptNote} counts={kept} />
      {collisionCount > 0 && (
        <details className={styles.group} open>
          <summary>{t.collisions(collisionCount)}</summary>
          <ul className={styles.errors}>
            {collisions.map((name) => (
              <li key={name}>{name}</li>
            ))}
            {collisionCount > collisions.length && (
              <li>{t.moreErrors(collisionCount - collisions.length)}</li>
            )}
          </ul>
        </details>
      )}
    </div>
  );
}

interface FieldsProps {
  title: string;
  note: string;
  counts: Readonly<Record<string, number>>;
  isOpen?: boolean;
}

function Fields({ title, note, counts, isOpen = false }: FieldsProps) {
  const t = useTexts(texts);
  const names = Object.entries(counts);
  if (names.length === 0) return null;
  return (
    <details className={styles.group} open={isOpen}>
      <summary>
        {title} <span className={styles.count}>{t.fields(names.length)}</span>
      </summary>
      <p className={styles.note}>{note}</p>
      <ul className={styles.fields}>
        {names.map(([name, count]) => (
          <li key={name}>
            <code>{name}</code> <span>{t.inEntries(count)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
