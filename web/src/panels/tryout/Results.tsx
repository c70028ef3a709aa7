import { useState } from "react";
import type { CaseMessage, TriedScan } from "../../client/rest";
import { Button } from "../../design/Button";
import { Marked, placesOf } from "../../design/Marked";
import { Notice } from "../../design/states";
import { useLanguage, useTexts } from "../../texts/language";
import { Placed } from "./Placed";
import styles from "./Tryout.module.css";
import { texts } from "./texts";
import { excerpt, type Fate, fatesIn, messageOf, reasonOf } from "./trial";

const SHOWN = 50;

interface ResultsProps {
  scan: TriedScan;
  /** The same with the settings of the books. */
  usual: TriedScan;
  chat: readonly CaseMessage[];
  /** Whether several books were tried, so that each entry says in which it is. */
  isOfMany: boolean;
}

/** What fires and why, what the budget kept out, and why the others are silent. */
export function Results({ scan, usual, chat, isOfMany }: ResultsProps) {
  const t = useTexts(texts);
  const { fired, overBudget, silent } = fatesIn(scan, usual);
  const used = fired.reduce((sum, { entry }) => sum + (entry.tokens ?? 0), 0);
  const all = [...fired, ...overBudget, ...silent];
  const [more, fewer] = (["new", "gone"] as const).map(
    (change) => all.filter((fate) => fate.change === change).length,
  );
  const passes = scan.passes.filter((pass) => pass.new.length > 0).length;
  const said = [
    t.firedOf(fired.length, scan.trace.length),
    t.passes(passes),
    scan.budget === null ? t.tokens(used) : t.tokensOf(used, scan.budget),
  ];
  return (
    <div className={styles.results}>
      <p className={styles.summary} role="status">
        {said.join(" · ")}
      </p>
      {scan.overflow && <Notice look="warn">{t.overflow}</Notice>}
      {(more ?? 0) + (fewer ?? 0) > 0 && <Notice>{t.differs(more ?? 0, fewer ?? 0)}</Notice>}
      <Group title={t.fired} fates={fired} chat={chat} isOfMany={isOfMany} isOpen />
      {overBudget.length > 0 && (
        <Group title={t.overBudget} fates={overBudget} chat={chat} isOfMany={isOfMany} isOpen />
      )}
      <Group
        title={t.silent}
        fates={silent}
        chat={chat}
        isOfMany={isOfMany}
        isOpen={silent.length <= SHOWN}
      />
      {fired.length > 0 && <Placed scan={scan} />}
    </div>
  );
}

interface GroupProps {
  title: string;
  fates: readonly Fate[];
  chat: readonly CaseMessage[];
  isOfMany: boolean;
  isOpen: boolean;
}

function Group({ title, fates, chat, isOfMany, isOpen }: GroupProps) {
  const t = useTexts(texts);
  const [limit, setLimit] = useState(SHOWN);
  return (
    <details className={styles.group} open={isOpen}>
      <summary>
        <span>{title}</span> <span className={styles.count}>{fates.length}</span>
      </summary>
      {fates.length === 0 ? (
        <p className={styles.why}>{t.none}</p>
      ) : (
        <ul>
          {fates.slice(0, limit).map((fate, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries without a uid have no other name than their place
            <FateRow key={place} fate={fate} chat={chat} isOfMany={isOfMany} />
          ))}
        </ul>
      )}
      {fates.length > limit && (
        <Button size="small" look="quiet" onClick={() => setLimit(limit + 10 * SHOWN)}>
          {t.more(fates.length - limit)}
        </Button>
      )}
    </details>
  );
}

interface FateRowProps {
  fate: Fate;
  chat: readonly CaseMessage[];
  isOfMany: boolean;
}

function FateRow({ fate: { entry, change }, chat, isOfMany }: FateRowProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const message = messageOf(entry, chat);
  const { key, where } = entry;
  const place =
    where === "chat"
      ? message && t.inMessage(message.name || "?", entry.index ?? 0)
      : where && where !== "always" && t[where];
  const why = [
    entry.reason === "key" && key ? null : reasonOf(entry.reason, language),
    key ? t.byKey(key) : null,
    place || null,
    entry.pass && (entry.fired || entry.reason === "over_budget") ? t.pass(entry.pass) : null,
    isOfMany ? entry.book : null,
  ].filter(Boolean);
  return (
    <li className={styles.fate} data-change={change ?? undefined}>
      <div className={styles.line}>
        <span className={styles.name}>{entry.comment ?? t.unnamed(String(entry.uid ?? "?"))}</span>
        {entry.tokens ? <span className={styles.tokens}>{t.tokens(entry.tokens)}</span> : null}
      </div>
      <p className={styles.why}>{why.join(" · ")}</p>
      {change && <p className={styles.change}>{t[change]}</p>}
      {message?.mes && key && (
        <p className={styles.quote}>
          <Quote text={excerpt(message.mes, key)} word={key} />
        </p>
      )}
    </li>
  );
}

const Quote = ({ text, word }: { text: string; word: string }) => (
  <Marked text={text} spans={placesOf(text, [word])} />
);
