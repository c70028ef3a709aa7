import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Extraction } from "../../client/rest";
import { readSceneOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Marked, placesOf } from "../../design/Marked";
import { scenePage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Proposal.module.css";
import { namesIn, passageIn } from "./source";
import { texts } from "./texts";

/** The words a proposal was found in, in their scene where it is known, with the names marked. */
export function Source({ storyId, proposal }: { storyId: string; proposal: Extraction }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const { chapter, scene, sourceText } = proposal;
  const hasPlace = chapter !== null && scene !== null;
  const saved = useQuery({
    ...readSceneOptions({ path: { storyId, chapter: chapter ?? 0, scene: scene ?? 0 } }),
    enabled: hasPlace && sourceText !== "",
  });
  const passage = saved.data ? passageIn(saved.data.text, proposal) : null;
  const quotation = <Marked text={sourceText} spans={placesOf(sourceText, namesIn(proposal))} />;
  return (
    <section className={styles.source} aria-label={t.source}>
      <h3 className={styles.heading}>
        {t.source}
        {hasPlace && (
          <Link to={scenePage(storyId, chapter, scene)}>{places.momentName({ chapter, scene })}</Link>
        )}
      </h3>
      {sourceText === "" ? (
        <p className={styles.quiet}>{t.sourceNone}</p>
      ) : (
        <blockquote className={styles.quotation}>
          {passage && <span className={styles.around}>{passage.before}</span>}
          <span>{quotation}</span>
          {passage && <span className={styles.around}>{passage.after}</span>}
        </blockquote>
      )}
      {sourceText !== "" && !proposal.sourceFound && <p className={styles.warn}>{t.sourceNotFound}</p>}
      {proposal.sourceFound && saved.data && !passage && <p className={styles.quiet}>{t.sourceMoved}</p>}
    </section>
  );
}
