import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import {
  type KnowledgeThoughtsResponse,
  knowledgeThoughts,
  type Moment,
  type ThoughtOfFact,
} from "../../client/rest";
import { IconButton } from "../../design/Button";
import { Trouble } from "../../design/states";
import { storyKey } from "../../server/server";
import { EntityPicker } from "../../story/EntityPicker";
import { FactName } from "../../story/knowing/FactName";
import { MomentField } from "../../story/MomentField";
import { namesOptions } from "../../story/People";
import { type Places, usePlaces } from "../../story/places";
import { type Said, useTexts } from "../../texts/language";
import styles from "./Knowledge.module.css";
import { texts } from "./texts";

const FEWEST = 2;
const MOST = 8;

interface ThoughtsProps {
  storyId: string;
  /** The ids of the people, the one who thinks first; somebody may stand there twice. */
  chain: readonly string[];
  onChain(chain: string[]): void;
}

/** What one thinks that another thinks … that the last one knows. */
export function Thoughts({ storyId, chain, onChain }: ThoughtsProps) {
  const t = useTexts(texts);
  const heading = useId();
  const [moment, setMoment] = useState<Moment | null>(null);
  const names = useQuery(namesOptions(storyId, chain)).data;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading}>{t.thoughts}</h2>
      <p className={styles.quiet}>{t.thoughtsWhy}</p>
      {chain.length > 0 && (
        <ol className={styles.chain}>
          {chain.map((id, place) => {
            const name = names?.get(id) ?? "…";
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: somebody may stand in a chain twice
              <li key={`${place}:${id}`} className={styles.link}>
                {name}
                <IconButton
                  icon="close"
                  size="small"
                  label={t.remove(name)}
                  onClick={() => onChain(chain.filter((_, each) => each !== place))}
                />
              </li>
            );
          })}
        </ol>
      )}
      <div className={styles.asked}>
        {chain.length < MOST && (
          <EntityPicker
            key={chain.length}
            storyId={storyId}
            label={t.add}
            value={null}
            without={chain.slice(-1)}
            onPick={(picked) => picked && onChain([...chain, picked.id])}
          />
        )}
        <MomentField
          storyId={storyId}
          label={t.asOf}
          moment={moment}
          none={t.wholeStory}
          onChange={setMoment}
        />
      </div>
      {chain.length >= FEWEST && <OfChain storyId={storyId} chain={chain} moment={moment} />}
    </section>
  );
}

function OfChain({
  storyId,
  chain,
  moment,
}: {
  storyId: string;
  chain: readonly string[];
  moment: Moment | null;
}) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const answer = useQuery({
    queryKey: storyKey("thoughts", storyId, chain, moment),
    queryFn: async ({ signal }): Promise<KnowledgeThoughtsResponse> => {
      const body = { chain: [...chain], chapter: moment?.chapter ?? null, scene: moment?.scene ?? null };
      return (await knowledgeThoughts({ path: { storyId }, body, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
  if (answer.error) return <Trouble error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return null;
  const { names, items } = answer.data;
  return (
    <div className={styles.thoughts} role="status">
      <Facts
        storyId={storyId}
        title={[...names.slice(0, -1).map(t.thinks), t.knows(names.at(-1) ?? "")].join("")}
        items={items.filter(({ knows }) => knows)}
        places={places}
      />
      <Facts
        storyId={storyId}
        title={t.rest(names[0] ?? "")}
        items={items.filter(({ knows }) => !knows)}
        places={places}
      />
    </div>
  );
}

interface FactsProps {
  storyId: string;
  title: string;
  items: readonly ThoughtOfFact[];
  places: Places;
}

function Facts({ storyId, title, items, places }: FactsProps) {
  const t = useTexts(texts);
  return (
    <section>
      <h3>{title}</h3>
      {items.length === 0 && <p className={styles.quiet}>{t.noneKnown}</p>}
      <ul className={styles.facts}>
        {items.map(({ fact, label, because }) => (
          <li key={`${fact.kind}:${fact.id}`} className={styles.fact}>
            <FactName storyId={storyId} fact={fact} label={label} />
            {because && <p className={styles.quiet}>{reason(because, places, t)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The occasion at which all of them were there, in words. */
const reason = (
  { name, since }: NonNullable<ThoughtOfFact["because"]>,
  places: Places,
  t: Said<typeof texts>,
): string | null => {
  const place = since && places.momentName(since);
  const where = [name, place].filter(Boolean).join(" · ");
  return where ? t.saw(where) : null;
};
