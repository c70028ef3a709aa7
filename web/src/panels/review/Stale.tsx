import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { resolveStale, type StaleChoice, type StaleFact } from "../../client/rest";
import { listStaleOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Trouble } from "../../design/states";
import { act } from "../../story/act";
import { entityPage, scenePage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import { CorrectDialog } from "./CorrectDialog";
import type { Shown } from "./proposals";
import styles from "./Stale.module.css";
import { texts } from "./texts";
import { WhichChoice } from "./WhichChoice";

type Action = StaleChoice["action"];

const AT_ONCE = 1_000;
const keyOf = ({ kind, id, part }: StaleFact): string => `${kind} ${id} ${part ?? ""}`;

/** The facts whose words no longer stand in the text: as they were, as it reads now, and what to do about each. */
export function Stale({ storyId, onWhich }: { storyId: string; onWhich(which: Shown): void }) {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const entityId = params.get("entity");
  const query = entityId === null ? {} : { entityId };
  const stale = useQuery(listStaleOptions({ path: { storyId }, query }));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [corrected, setCorrected] = useState<StaleFact | null>(null);
  const facts = stale.data?.items ?? [];
  const selected = facts.filter((fact) => chosen.has(keyOf(fact)));
  const done = { confirm: t.staleConfirmed, correct: t.staleCorrected, drop: t.staleDropped };
  const resolve = async (action: Action, about: readonly StaleFact[], patch?: StaleChoice["patch"]) => {
    const items = about
      .slice(0, AT_ONCE)
      .map(({ kind, id, part }) => ({ kind, id, part, action, patch: patch ?? null }));
    const isDone = await act(storyId, done[action](items.length), () =>
      resolveStale({ path: { storyId }, body: { items } }),
    );
    if (isDone) setChosen(new Set());
    return isDone;
  };
  const toggle = (fact: StaleFact) => {
    const next = new Set(chosen);
    if (!next.delete(keyOf(fact))) next.add(keyOf(fact));
    setChosen(next);
  };
  return (
    <div className={styles.stale}>
      <header className={styles.bar}>
        <WhichChoice storyId={storyId} which="stale" onWhich={onWhich} />
        {entityId !== null && (
          <Button size="small" onClick={() => setParams({ which: "stale" })}>
            {t.staleOfAll}
          </Button>
        )}
      </header>
      {stale.error ? (
        <Trouble error={stale.error} onRetry={() => void stale.refetch()} />
      ) : !stale.data ? (
        <Loading rows={6} />
      ) : facts.length === 0 ? (
        <Empty icon="checks" title={t.staleNone}>
          {t.staleNoneNext}
        </Empty>
      ) : (
        <>
          <p className={styles.quiet}>{t.staleWhy}</p>
          <div className={styles.batch}>
            <Button
              size="small"
              look="quiet"
              onClick={() =>
                setChosen(new Set(selected.length === facts.length ? [] : facts.map((fact) => keyOf(fact))))
              }
            >
              {selected.length === facts.length ? t.deselect : t.selectAll}
            </Button>
            {selected.length > 0 && (
              <>
                <span role="status">{t.selected(selected.length)}</span>
                <Button size="small" look="primary" onClick={() => void resolve("confirm", selected)}>
                  {t.staleConfirm}
                </Button>
                <Button size="small" onClick={() => void resolve("drop", selected)}>
                  {t.staleDrop}
                </Button>
              </>
            )}
          </div>
          <ul className={styles.list} aria-label={t.stale}>
            {facts.map((fact) => (
              <li key={keyOf(fact)} className={styles.fact}>
                <label className={styles.tick}>
                  <input
                    type="checkbox"
                    checked={chosen.has(keyOf(fact))}
                    onChange={() => toggle(fact)}
                    aria-label={t.staleSelect(fact.name, fact.says)}
                  />
                </label>
                <div className={styles.about}>
                  <h2>
                    {fact.entityId ? (
                      <Link to={entityPage(storyId, fact.entityId)}>{fact.name}</Link>
                    ) : (
                      fact.name
                    )}
                  </h2>
                  <p className={styles.says}>{fact.says}</p>
                  {fact.evidence.map((lost) => (
                    <Lost key={lost.id} storyId={storyId} lost={lost} />
                  ))}
                  <div className={styles.actions}>
                    <Button size="small" onClick={() => void resolve("confirm", [fact])}>
                      {t.staleConfirm}
                    </Button>
                    <Button size="small" onClick={() => setCorrected(fact)}>
                      {t.staleCorrect}
                    </Button>
                    <Button size="small" onClick={() => void resolve("drop", [fact])}>
                      {t.staleDrop}
                    </Button>
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {corrected && (
        <CorrectDialog
          storyId={storyId}
          fact={corrected}
          onSave={(patch) => resolve("correct", [corrected], patch)}
          onClose={() => setCorrected(null)}
        />
      )}
    </div>
  );
}

/** What the text said, and what it says now. */
function Lost({ storyId, lost }: { storyId: string; lost: StaleFact["evidence"][number] }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const { chapter, scene, quotation, now } = lost;
  return (
    <dl className={styles.pair}>
      <div>
        <dt>{t.staleBefore}</dt>
        <dd>
          <del>{quotation}</del>
        </dd>
      </div>
      <div>
        <dt>
          {t.staleNow}
          {chapter !== null && scene !== null && (
            <>
              {" · "}
              <Link to={scenePage(storyId, chapter, scene)}>{places.momentName({ chapter, scene })}</Link>
            </>
          )}
        </dt>
        <dd>{now ?? <span className={styles.quiet}>{t.staleGone}</span>}</dd>
      </div>
    </dl>
  );
}
