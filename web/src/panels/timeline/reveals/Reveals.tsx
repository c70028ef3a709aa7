import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteReveal, type Reveal } from "../../../client/rest";
import { listRevealsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { Button, IconButton } from "../../../design/Button";
import { Trouble } from "../../../design/states";
import { act } from "../../../story/act";
import { namesOptions } from "../../../story/People";
import type { Places } from "../../../story/places";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import { RevealDialog } from "./RevealDialog";
import styles from "./Reveals.module.css";
import { WhatIfDialog } from "./WhatIfDialog";

/** Who turns out to be whom, and when: until then they are two for everybody. */
export function Reveals({ storyId, places }: { storyId: string; places: Places }) {
  const t = useTexts(texts);
  const answer = useQuery(listRevealsOptions({ path: { storyId } }));
  const [edited, setEdited] = useState<Reveal | "new" | null>(null);
  const [supposed, setSupposed] = useState<Reveal | null>(null);
  const reveals = answer.data?.items ?? [];
  const ids = [...new Set(reveals.flatMap(({ entityIds, knownTo }) => [...entityIds, ...(knownTo ?? [])]))];
  const names = useQuery(namesOptions(storyId, ids.sort())).data;
  const named = (id: string) => names?.get(id) ?? "…";
  const told = ({ entityIds: [one, other], at }: Reveal) =>
    t.revealed(named(one), named(other), places.momentName(at));
  return (
    <details className={styles.reveals}>
      <summary>{t.reveals(reveals.length)}</summary>
      {answer.error && <Trouble error={answer.error} onRetry={() => void answer.refetch()} />}
      <p className={styles.quiet}>{t.revealsWhy}</p>
      <ul>
        {reveals.map((reveal) => (
          <li key={reveal.id} className={styles.reveal}>
            <span className={styles.text}>
              {told(reveal)}
              {reveal.knownTo && (
                <span className={styles.quiet}> {t.learnedBy(reveal.knownTo.map(named).join(", "))}</span>
              )}
            </span>
            <Button size="small" look="quiet" onClick={() => setSupposed(reveal)}>
              {t.whatIf}
            </Button>
            <IconButton
              icon="pen"
              size="small"
              label={t.editReveal(told(reveal))}
              onClick={() => setEdited(reveal)}
            />
            <IconButton
              icon="trash"
              size="small"
              label={t.removeReveal(told(reveal))}
              onClick={() =>
                void act(storyId, t.revealRemoved, () =>
                  deleteReveal({ path: { storyId, revealId: reveal.id } }),
                )
              }
            />
          </li>
        ))}
      </ul>
      <Button size="small" icon="plus" onClick={() => setEdited("new")}>
        {t.addReveal}
      </Button>
      {edited && (
        <RevealDialog
          storyId={storyId}
          reveal={edited === "new" ? null : edited}
          named={named}
          onClose={() => setEdited(null)}
        />
      )}
      {supposed && (
        <WhatIfDialog
          storyId={storyId}
          reveal={supposed}
          title={told(supposed)}
          places={places}
          onClose={() => setSupposed(null)}
        />
      )}
    </details>
  );
}
