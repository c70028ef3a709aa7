import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Moment } from "../../client/rest";
import { listIn, typedValue } from "../../story/Attributes";
import { scenePage } from "../../story/addresses";
import { MomentField } from "../../story/MomentField";
import { holdsAt, usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import { type Entity, fieldsOf, statesOptions } from "./entity";
import { Section } from "./Section";
import { texts } from "./texts";

/** Who or what it is as of a moment: its description, and what else the story has told by then. */
export function Profile({ storyId, entity, tools }: { storyId: string; entity: Entity; tools: ReactNode }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [asOf, setAsOf] = useState<Moment | null>(null);
  const states = (useQuery(statesOptions(storyId, entity.id)).data ?? []).filter(
    ({ description }) => description !== "",
  );
  const attributes = Object.entries(fieldsOf(entity).attributes);
  const told = states.filter((state) => holdsAt(state, asOf));
  // What is read from a book names somebody first, and says the rest where the book does.
  const hasDescription = entity.description !== "" && entity.description !== entity.name;
  return (
    <Section title={t.profile} tools={tools}>
      {states.length > 0 && (
        <MomentField storyId={storyId} label={t.asOf} moment={asOf} none={t.wholeStory} onChange={setAsOf} />
      )}
      {hasDescription && <p className={styles.told}>{entity.description}</p>}
      {!hasDescription && told.length === 0 && (
        <p className={styles.quiet}>{states.length === 0 ? t.profileEmpty : t.profileNone}</p>
      )}
      {attributes.length > 0 && (
        <dl className={styles.attributes}>
          {attributes.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{listIn(value)?.map(String).join(" · ") ?? typedValue(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <ul className={styles.facts}>
        {told.map(({ id, description, since }) => (
          <li key={id}>
            {description}
            {since && (
              <Link className={styles.period} to={scenePage(storyId, since.chapter, since.scene ?? 0)}>
                {places.chapterName(since.chapter)}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
