import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "../../design/Button";
import { Switch } from "../../design/Field";
import { Marked, placesOf } from "../../design/Marked";
import { Empty, Loading, Trouble } from "../../design/states";
import { COVERS_WANTED } from "../../story/addresses";
import { useTexts } from "../../texts/language";
import styles from "./Covers.module.css";
import groups from "./Settings.module.css";
import { texts } from "./texts";
import { useCovers } from "./useCovers";

const SHOWN = 30;

/** Names in which a secret stands; there only where there are such names, or somebody came for them. */
export function Covers({ storyId }: { storyId: string }) {
  const t = useTexts(texts);
  const [params] = useSearchParams();
  const isWanted = params.has(COVERS_WANTED);
  const { pairs, error, retry, isTold, confirm } = useCovers(storyId);
  const [limit, setLimit] = useState(SHOWN);
  const section = useRef<HTMLElement>(null);
  const isThere = pairs !== null;
  useEffect(() => {
    if (isWanted && isThere) section.current?.focus();
  }, [isWanted, isThere]);
  if (pairs === null && error === null) return <Loading rows={1} />;
  if (pairs?.length === 0 && !isWanted) return null;
  const rest = (pairs?.length ?? 0) - limit;
  return (
    <section ref={section} className={groups.group} tabIndex={-1} aria-labelledby="covers">
      <h2 id="covers">{t.covers}</h2>
      {pairs === null ? (
        <Trouble error={error} onRetry={retry} />
      ) : pairs.length === 0 ? (
        <Empty icon="lock" title={t.noCovers}>
          {t.noCoversWhy}
        </Empty>
      ) : (
        <>
          <p>{t.coversWhy}</p>
          <ul className={styles.pairs}>
            {pairs.slice(0, limit).map((pair) => (
              <li key={`${pair.name}\n${pair.hidden}`} className={styles.pair}>
                <span className={styles.name}>
                  <Marked text={pair.name} spans={placesOf(pair.name, [pair.hidden])} />
                </span>
                <span className={styles.why}>
                  {[t.contains(pair.hidden), ...pair.origins.map((origin) => t[origin])].join(" · ")}
                </span>
                <Switch
                  label={t.mayBeTold}
                  said={t.mayBeToldOf(pair.name, pair.hidden)}
                  checked={isTold(pair)}
                  disabled={pair.isAuthors}
                  onChange={(isConfirmed) => confirm(pair, isConfirmed)}
                />
              </li>
            ))}
          </ul>
          {rest > 0 && (
            <div>
              <Button size="small" look="quiet" onClick={() => setLimit(limit + 10 * SHOWN)}>
                {t.more(rest)}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
