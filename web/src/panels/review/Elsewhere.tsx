import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Extraction } from "../../client/rest";
import { searchStoryOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Marked } from "../../design/Marked";
import { scenePage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Proposal.module.css";
import { texts } from "./texts";

const SHOWN = 3;

/** Other sentences of the book that have the name, as one quotation seldom says who somebody is. */
export function Elsewhere({ storyId, proposal }: { storyId: string; proposal: Extraction }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const found = useQuery(
    searchStoryOptions({
      path: { storyId },
      query: { q: proposal.entityName, kinds: ["passage"], limit: 2 * SHOWN },
    }),
  );
  const others = (found.data?.items ?? [])
    .filter(({ marks, snippet }) => marks.length > 0 && !snippet.includes(proposal.sourceText || "\0"))
    .slice(0, SHOWN);
  if (others.length === 0) return null;
  return (
    <section aria-label={t.alsoIn}>
      <h3 className={styles.heading}>{t.alsoIn}</h3>
      <ul className={styles.elsewhere}>
        {others.map((hit) => {
          const { id, snippet, marks, chapter, scene } = hit;
          return (
            <li key={id}>
              <Link to={scenePage(storyId, chapter ?? 0, scene ?? 0, hit)}>
                {places.shortName(chapter ?? 0)}
              </Link>
              <span>
                <Marked text={snippet} spans={marks} />
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
