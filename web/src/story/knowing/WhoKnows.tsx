import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { FactRef, Moment } from "../../client/rest";
import { knowersOfOptions, listKnowingsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Trouble } from "../../design/states";
import { useTexts } from "../../texts/language";
import { entityPage } from "../addresses";
import { MomentField } from "../MomentField";
import { usePlaces } from "../places";
import styles from "./Knowing.module.css";
import { KnowingDialog, type KnowingOf } from "./KnowingDialog";
import { KnowingRow } from "./KnowingRow";
import { NameOf } from "./NameOf";
import { learnedText, texts } from "./texts";

interface WhoKnowsProps {
  storyId: string;
  fact: FactRef;
  label: string;
}

/** Who knows a fact, how and since when, and who does not although they were there. */
export function WhoKnows({ storyId, fact, label }: WhoKnowsProps) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [asOf, setAsOf] = useState<Moment | null>(null);
  const [edited, setEdited] = useState<KnowingOf | null>(null);
  const answer = useQuery(
    knowersOfOptions({ path: { storyId }, query: { kind: fact.kind, id: fact.id, ...asOf } }),
  );
  const rows = useQuery(
    listKnowingsOptions({ path: { storyId }, query: { kind: fact.kind, factId: fact.id } }),
  ).data?.items;
  const refused = (rows ?? []).filter(({ knows }) => !knows);
  const knowers = answer.data;
  return (
    <div className={styles.list}>
      {answer.error && <Trouble error={answer.error} onRetry={() => void answer.refetch()} />}
      <div className={styles.tools}>
        <MomentField storyId={storyId} label={t.asOf} moment={asOf} none={t.wholeStory} onChange={setAsOf} />
        <Button
          size="small"
          icon="plus"
          onClick={() => setEdited({ fact, knowerId: null, label, knowingId: null })}
        >
          {t.addKnower}
        </Button>
      </div>
      {knowers?.secrecy === "public" && <p className={styles.quiet}>{t.everybody}</p>}
      {knowers?.secrecy === "private" && knowers.items.length === 0 && (
        <p className={styles.quiet}>{t.nobody}</p>
      )}
      <ul>
        {(knowers?.items ?? []).map((one) => (
          <KnowingRow
            key={one.knowerId}
            storyId={storyId}
            label={one.name}
            note={learnedText(one, places, t)}
            knowingId={one.knowingId}
            onEdit={() => setEdited({ fact, knowerId: one.knowerId, label, knowingId: one.knowingId })}
            onRefuse={() =>
              setEdited({ fact, knowerId: one.knowerId, label, knowingId: null, isRefused: true })
            }
          >
            <Link to={entityPage(storyId, one.knowerId)}>{one.name}</Link>
          </KnowingRow>
        ))}
        {refused.map(({ id, knowerId }) => (
          <KnowingRow
            key={id}
            storyId={storyId}
            label={t.doesNotKnow}
            note={t.doesNotKnow}
            knowingId={id}
            onEdit={() => setEdited({ fact, knowerId, label, knowingId: id })}
          >
            <NameOf storyId={storyId} fact={{ kind: "entity", id: knowerId }} />
          </KnowingRow>
        ))}
      </ul>
      {edited && <KnowingDialog storyId={storyId} of={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

/** The same in a window of its own, for a fact that is a row among others. */
export function WhoKnowsDialog({ onClose, ...about }: WhoKnowsProps & { onClose(): void }) {
  const t = useTexts(texts);
  return (
    <Dialog title={t.whoKnowsOf(about.label)} onClose={onClose}>
      <WhoKnows {...about} />
    </Dialog>
  );
}
