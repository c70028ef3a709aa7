import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ChangedPiece, type Reveal, whatIf } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Loading, Trouble } from "../../../design/states";
import { storyKey } from "../../../server/server";
import { type ChosenMoment, MomentField } from "../../../story/MomentField";
import type { Places } from "../../../story/places";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Reveals.module.css";

interface WhatIfDialogProps {
  storyId: string;
  reveal: Reveal;
  title: string;
  places: Places;
  onClose(): void;
}

const labels = (pieces: readonly ChangedPiece[]): string => pieces.map(({ label }) => label).join(", ");

/** What a model would be told otherwise if a reveal came at another moment, scene by scene. */
export function WhatIfDialog({ storyId, reveal, title, places, onClose }: WhatIfDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [at, setAt] = useState<ChosenMoment | null>(null);
  const answer = useQuery({
    queryKey: storyKey("whatIf", storyId, reveal.id, at),
    enabled: at !== null,
    queryFn: async ({ signal }) => {
      const moment = at ?? reveal.at;
      const path = { storyId, revealId: reveal.id };
      return (await whatIf({ path, body: { at: moment }, signal })).data;
    },
  });
  const { data } = answer;
  return (
    <Dialog
      title={`${t.whatIf} ${title}`}
      onClose={onClose}
      actions={<Button onClick={onClose}>{words.close}</Button>}
    >
      <MomentField storyId={storyId} label={t.ifAt} moment={at} none={t.chooseMoment} onChange={setAt} />
      {answer.error ? (
        <Trouble error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        at !== null && !data && <Loading rows={3} />
      )}
      {data?.scenes.length === 0 && <p role="status">{t.ifNothing}</p>}
      <ul className={styles.scenes}>
        {data?.scenes.map(({ chapter, scene, gains, loses, changes }) => (
          <li key={`${chapter}.${scene}`}>
            <strong>{places.momentName({ chapter, scene })}</strong>
            {gains.length > 0 && <p>{t.ifGains(labels(gains))}</p>}
            {loses.length > 0 && <p>{t.ifLoses(labels(loses))}</p>}
            {changes.length > 0 && <p>{t.ifChanges(labels(changes))}</p>}
          </li>
        ))}
      </ul>
      {data?.truncated && <p className={styles.quiet}>{t.ifMore(data.sceneCount)}</p>}
    </Dialog>
  );
}
