import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type AssembleContextRequest,
  diffReceipts,
  type PieceChange,
  type ReceiptDifference,
  receiptWhatIf,
} from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Notice } from "../../../design/states";
import { readKept, writeKept } from "../../../kept";
import { type Problem, problemOf } from "../../../server/problem";
import { useTexts } from "../../../texts/language";
import { texts as words } from "../texts";
import styles from "./Context.module.css";
import { texts } from "./lookTexts";
import { askSeen } from "./useContextPreview";

const MORE = 500;
const LARGEST_BUDGET = 1_000_000;

interface LooksProps {
  storyId: string;
  chapter: number;
  scene: number;
  budget: number;
  /** Something was left out because there was no room for it. */
  isShort: boolean;
  /** What the context is asked with now. */
  wish(): AssembleContextRequest;
  onBudget(budget: number): void;
}

const lookAt = (storyId: string, { chapter, scene, pov }: AssembleContextRequest) =>
  `look:${storyId}:${chapter}.${scene}:${pov ?? ""}`;

/** The receipt of what is told now; null where the server keeps none. */
async function receiptOf(storyId: string, wish: AssembleContextRequest, signal?: AbortSignal) {
  const asked = { ...wish, receipt: true, leftOutLimit: 0, withMessages: false };
  const { context } = await askSeen(storyId, asked, signal);
  return context.receiptId ?? null;
}

/** Compares what is told now with what was told when this scene was last looked at here, and remembers it. */
async function sinceLastLook(storyId: string, wish: AssembleContextRequest, signal: AbortSignal) {
  const place = lookAt(storyId, wish);
  const before = readKept(place);
  const now = await receiptOf(storyId, wish, signal);
  if (now === null) return null;
  writeKept(place, now);
  if (typeof before !== "string" || before === now) return null;
  try {
    const { data } = await diffReceipts({ path: { storyId }, body: { from: before, to: now }, signal });
    const { difference } = data;
    return countOf(difference) === 0 ? null : difference;
  } catch (error) {
    // Only the newest receipts are kept.
    if (problemOf(error).code === "NOT_FOUND") return null;
    throw error;
  }
}

const countOf = ({ came, went, changed }: ReceiptDifference) => came.length + went.length + changed.length;

/** What is told otherwise than at the last look, and what more room would bring. */
export default function Looks(props: LooksProps) {
  const { storyId, chapter, scene, budget, isShort, wish, onBudget } = props;
  const t = useTexts(texts);
  const since = useQuery({
    queryKey: ["since-last-look", storyId, chapter, scene],
    queryFn: ({ signal }) => sinceLastLook(storyId, wish(), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const [more, setMore] = useState<{ came: readonly PieceChange[]; lost: readonly PieceChange[] } | null>(
    null,
  );
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const ask = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const receiptId = await receiptOf(storyId, wish());
      if (receiptId !== null) {
        const { data } = await receiptWhatIf({
          path: { storyId, receiptId },
          body: { tokenBudget: Math.min(LARGEST_BUDGET, budget + MORE) },
        });
        setMore({ came: data.then.difference.came, lost: data.opposite?.difference.went ?? [] });
      }
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };
  if (!since.data && !isShort && !more && !problem) return null;
  return (
    <div className={styles.looks}>
      {since.data && (
        <details className={styles.section}>
          <summary>
            <span>{t.since}</span>
            <span className={styles.count}>
              {t.sinceCount(since.data.came.length, since.data.went.length, since.data.changed.length)}
            </span>
          </summary>
          <Changes title={t.came} changes={since.data.came} />
          <Changes title={t.changed} changes={since.data.changed} />
          <Changes title={t.went} changes={since.data.went} />
        </details>
      )}
      {isShort && (
        <div>
          <Button size="small" look="quiet" icon="plus" disabled={isBusy} onClick={() => void ask()}>
            {t.ask(MORE)}
          </Button>
        </div>
      )}
      {problem && (
        <Notice look="danger">
          {problem.isOffline ? t.noAnswer : problem.message} {problem.suggestion}
        </Notice>
      )}
      {more && (
        <section aria-label={t.ask(MORE)} className={styles.more}>
          {more.came.length === 0 && <p role="status">{t.nothingMore}</p>}
          <Changes title={t.wouldCome} changes={more.came} />
          <Changes title={t.wouldGo(MORE)} changes={more.lost} />
          <div className={styles.tools}>
            {more.came.length > 0 && (
              <Button
                size="small"
                onClick={() => {
                  onBudget(Math.min(LARGEST_BUDGET, budget + MORE));
                  setMore(null);
                }}
              >
                {t.take(MORE)}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => setMore(null)}>
              {t.hide}
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}

const SHOWN = 30;

function Changes({ title, changes }: { title: string; changes: readonly PieceChange[] }) {
  const t = useTexts(texts);
  const reasons = useTexts(words);
  if (changes.length === 0) return null;
  return (
    <div className={styles.changes}>
      <h3>{title}</h3>
      <ul>
        {changes.slice(0, SHOWN).map(({ kind, id, label, reason, fromTokens, toTokens }) => (
          <li key={`${kind}:${id}`}>
            <span>{label}</span>
            <span className={styles.reason}>
              {[t.tokens(toTokens ?? fromTokens ?? 0), reason && reasons[reason]].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > SHOWN && <p className={styles.reason}>{t.andMore(changes.length - SHOWN)}</p>}
    </div>
  );
}
