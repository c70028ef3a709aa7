import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listEventsOptions, readEventOptions } from "../../client/rest/@tanstack/react-query.gen";
import { NodeMark } from "../../design/NodeMark";
import { entityPage, panelOf } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import type { Entity } from "./entity";
import { Section } from "./Section";
import { texts } from "./texts";

const MOST = 200;

/** The events that somebody takes part in, or happen at a place, in the order of the story. */
export function Events({ storyId, entity }: { storyId: string; entity: Entity }) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const isPlace = entity.type === "location";
  const events = useQuery(
    listEventsOptions({
      path: { storyId },
      query: { ...(isPlace ? { location: entity.id } : { entityId: entity.id }), size: MOST },
    }),
  ).data;
  const timeline = panelOf(storyId, "timeline", { [isPlace ? "place" : "person"]: entity.id });
  return (
    <Section
      title={t.events}
      note={events?.totalElements || undefined}
      tools={events && events.totalElements > 0 && <Link to={timeline}>{t.openTimeline}</Link>}
    >
      {events?.totalElements === 0 && <p className={styles.quiet}>{t.eventsNone}</p>}
      <ol>
        {(events?.content ?? []).map(({ id, name, summary, moment, roles }) => {
          const role = roles.find(({ entityId }) => entityId === entity.id)?.role;
          return (
            <li key={id} className={styles.relation}>
              <NodeMark type="event" />
              <div className={styles.relationText}>
                <Link to={panelOf(storyId, "timeline", { event: id })}>{name}</Link>
                {moment && <span className={styles.period}>{places.momentName(moment)}</span>}
                {role && <span className={styles.note}> {role}</span>}
                <p className={styles.clamped}>{summary}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** Who takes part in an event that has a page of its own. */
export function Cast({ storyId, eventId }: { storyId: string; eventId: string }) {
  const t = useTexts(texts);
  const event = useQuery(readEventOptions({ path: { storyId, eventId } })).data;
  const parties = [
    ...(event?.roles ?? []).map((role) => ({ ...role, mark: "character" })),
    ...(event?.locations ?? []).map((place) => ({ ...place, role: "", mark: "location" })),
  ];
  return (
    <Section
      title={t.cast}
      note={event?.roles.length}
      tools={<Link to={panelOf(storyId, "timeline", { event: eventId })}>{t.openTimeline}</Link>}
    >
      <ul>
        {parties.map(({ entityId, name, role, mark }) => (
          <li key={entityId ?? name} className={styles.relation}>
            <NodeMark type={mark} />
            <div className={styles.relationText}>
              {entityId ? <Link to={entityPage(storyId, entityId)}>{name}</Link> : name}
              {role && <span className={styles.note}> {role}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
