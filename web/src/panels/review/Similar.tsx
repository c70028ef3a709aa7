import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Extraction } from "../../client/rest";
import { searchStoryOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { entityPage } from "../../story/addresses";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Proposal.module.css";
import { texts } from "./texts";

const SHOWN = 4;
const LIKELY = 0.3;

interface SimilarProps {
  storyId: string;
  proposal: Extraction;
  onMerge(targetId: string): void;
}

/** Whom of the story a newcomer may be: the same person is seldom wanted twice. */
export function Similar({ storyId, proposal, onMerge }: SimilarProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const found = useQuery(
    searchStoryOptions({
      path: { storyId },
      query: { q: proposal.entityName, kinds: [proposal.kind === "event" ? "event" : "entity"], limit: 10 },
    }),
  );
  const likely = (found.data?.items ?? [])
    .filter(({ why, score }) => why === "name" || (why === "text" && score >= LIKELY))
    .slice(0, SHOWN);
  if (likely.length === 0) return null;
  return (
    <section aria-label={t.similar}>
      <h3 className={styles.heading}>{t.similar}</h3>
      <ul className={styles.similar}>
        {likely.map(({ id, title, type, snippet }) => (
          <li key={id}>
            <NodeMark type={type} />
            <Link to={entityPage(storyId, id)}>{title}</Link>
            <span className={styles.snippet}>{snippet}</span>
            <Button size="small" aria-label={`${words.merge}: ${title}`} onClick={() => onMerge(id)}>
              {words.merge}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
