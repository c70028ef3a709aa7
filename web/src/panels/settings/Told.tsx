import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { REASONS } from "../../client/context";
import type { ToldContext, TraceItem } from "../../client/rest";
import { toldContextsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Trouble } from "../../design/states";
import { usePlaces } from "../../story/places";
import { useStory } from "../../story/story";
import { useLanguage, useTexts } from "../../texts/language";
import groups from "./Settings.module.css";
import styles from "./Told.module.css";
import { texts } from "./texts";

const ASKED = 20;
const SHOWN = 5;
const PIECES = 40;

/** What the last requests of clients were told of the story, and why. */
export function Told({ storyId }: { storyId: string }) {
  const t = useTexts(texts);
  const [limit, setLimit] = useState(SHOWN);
  // Requests of clients change no story, so nobody says that there is a new one.
  const told = useQuery({
    ...toldContextsOptions({ path: { storyId }, query: { limit: ASKED } }),
    refetchInterval: 10_000,
  });
  const items = told.data?.items;
  return (
    <section className={groups.group} aria-labelledby="told">
      <h2 id="told">{t.told}</h2>
      {told.error ? (
        <Trouble error={told.error} onRetry={() => void told.refetch()} />
      ) : !items ? (
        <Loading rows={2} />
      ) : items.length === 0 ? (
        <Empty icon="eye" title={t.noneTold}>
          {t.noneToldWhy}
        </Empty>
      ) : (
        <>
          <p>{t.toldWhy}</p>
          <ul className={styles.requests}>
            {items.slice(0, limit).map((one) => (
              <li key={`${one.at} ${one.door}`}>
                <Request told={one} />
              </li>
            ))}
          </ul>
          {items.length > limit && (
            <div>
              <Button size="small" look="quiet" onClick={() => setLimit(ASKED)}>
                {t.more(items.length - limit)}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

const isCalled = ({ scan, reason }: TraceItem): boolean => Boolean(scan) || reason === "detected";

/** One request; what it was told is drawn when somebody opens it. */
function Request({ told }: { told: ToldContext }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const places = usePlaces(useStory().id);
  const [isOpen, setOpen] = useState(false);
  const at = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
  const about = [
    told.model || t[told.door],
    places.momentName(told),
    t.tokensOf(told.estimatedTokens, told.totalBudget),
    told.droppedMessages > 0 ? t.dropped(told.droppedMessages) : null,
  ].filter(Boolean);
  return (
    <details className={styles.request} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <time dateTime={told.at}>{at.format(new Date(told.at))}</time>
        <span className={styles.memory} data-memory={told.memory}>
          {t[told.memory]}
        </span>
        <span className={styles.about}>{about.join(" · ")}</span>
      </summary>
      {isOpen && <Inside told={told} />}
    </details>
  );
}

function Inside({ told }: { told: ToldContext }) {
  const t = useTexts(texts);
  // Entries that the conversation itself called are what somebody looks for.
  const included = told.trace
    .filter(({ included: isIn }) => isIn)
    .toSorted((one, other) => Number(isCalled(other)) - Number(isCalled(one)));
  const out = told.trace.filter(({ included: isIn }) => !isIn);
  return (
    <div className={styles.inside}>
      {included.length === 0 ? (
        <p>{t.nothingTold}</p>
      ) : (
        <Pieces title={t.toldPieces} pieces={included} count={included.length} isOpen />
      )}
      {out.length > 0 && <Pieces title={t.leftOut} pieces={out} count={told.leftOutCount} />}
      {told.messages.length > 0 && (
        <details>
          <summary>{t.toldMessages}</summary>
          {told.messages.map(({ role, content }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no other name than their place
            <div key={place} className={styles.message}>
              <code>{role}</code>
              <p>{content}</p>
            </div>
          ))}
        </details>
      )}
    </div>
  );
}

interface PiecesProps {
  title: string;
  pieces: readonly TraceItem[];
  /** How many there are, where not all of them are here. */
  count: number;
  isOpen?: boolean;
}

function Pieces({ title, pieces, count, isOpen = false }: PiecesProps) {
  const t = useTexts(texts);
  const places = usePlaces(useStory().id);
  const language = useLanguage();
  const [limit, setLimit] = useState(PIECES);
  return (
    <details open={isOpen}>
      <summary>
        {title} <span className={styles.about}>{count}</span>
      </summary>
      <ul className={styles.pieces}>
        {pieces.slice(0, limit).map((piece) => (
          <li key={`${piece.kind}:${piece.id}`}>
            <span className={styles.label}>
              {piece.kind === "snapshot" || piece.kind === "passage"
                ? places.placeName(piece.label)
                : piece.label}
            </span>
            <span className={styles.about}>
              {[
                REASONS[piece.reason][language === "en" ? 0 : 1],
                piece.scan?.key ? t.byKey(piece.scan.key) : null,
                piece.scan ? t.inPass(piece.scan.passNumber) : null,
                piece.tokens ? t.tokens(piece.tokens) : null,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      {pieces.length > limit && (
        <Button size="small" look="quiet" onClick={() => setLimit(limit + 5 * PIECES)}>
          {t.more(pieces.length - limit)}
        </Button>
      )}
    </details>
  );
}
