import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { extractEntities, listExtractions, reviewExtractions } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Confidence } from "../../../design/Confidence";
import { Dialog } from "../../../design/Dialog";
import { NodeMark } from "../../../design/NodeMark";
import { Loading, Trouble } from "../../../design/states";
import { tellTrouble } from "../../../design/toasts";
import { revisionOf } from "../../../server/revision";
import { refreshStory } from "../../../server/server";
import { addressOf, type Place } from "../../../story/manuscript/place";
import { tellDone } from "../../../story/story";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Finds.module.css";

const AT_MOST = 100;

interface FindsDialogProps {
  storyId: string;
  place: Place;
  /** The text as it stands in the editor. */
  text: string;
  onClose(): void;
}

/** The names of a scene that no entry knows yet: chosen ones become entries, the others stay for review. */
export default function FindsDialog({ storyId, place, text, onClose }: FindsDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const finds = useQuery({
    queryKey: ["findsOfScene", storyId, addressOf(place), text],
    queryFn: async () => {
      await extractEntities({ path: { storyId }, body: { text, ...place, extractor: "local" } });
      const query = { reviewed: false, kind: "entity" as const, ...place, size: AT_MOST };
      const { data } = await listExtractions({ path: { storyId }, query });
      return data.content.filter(({ suggestion }) => suggestion === "new");
    },
    enabled: text.trim() !== "",
    gcTime: 0,
  });
  const found = finds.data ?? [];
  const ids = found.map(({ id }) => id).filter((id) => !refused.has(id));
  const accept = async () => {
    setBusy(true);
    try {
      const answer = await reviewExtractions({ path: { storyId }, body: { action: "approved", ids } });
      onClose();
      void refreshStory(storyId);
      const { approved, merged } = answer.data.counts;
      tellDone(storyId, t.findsLinked(approved + merged), revisionOf(answer));
    } catch (error) {
      tellTrouble(error);
      setBusy(false);
    }
  };
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(refused);
    if (isChosen) next.delete(id);
    else next.add(id);
    setRefused(next);
  };
  return (
    <Dialog
      title={t.findsTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={isBusy || ids.length === 0} onClick={() => void accept()}>
            {t.findsAccept(ids.length)}
          </Button>
        </>
      }
    >
      {finds.error ? (
        <Trouble error={finds.error} onRetry={() => void finds.refetch()} />
      ) : finds.isFetching ? (
        <Loading rows={3} />
      ) : found.length === 0 ? (
        <p role="status">{t.findsNone}</p>
      ) : (
        <>
          <p>{t.findsWhy}</p>
          <ul className={styles.finds}>
            {found.map(({ id, entityName, entityType, confidence, sourceText }) => (
              <li key={id} className={styles.row}>
                <label className={styles.find}>
                  <input
                    type="checkbox"
                    checked={!refused.has(id)}
                    onChange={(event) => choose(id, event.target.checked)}
                  />
                  <NodeMark type={entityType} size={14} />
                  <span className={styles.name}>{entityName}</span>
                  <span className={styles.source}>{sourceText}</span>
                </label>
                <Confidence label={t.findsSure(entityName)} value={confidence} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
