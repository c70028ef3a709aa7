import { useId, useState } from "react";
import { Link } from "react-router";
import type { StoryEvent } from "../../client/rest";
import { Button } from "../../design/Button";
import { NodeMark } from "../../design/NodeMark";
import { entityPage, scenePage } from "../../story/addresses";
import type { Places } from "../../story/places";
import type { Pov } from "../../story/pov/pov";
import { WorldTimeDialog } from "../../story/worldTime/WorldTimeDialog";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import styles from "./EventList.module.css";
import { saveEventTime } from "./event";
import { isUnknownTo } from "./events";
import { texts } from "./texts";

interface EventRowProps {
  storyId: string;
  event: StoryEvent;
  places: Places;
  /** When it happens in the story's own time, in words. */
  when: string;
  pov: Pov;
  isOpen: boolean;
  onToggle(): void;
  onEdit(event: StoryEvent): void;
  onDelete(event: StoryEvent): void;
}

/** One event, and when it is opened everything that is known of it. */
export function EventRow(props: EventRowProps) {
  const { storyId, event, places, pov, isOpen, onToggle, onEdit, onDelete } = props;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const more = useId();
  const [isDating, setDating] = useState(false);
  const isUnknown = isUnknownTo(event, pov);
  const belief = pov.beliefs.get(event.id);
  const scene = event.moment?.scene;
  const when = [
    event.moment && scene !== null && scene !== undefined
      ? places.sceneName(event.moment.chapter, scene)
      : null,
    event.timeAnchor || null,
    props.when || null,
  ].filter((part) => part !== null);
  return (
    <article
      className={styles.event}
      data-open={isOpen || undefined}
      data-unknown={isUnknown || undefined}
      data-detail={event.level === 0 || undefined}
    >
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={more}
        onClick={onToggle}
      >
        <NodeMark type="event" size={event.level === 1 ? 18 : 14} />
        <span className={styles.name}>{event.name}</span>
        <span className={styles.when}>{when.join(" · ")}</span>
        <span className={styles.summary}>{event.summary || event.event}</span>
      </button>
      {(isUnknown || belief) && (
        <p className={styles.sight}>{belief ? t.believedBy(pov.name, belief) : t.notKnownTo(pov.name)}</p>
      )}
      <div id={more} hidden={!isOpen}>
        {isOpen && (
          <>
            <EventMore storyId={storyId} event={event} />
            <p className={styles.tools}>
              <Button size="small" icon="pen" onClick={() => onEdit(event)}>
                {t.edit}
              </Button>
              <Button size="small" icon="timeline" onClick={() => setDating(true)}>
                {t.setTime}
              </Button>
              <Button size="small" look="quiet" icon="trash" onClick={() => onDelete(event)}>
                {words.delete}
              </Button>
            </p>
          </>
        )}
      </div>
      {isDating && (
        <WorldTimeDialog
          title={t.worldTimeOf(event.name)}
          ownId={event.id}
          time={event.worldTime}
          onSave={(given) => saveEventTime(storyId, event.id, given, t.timeSaved)}
          onClose={() => setDating(false)}
        />
      )}
      {!isOpen && event.roles.length > 0 && (
        <p className={styles.cast}>
          {event.roles.map(({ name }) => name).join(", ")}
          {event.locations.length > 0 && ` — ${event.locations.map(({ name }) => name).join(", ")}`}
        </p>
      )}
    </article>
  );
}

function EventMore({ storyId, event }: { storyId: string; event: StoryEvent }) {
  const t = useTexts(texts);
  const percent = new Intl.NumberFormat(useLanguage(), { style: "percent" });
  const named = (name: string, entityId: string | null) =>
    entityId === null ? name : <Link to={entityPage(storyId, entityId)}>{name}</Link>;
  const { moment } = event;
  return (
    <div className={styles.more}>
      <dl className={styles.facts}>
        {event.roles.length > 0 && (
          <>
            <dt>{t.who}</dt>
            <dd>
              <ul className={styles.roles}>
                {event.roles.map(({ entityId, name, role }) => (
                  <li key={entityId ?? name}>
                    {named(name, entityId)}
                    {role && <span className={styles.role}> {role}</span>}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {event.locations.length > 0 && (
          <>
            <dt>{t.where}</dt>
            <dd>
              <ul className={styles.roles}>
                {event.locations.map(({ entityId, name }) => (
                  <li key={entityId ?? name}>{named(name, entityId)}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {event.causality && (
          <>
            <dt>{t.cause}</dt>
            <dd>{event.causality}</dd>
          </>
        )}
        {event.logic.length > 0 && (
          <>
            <dt>{t.signs}</dt>
            <dd>
              <ul className={styles.signs}>
                {event.logic.map((sign) => (
                  <li key={sign}>{sign}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{t.weight}</dt>
        <dd>{percent.format(event.significance)}</dd>
      </dl>
      <p className={styles.links}>
        <Link to={entityPage(storyId, event.id)}>{t.openPage}</Link>
        {moment && moment.scene !== null && moment.scene !== undefined && (
          <Link to={scenePage(storyId, moment.chapter, moment.scene)}>{t.openScene}</Link>
        )}
      </p>
    </div>
  );
}
