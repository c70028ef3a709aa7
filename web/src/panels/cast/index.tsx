import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import type { CastMember } from "../../client/rest";
import { readCastOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Notice, Trouble } from "../../design/states";
import { ask } from "../../server/channel";
import { act } from "../../story/act";
import { entityPage, panelOf, scenePage } from "../../story/addresses";
import { usePlaces } from "../../story/places";
import { Sparkline } from "../../story/Sparkline";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Cast.module.css";
import { texts } from "./texts";

const AT_FIRST = 60;
const AT_MOST = 1_000;

/** Whom the book names: cards by mentions, and one click that makes two of them one. */
export default function CastPanel() {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const { id: storyId } = useStory();
  const navigate = useNavigate();
  const [limit, setLimit] = useState(AT_FIRST);
  const [chosen, setChosen] = useState<CastMember | null>(null);
  const [dragged, setDragged] = useState<CastMember | null>(null);
  const cast = useQuery({
    ...readCastOptions({ path: { storyId }, query: { limit } }),
    placeholderData: keepPreviousData,
  });
  if (cast.error) return <Trouble error={cast.error} onRetry={() => void cast.refetch()} />;
  if (!cast.data) return <Loading rows={8} />;
  const { items, total } = cast.data;
  if (items.length === 0)
    return (
      <Empty
        icon="people"
        title={t.none}
        actions={
          <Button look="primary" icon="pen" onClick={() => void navigate(panelOf(storyId, "write"))}>
            {t.write}
          </Button>
        }
      >
        {t.noneNext}
      </Empty>
    );
  const join = async (one: CastMember, other: CastMember) => {
    // The name that the book uses more stays; the other becomes an alias.
    const [kept, gone] = one.times >= other.times ? [one, other] : [other, one];
    setChosen(null);
    setDragged(null);
    await act(storyId, t.joined(kept.name, gone.name), () =>
      ask("knowledge:entity:merge", {
        projectId: storyId,
        targetEntityId: kept.id,
        sourceEntityIds: [gone.id],
      }),
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape lets go of the chosen card, wherever one is
    <div className={styles.cast} onKeyDown={(event) => event.key === "Escape" && setChosen(null)}>
      <header className={styles.head}>
        <h2>{t.title}</h2>
        <p>{t.counted(items.length, total)}</p>
      </header>
      <p className={styles.why}>{t.why}</p>
      <div role="status" className={styles.asked}>
        {chosen && (
          <Notice
            actions={
              <Button size="small" onClick={() => setChosen(null)}>
                {words.cancel}
              </Button>
            }
          >
            {t.choosing(chosen.name)}
          </Notice>
        )}
      </div>
      <ul className={styles.cards}>
        {items.map((member) => (
          <Card
            key={member.id}
            storyId={storyId}
            member={member}
            isChosen={chosen?.id === member.id}
            isAsked={chosen !== null && chosen.id !== member.id}
            onSame={() => setChosen(member)}
            onJoin={() => chosen && void join(chosen, member)}
            isDragged={dragged?.id === member.id}
            canDrop={dragged !== null && dragged.id !== member.id}
            onDrag={setDragged}
            onDrop={() => dragged && void join(dragged, member)}
          />
        ))}
      </ul>
      {total > items.length && limit < AT_MOST && <Button onClick={() => setLimit(AT_MOST)}>{t.more}</Button>}
    </div>
  );
}

interface CardProps {
  storyId: string;
  member: CastMember;
  isChosen: boolean;
  /** Somebody else is chosen: is this the same person? */
  isAsked: boolean;
  onSame(): void;
  onJoin(): void;
  isDragged: boolean;
  /** Another card is held over this one: dropped, the two are one person. */
  canDrop: boolean;
  onDrag(member: CastMember | null): void;
  onDrop(): void;
}

function Card(props: CardProps) {
  const { storyId, member, isChosen, isAsked, canDrop, onSame, onJoin, onDrag, onDrop } = props;
  const [isOver, setOver] = useState(false);
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const { id, name, aliases, times, firstChapter, firstScene, spread } = member;
  const first = places.shortName(firstChapter);
  const full = places.chapterName(firstChapter);
  return (
    <li
      className={styles.card}
      data-chosen={isChosen || undefined}
      data-dragged={props.isDragged || undefined}
      data-over={(isOver && canDrop) || undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "link";
        event.dataTransfer.setData("text/plain", name);
        onDrag(member);
      }}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => {
        if (!canDrop) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!canDrop) return;
        event.preventDefault();
        setOver(false);
        onDrop();
      }}
    >
      <div className={styles.who}>
        <span aria-hidden="true" className={styles.initial}>
          {[...name][0]}
        </span>
        <div>
          <Link to={entityPage(storyId, id)} className={styles.name}>
            {name}
          </Link>
          <p className={styles.small}>
            {t.times(times)} · {t.first(first)}
          </p>
        </div>
      </div>
      {aliases.length > 0 && (
        <ul className={styles.aliases}>
          {aliases.map((alias) => (
            <li key={alias}>{alias}</li>
          ))}
        </ul>
      )}
      <div className={styles.course}>
        <Sparkline label={t.spread(name)} numbers={spread} />
      </div>
      <div className={styles.acts}>
        {isAsked ? (
          <Button size="small" look="primary" onClick={onJoin}>
            {t.thisOne(name)}
          </Button>
        ) : (
          <Button size="small" aria-pressed={isChosen} aria-label={t.sameOf(name)} onClick={onSame}>
            {t.same}
          </Button>
        )}
        <Link to={scenePage(storyId, firstChapter, firstScene)} title={full}>
          {t.openFirst(first)}
        </Link>
      </div>
    </li>
  );
}
