import { useQuery } from "@tanstack/react-query";
import { listWaiversOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Trouble } from "../../design/states";
import { type Mending, useRuleName } from "../../story/findings/findings";
import { texts as findingTexts } from "../../story/findings/texts";
import { useTexts } from "../../texts/language";
import styles from "./Checks.module.css";
import { texts } from "./texts";

/** What is marked as intended, why, and a way to have it reported again. */
export function Waivers({ storyId, mending }: { storyId: string; mending: Mending }) {
  const t = useTexts(texts);
  const words = useTexts(findingTexts);
  const ruleName = useRuleName();
  const waivers = useQuery(listWaiversOptions({ path: { storyId } }));
  if (waivers.error) return <Trouble error={waivers.error} onRetry={() => void waivers.refetch()} />;
  if (!waivers.data) return <Loading />;
  if (waivers.data.items.length === 0)
    return (
      <Empty icon="shield" title={t.noWaivers}>
        {t.noWaiversNext}
      </Empty>
    );
  return (
    <ul className={styles.list} aria-label={t.waivers}>
      {waivers.data.items.map(({ id, rule, hereQuotation, thereQuotation, reason }) => (
        <li key={id} className={styles.finding}>
          <p className={styles.message}>{ruleName(rule)}</p>
          <p>{reason || <span className={styles.quiet}>{t.noReason}</span>}</p>
          <dl className={styles.quotations}>
            {hereQuotation !== "" && (
              <div>
                <dt>{words.here}</dt>
                <dd>{hereQuotation}</dd>
              </div>
            )}
            {thereQuotation !== "" && (
              <div>
                <dt>{words.there}</dt>
                <dd>{thereQuotation}</dd>
              </div>
            )}
          </dl>
          <div>
            <Button size="small" onClick={() => void mending.report(id)}>
              {words.report}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
