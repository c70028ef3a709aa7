import { useState } from "react";
import { Link } from "react-router";
import type { Extraction, ReviewDecision } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Confidence } from "../../design/Confidence";
import { NODE_TYPES, NodeMark } from "../../design/NodeMark";
import { Notice } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import type { Problem } from "../../server/problem";
import { entityPage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { Adjust, overridesOf, untouched } from "./Adjust";
import { Elsewhere } from "./Elsewhere";
import styles from "./Proposal.module.css";
import { daysLaterOf, factsOf, finderOf, joinsOf, otherOf } from "./proposals";
import { Similar } from "./Similar";
import { Source } from "./Source";
import { TypeChoice } from "./TypeChoice";
import { texts } from "./texts";

interface ProposalProps {
  storyId: string;
  proposal: Extraction;
  problem: Problem | null;
  onDecide(request: ReviewDecision): void;
  onMerge(): void;
  /** Asks whether all that are like it are to be rejected; null where there is no other. */
  onRejectLike: (() => void) | null;
  onBack(): void;
}

/** One proposal: what it says, where it was found, who found it, and what can be done with it. */
export function Proposal({
  storyId,
  proposal,
  problem,
  onDecide,
  onMerge,
  onRejectLike,
  onBack,
}: ProposalProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [adjustment, setAdjustment] = useState(() => untouched(proposal.entityName));
  const isNewcomer = proposal.kind === "entity" && proposal.suggestion === "new";
  const approve = () =>
    onDecide(
      isNewcomer
        ? {
            action: "approved",
            createLorebookEntry: adjustment.createEntry,
            lorebookOverrides: overridesOf(adjustment, proposal.entityName),
          }
        : { action: "approved" },
    );
  const reject = () => onDecide({ action: "rejected" });
  const canMerge = proposal.kind !== "relation" && proposal.kind !== "time";
  const group = words.review;
  useShortcuts(
    proposal.reviewed
      ? []
      : [
          { keys: "a", label: t.approve, group, run: approve },
          { keys: "d", label: t.reject, group, run: reject },
          ...(onRejectLike ? [{ keys: "shift+d", label: t.rejectLike, group, run: onRejectLike }] : []),
          ...(canMerge ? [{ keys: "m", label: words.merge, group, run: onMerge }] : []),
        ],
  );
  return (
    <article className={styles.proposal}>
      <Heading proposal={proposal} onBack={onBack} />
      <div className={styles.body}>
        {problem && (
          <Notice
            look="danger"
            actions={
              proposal.kind === "entity" || proposal.kind === "event" ? (
                <Button size="small" onClick={onMerge}>
                  {t.mergeInstead}
                </Button>
              ) : undefined
            }
          >
            <strong>{t.refused}</strong> {problem.message} {problem.suggestion}
          </Notice>
        )}
        <Claims proposal={proposal} />
        {!proposal.reviewed && isNewcomer && adjustment.createEntry && (
          <TypeChoice
            type={adjustment.type ?? proposal.entityType}
            onChoose={(type) =>
              setAdjustment({ ...adjustment, type: type === proposal.entityType ? null : type })
            }
          />
        )}
        <Source storyId={storyId} proposal={proposal} />
        {(proposal.kind === "entity" || proposal.kind === "alias") && (
          <Elsewhere storyId={storyId} proposal={proposal} />
        )}
        <Joins storyId={storyId} proposal={proposal} />
        <Facts proposal={proposal} />
        {!proposal.reviewed && isNewcomer && (
          <>
            <Similar
              storyId={storyId}
              proposal={proposal}
              onMerge={(id) => onDecide({ action: "merged", mergeTargetEntityId: id })}
            />
            <Adjust adjustment={adjustment} onChange={setAdjustment} />
          </>
        )}
        {proposal.reviewed && proposal.linkedEntityId && (
          <p>
            <Link to={entityPage(storyId, proposal.linkedEntityId)}>{t.openResult}</Link>
          </p>
        )}
      </div>
      {!proposal.reviewed && (
        <footer className={styles.actions}>
          <Button look="primary" icon="check" aria-keyshortcuts="a" onClick={approve}>
            {t.approve}
          </Button>
          <Button icon="close" aria-keyshortcuts="d" onClick={reject}>
            {t.reject}
          </Button>
          {onRejectLike && (
            <Button look="quiet" title={t.rejectLikeWhy} aria-keyshortcuts="Shift+D" onClick={onRejectLike}>
              {t.rejectLike}
            </Button>
          )}
          {canMerge && (
            <Button icon="graph" aria-keyshortcuts="m" onClick={onMerge}>
              {t.merge}
            </Button>
          )}
        </footer>
      )}
    </article>
  );
}

function Heading({ proposal, onBack }: { proposal: Extraction; onBack(): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const { entityName, entityType, kind, reviewAction } = proposal;
  const other = otherOf(proposal);
  const decided = { approved: t.wasApproved, rejected: t.wasRejected, merged: t.wasMerged, pending: null };
  const kinds = {
    entity: words[NODE_TYPES.find((known) => known === entityType) ?? "custom"],
    alias: t.kindAlias,
    relation: t.kindRelation,
    event: words.event,
    time: t.kindTime,
  };
  return (
    <header className={styles.header}>
      <IconButton icon="back" label={t.back} className={styles.back} onClick={onBack} />
      <NodeMark
        type={kind === "relation" || kind === "time" ? "custom" : kind === "event" ? "event" : entityType}
        size={20}
      />
      <h2 className={styles.title}>
        {entityName}
        {kind === "relation" && other && (
          <span className={styles.other}>
            {" "}
            — {String(proposal.attributesJson.type ?? "").replaceAll("_", " ")} → {other}
          </span>
        )}
      </h2>
      <span className={styles.tag}>{kinds[kind]}</span>
      {decided[reviewAction] && <span className={styles.tag}>{decided[reviewAction]}</span>}
    </header>
  );
}

function Claims({ proposal }: { proposal: Extraction }) {
  const t = useTexts(texts);
  const finder = finderOf(proposal.extractor);
  const other = proposal.sameAs ?? otherOf(proposal) ?? "";
  const claim =
    proposal.kind === "time"
      ? t.suggestTime(daysLaterOf(proposal))
      : proposal.suggestion === "new"
        ? t.suggestNew
        : proposal.suggestion === "alias"
          ? t.suggestAlias(other)
          : t.suggestUpdate(other);
  const found = { local: t.foundLocal, model: t.foundModel(finder.name), agent: t.foundAgent(finder.name) };
  return (
    <div className={styles.claims}>
      <span className={styles.claim}>{claim}</span>
      <span className={styles.pair}>
        <span className={styles.quiet}>{t.confidence}</span>
        <Confidence label={t.confidence} value={proposal.confidence} />
      </span>
      <span className={styles.finder} data-finder={finder.kind}>
        {found[finder.kind]}
      </span>
    </div>
  );
}

/** Why names are taken for one person's, each with the place that shows it. */
function Joins({ storyId, proposal }: { storyId: string; proposal: Extraction }) {
  const places = usePlaces(storyId);
  const t = useTexts(texts);
  const joins = joinsOf(proposal);
  if (joins.length === 0) return null;
  return (
    <details className={styles.fold} open={joins.length <= 4}>
      <summary>{t.joins(joins.length)}</summary>
      <dl className={styles.facts}>
        {joins.map(({ name, other, reason, quotation, chapter }) => (
          <div key={`${name} ${other}`}>
            <dt>
              {name} = {other}
            </dt>
            <dd>
              {t.joinReason(reason)}
              {quotation && t.shownBy(quotation, chapter == null ? null : places.shortName(chapter))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Facts({ proposal }: { proposal: Extraction }) {
  const t = useTexts(texts);
  const facts = factsOf(proposal);
  const { aliases } = proposal;
  if (facts.length === 0 && aliases.length === 0) return null;
  return (
    <details className={styles.fold} open={facts.length <= 4}>
      <summary>{t.facts(facts.length + (aliases.length > 0 ? 1 : 0))}</summary>
      <dl className={styles.facts}>
        {aliases.length > 0 && (
          <div>
            <dt>{t.aliases}</dt>
            <dd>{aliases.join(", ")}</dd>
          </div>
        )}
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
