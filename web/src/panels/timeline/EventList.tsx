import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import type { StoryEvent } from "../../client/rest";
import type { Places } from "../../story/places";
import type { Pov } from "../../story/pov/pov";
import { useTexts } from "../../texts/language";
import styles from "./EventList.module.css";
import { EventRow } from "./EventRow";
import { type Row, rowsOf, rowsWithScenes, type Turns } from "./lanes";
import { SceneRow } from "./SceneRow";
import { bandName, texts } from "./texts";

interface EventListProps {
  storyId: string;
  events: readonly StoryEvent[];
  places: Places;
  /** Scenes stand among the events where they are given. */
  turns: Turns | undefined;
  hasScenes: boolean;
  pov: Pov;
  openId: string | null;
  onOpen(id: string | null): void;
  onEdit(event: StoryEvent): void;
  onDelete(event: StoryEvent): void;
}

const keyOf = (row: Row | undefined): string =>
  row === undefined
    ? ""
    : row.kind === "event"
      ? row.event.id
      : row.kind === "scene"
        ? row.turn.id
        : `chapter:${row.band.from}`;

const HEIGHTS = { chapter: 44, scene: 40, event: 92 } as const;

/** The events one under the other, by chapter; only those in sight are there. */
export function EventList(props: EventListProps) {
  const { storyId, events, places, turns, hasScenes, pov, openId, onOpen, onEdit, onDelete } = props;
  const t = useTexts(texts);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(
    () => (turns && hasScenes ? rowsWithScenes(events, turns) : rowsOf(events, turns)),
    [events, turns, hasScenes],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (place) => HEIGHTS[rows[place]?.kind ?? "event"],
    getItemKey: (place) => keyOf(rows[place]),
    overscan: 6,
  });
  const openAt = rows.findIndex((row) => row.kind === "event" && row.event.id === openId);
  useEffect(() => {
    if (openAt < 0 || !box.current) return;
    const row = list.getVirtualItems().find(({ index }) => index === openAt);
    const top = row ? row.start - (list.scrollOffset ?? 0) : -1;
    // What is open is tall: it begins in the upper half, so that most of it is in sight, and does not jump without need.
    if (top < 0 || top > box.current.clientHeight / 2) list.scrollToIndex(openAt, { align: "start" });
  }, [openAt, list]);
  return (
    <section ref={box} className={styles.list} aria-label={t.list}>
      <ol style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              ref={list.measureElement}
              data-index={index}
              className={styles.item}
              style={{ translate: `0 ${start}px` }}
            >
              {row.kind === "chapter" ? (
                <h2 className={styles.chapter}>{bandName(row.band, places, t)}</h2>
              ) : row.kind === "scene" ? (
                <SceneRow
                  storyId={storyId}
                  turn={row.turn}
                  places={places}
                  hasChapter={turns?.order === "happened"}
                />
              ) : (
                <EventRow
                  storyId={storyId}
                  event={row.event}
                  places={places}
                  when={turns?.whenOf.get(row.event.id) ?? ""}
                  pov={pov}
                  isOpen={row.event.id === openId}
                  onToggle={() => onOpen(row.event.id === openId ? null : row.event.id)}
                  onEdit={onEdit}
                  onDelete={onDelete}
                />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
