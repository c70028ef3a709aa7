import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import type { Extraction, ProposalUse, ReviewDecision } from "../../client/rest";
import { Button } from "../../design/Button";
import { Split } from "../../design/Split";
import { Empty, Loading, Trouble } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { BatchBar } from "./BatchBar";
import { BatchDialog } from "./BatchDialog";
import { MergeDialog } from "./MergeDialog";
import { OpenQuestions } from "./OpenQuestions";
import { Proposal } from "./Proposal";
import {
  decidedOptions,
  type Filter,
  likeIt,
  neighbourOf,
  ordered,
  SHOWN,
  type Shown,
  usesOptions,
  waitingOptions,
  wanted,
} from "./proposals";
import { Queue } from "./Queue";
import { QueueBar } from "./QueueBar";
import { ReadDialog } from "./ReadDialog";
import { Readings } from "./Readings";
import styles from "./Review.module.css";
import { Stale } from "./Stale";
import { texts } from "./texts";
import { useReadings } from "./useReadings";
import { type Action, useReview } from "./useReview";

export default function ReviewPanel() {
  const { id: storyId } = useStory();
  const [params, setParams] = useSearchParams();
  const which = SHOWN.find((one) => one === params.get("which")) ?? "waiting";
  const waiting = useQuery({ ...waitingOptions(storyId), enabled: which === "waiting" });
  const decided = useQuery({ ...decidedOptions(storyId), enabled: which === "decided" });
  const shown = which === "waiting" ? waiting : decided;
  if (which === "stale") return <Stale storyId={storyId} onWhich={(next) => setParams(addressOf(next))} />;
  if (shown.data) return <Review storyId={storyId} which={which} proposals={shown.data} />;
  if (shown.error) return <Trouble error={shown.error} onRetry={() => void shown.refetch()} />;
  return (
    <div className={styles.waiting}>
      <Loading rows={8} />
    </div>
  );
}

const addressOf = (which: Shown): Record<string, string> => (which === "waiting" ? {} : { which });

/** The proposals from the first down to this one. */
const idsTo = (shown: readonly Extraction[], id: string) =>
  shown.slice(0, shown.findIndex((one) => one.id === id) + 1).map((one) => one.id);

const ALL: Filter = { kind: "all", type: "all", least: 0, q: "", order: "use" };

const NO_USES: ReadonlyMap<string, ProposalUse> = new Map();

interface ReviewProps {
  storyId: string;
  which: Shown;
  proposals: Extraction[];
}

