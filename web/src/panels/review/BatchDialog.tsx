import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Extraction, type ReviewExtractionsResponse, reviewExtractions } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Loading, Trouble } from "../../design/states";
import { storyKey } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { type Tally, tallied } from "./preview";
import styles from "./Review.module.css";
import { texts } from "./texts";
import type { Action } from "./useReview";

const NAMED = 12;

interface BatchDialogProps {
  storyId: string;
  action: Action;
  proposals: readonly Extraction[];
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

/** Says exactly what a decision about many would write, before it does. */
export function BatchDialog({ storyId, action, proposals, onConfirm, onClose }: BatchDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const ids = proposals.map(({ id }) => id);
  const preview = useQuery({
    queryKey: storyKey("reviewPreview", storyId, action, ids),
    queryFn: async ({ signal }): Promise<ReviewExtractionsResponse> => {
      const { data } = await reviewExtractions({
        path: { storyId },
        body: { action, ids, dryRun: true },
        signal,
      });
      return data;
    },
    staleTime: 0,
  });
  const confirm = action === "rejected" ? t.reject : t.approve;
  return (
    <Dialog
      title={action === "rejected" ? t.batchReject(ids.length) : t.batchApprove(ids.length)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look={action === "rejected" ? "danger" : "primary"}
            disabled={isBusy || !preview.data}
            onClick={() => {
              setBusy(true);
              void onConfirm().finally(() => setBusy(false));
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {preview.data ? (
        <Preview reviewed={preview.data} />
      ) : preview.error ? (
        <Trouble error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <Loading rows={3} />
      )}
      <p className={styles.small}>{t.batchUndo}</p>
    </Dialog>
  );
}

function Preview({ reviewed }: { reviewed: ReviewExtractionsResponse }) {
  const t = useTexts(texts);
  const tallies = tallied(reviewed);
  const kinds: Record<Tally["kind"], string> = {
    entity: t.rowEntity,
    entry: t.rowEntry,
    relation: t.rowRelation,
    state: t.rowState,
    event: t.rowEvent,
    other: t.rowOther,
  };
  return (
    <>
      {tallies.length === 0 ? (
        <p>{t.batchNothing}</p>
      ) : (
        <section>
          <h3 className={styles.heading}>{t.batchWrites}</h3>
          <ul className={styles.tallies}>
            {tallies.map(({ kind, isNew, names }) => (
              <li key={`${kind}${isNew}`}>
                <strong>{(isNew ? t.rowAdd : t.rowChange)(kinds[kind], names.length)}</strong>
                <p className={styles.names}>
                  {names.slice(0, NAMED).join(", ")}
                  {names.length > NAMED && ` ${t.more(names.length - NAMED)}`}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {reviewed.errors.length > 0 && (
        <section>
          <h3 className={styles.heading}>{t.batchRefused(reviewed.errors.length)}</h3>
          <ul className={styles.tallies}>
            {reviewed.errors.slice(0, NAMED).map(({ id, message }) => (
              <li key={id}>{message}</li>
            ))}
            {reviewed.errors.length > NAMED && <li>{t.more(reviewed.errors.length - NAMED)}</li>}
          </ul>
        </section>
      )}
    </>
  );
}
