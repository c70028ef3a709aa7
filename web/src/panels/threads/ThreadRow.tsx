import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { deleteThread, type StoryThread, unmarkThread } from "../../client/rest";
import { IconButton } from "../../design/Button";
import { act } from "../../story/act";
import { entityPage, scenePage } from "../../story/addresses";
import type { Places } from "../../story/places";
import { StatusMark } from "../../story/threads/StatusMark";
import { texts as threadTexts } from "../../story/threads/texts";
import { ROLES } from "../../story/threads/threads";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Threads.module.css";
import { texts } from "./texts";

const WhoKnowsDialog = lazy(async () => ({
  default: (await import("../../story/knowing/WhoKnows")).WhoKnowsDialog,
}));

interface ThreadRowProps {
  storyId: string;
  thread: StoryThread;
  places: Places;
  names: ReadonlyMap<string, string>;
  isOpen: boolean;
  onEdit(): void;
}

/** One thread: where it stands, when it is due, whom it concerns, and its places in the text. */
export function ThreadRow({ storyId, thread, places, names, isOpen, onEdit }: ThreadRowProps) {
  const t = useTexts(texts);
  const words = useTexts(threadTexts);
  const shared = useTexts(glossary);
  const [isAsked, setAsked] = useState(false);
  const { title, kind, status, dueAt, dueWithin, note, people, secrecy } = thread;
  const remove = () =>
    act(storyId, t.deleted(title), () => deleteThread({ path: { storyId, threadId: thread.id } }));
  const unmark = (pointId: string) =>
    act(storyId, t.unmarked, () => unmarkThread({ path: { storyId, threadId: thread.id, pointId } }));
  const isPlaced = ROLES.some((role) => thread[role].length > 0);
  return (
    <article className={styles.thread} aria-label={title} data-open={isOpen || undefined}>
      <header className={styles.head}>
        <StatusMark status={status} />
        <h2>{title}</h2>
        <span className={styles.quiet}>{words[kind]}</span>
        {secrecy === "private" && <span className={styles.quiet}>{shared.private}</span>}
        <span className={styles.tools}>
          {secrecy === "private" && (
            <IconButton icon="eye" size="small" label={t.whoKnowsOf(title)} onClick={() => setAsked(true)} />
          )}
          <IconButton icon="pen" size="small" label={t.editOf(title)} onClick={onEdit} />
          <IconButton icon="trash" size="small" label={t.deleteOf(title)} onClick={() => void remove()} />
        </span>
      </header>
      {(dueAt || dueWithin !== null || people.length > 0) && (
        <p className={styles.quiet}>
          {dueAt ? t.dueAt(places.momentName(dueAt)) : dueWithin !== null && words.dueWithin(dueWithin)}
          {people.length > 0 && (dueAt || dueWithin !== null) && " · "}
          {people.map((id, place) => (
            <span key={id}>
              {place > 0 && ", "}
              <Link to={entityPage(storyId, id)}>{names.get(id) ?? "…"}</Link>
            </span>
          ))}
        </p>
      )}
      {note && <p className={styles.note}>{note}</p>}
      {isPlaced ? (
        <div className={styles.points}>
          {ROLES.filter((role) => thread[role].length > 0).map((role) => (
            <section key={role}>
              <h3>{words[role]}</h3>
              <ul>
                {thread[role].map((point) => (
                  <li key={point.id} className={styles.point}>
                    <span>
                      <Link to={scenePage(storyId, point.chapter, point.scene, point)}>
                        {places.momentName(point)}
                      </Link>
                      {point.partial && <span className={styles.quiet}> · {t.partial}</span>}
                      <q>{point.quotation}</q>
                      {point.start === null && <span className={styles.lost}>{t.lost}</span>}
                    </span>
                    <IconButton
                      icon="close"
                      size="small"
                      label={t.removeOf(point.quotation)}
                      onClick={() => void unmark(point.id)}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      ) : (
        <p className={styles.quiet}>{t.noPoints}</p>
      )}
      {isAsked && (
        <Suspense>
          <WhoKnowsDialog
            storyId={storyId}
            fact={{ kind: "thread", id: thread.id }}
            label={title}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </article>
  );
}