function Review({ storyId, which, proposals }: ReviewProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [params, setParams] = useSearchParams();
  const [filter, setFilter] = useState<Filter>(ALL);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [batch, setBatch] = useState<{ action: Action; proposals: readonly Extraction[] } | null>(null);
  const [merging, setMerging] = useState<Extraction | null>(null);
  const [isReading, setReading] = useState(false);
  const { readings, begin, end } = useReadings(storyId);
  const review = useReview(storyId);
  const isWaiting = which === "waiting";
  const uses = useQuery({ ...usesOptions(storyId), enabled: isWaiting }).data ?? NO_USES;
  const sought = useDeferredValue(filter);
  const shown = ordered(wanted(proposals, sought), isWaiting ? sought.order : "newest", uses);
  const openId = params.get("proposal");
  const open = proposals.find(({ id }) => id === openId);

  const put = (name: string, value: string | null) =>
    setParams((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  const openProposal = (id: string | null) => put("proposal", id);
  const step = (by: number) => {
    const at = shown.findIndex(({ id }) => id === openId);
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next) openProposal(next.id);
  };
  const toggle = (id: string) => {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    setSelection(next);
  };
  const decide = async (proposal: Extraction, request: ReviewDecision) => {
    openProposal(neighbourOf(shown, proposal.id, new Set([proposal.id])));
    if (!(await review.decide(proposal, request))) openProposal(proposal.id);
  };
  const decideBatch = async () => {
    if (batch === null) return;
    const gone = new Set(batch.proposals.map(({ id }) => id));
    if (!(await review.decideMany(batch.proposals, batch.action))) return;
    if (openId !== null && gone.has(openId)) openProposal(neighbourOf(shown, openId, gone));
    setSelection(new Set());
    setBatch(null);
  };
  const waitingOpen = open && !open.reviewed ? open : null;
  const alike = waitingOpen ? likeIt(proposals, waitingOpen) : [];
  const group = words.review;
  useShortcuts([
    { keys: "j", label: t.keyNext, group, run: () => step(1) },
    { keys: "k", label: t.keyBefore, group, run: () => step(-1) },
    { keys: "u", label: t.keyUndo, group, run: review.undoLast },
    { keys: "x", label: t.keySelect, group, run: () => waitingOpen && toggle(waitingOpen.id) },
    { keys: "n", label: t.read, group, run: () => setReading(true) },
    { keys: "/", label: t.search, group, run: () => document.getElementById("review-search")?.focus() },
  ]);

  const readButton = (
    <Button look="primary" icon="plus" onClick={() => setReading(true)}>
      {t.read}
    </Button>
  );
  const chosen = shown.filter(({ id }) => selection.has(id));
  return (
    <>
      <Split
        name="review"
        label={t.resize}
        narrow={open ? "right" : "left"}
        left={
          <section className={styles.side} aria-label={t.queue}>
            <QueueBar
              storyId={storyId}
              all={proposals}
              shown={shown}
              which={which}
              filter={filter}
              onWhich={(next) => {
                setFilter(ALL);
                setParams(addressOf(next));
              }}
              onFilter={(changed) => setFilter({ ...filter, ...changed })}
              onRead={() => setReading(true)}
              onSelectAll={() => setSelection(new Set(shown.map(({ id }) => id)))}
              onSelectAbove={waitingOpen && (() => setSelection(new Set(idsTo(shown, waitingOpen.id))))}
            />
            {isWaiting && <OpenQuestions storyId={storyId} />}
            <Readings storyId={storyId} readings={readings} onBegun={begin} onEnd={end} />
            {proposals.length === 0 ? (
              <Empty
                icon="checks"
                title={isWaiting ? t.none : t.noneDecided}
                actions={isWaiting && readButton}
              >
                {isWaiting && t.noneNext}
              </Empty>
            ) : shown.length === 0 ? (
              <Empty
                icon="filter"
                title={t.noneFits}
                actions={<Button onClick={() => setFilter(ALL)}>{t.clearFilters}</Button>}
              />
            ) : (
              <Queue
                storyId={storyId}
                proposals={shown}
                uses={uses}
                openId={openId}
                selection={selection}
                canSelect={isWaiting}
                onOpen={openProposal}
                onToggle={toggle}
                onSelectTo={(id) => setSelection(new Set(idsTo(shown, id)))}
              />
            )}
            {isWaiting && (
              <BatchBar
                chosen={chosen}
                shown={shown}
                onBatch={(action, many) => setBatch({ action, proposals: many })}
                onClear={() => setSelection(new Set())}
              />
            )}
          </section>
        }
        right={
          open ? (
            <Proposal
              key={open.id}
              storyId={storyId}
              proposal={open}
              problem={review.refusal?.id === open.id ? review.refusal.problem : null}
              onDecide={(request) => void decide(open, request)}
              onMerge={() => setMerging(open)}
              onRejectLike={
                alike.length > 1 ? () => setBatch({ action: "rejected", proposals: alike }) : null
              }
              onBack={() => openProposal(null)}
            />
          ) : (
            proposals.length > 0 && (
              <Empty icon="checks" title={t.choose}>
                {t.chooseNext}
              </Empty>
            )
          )
        }
      />
      {isReading && <ReadDialog storyId={storyId} onBegun={begin} onClose={() => setReading(false)} />}
      {batch && (
        <BatchDialog
          storyId={storyId}
          action={batch.action}
          proposals={batch.proposals}
          onConfirm={decideBatch}
          onClose={() => setBatch(null)}
        />
      )}
      {merging && (
        <MergeDialog
          storyId={storyId}
          proposal={merging}
          onMerge={(id) => {
            setMerging(null);
            void decide(merging, { action: "merged", mergeTargetEntityId: id });
          }}
          onClose={() => setMerging(null)}
        />
      )}
    </>
  );
}
