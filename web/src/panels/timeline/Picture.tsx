import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { StoryEvent } from "../../client/rest";
import { NodeMark } from "../../design/NodeMark";
import type { Places } from "../../story/places";
import type { Pov } from "../../story/pov/pov";
import { useTexts } from "../../texts/language";
import { isUnknownTo } from "./events";
import { bandsOf, columnWidth, type Lane, lanesOf, type Turns, touched } from "./lanes";
import styles from "./Picture.module.css";
import { bandName, texts } from "./texts";

const LANE = 30;
const WIDE_LABELS = 168;
const NARROW_LABELS = 104;
const NARROW = 600;
const FEW = 12;
const MANY = 60;

interface PictureProps {
  events: readonly StoryEvent[];
  places: Places;
  turns: Turns | undefined;
  pov: Pov;
  openId: string | null;
  person: string | null;
  onOpen(id: string): void;
  onPerson(key: string | null): void;
}

/** Chapters from left to right, people from top to bottom: who is in which event. */
export function Picture({ events, places, turns, pov, openId, person, onOpen, onPerson }: PictureProps) {
  const t = useTexts(texts);
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(800);
  const labels = room < NARROW ? NARROW_LABELS : WIDE_LABELS;
  const [most, setMost] = useState(FEW);
  const lanes = useMemo(() => lanesOf(events, most), [events, most]);
  const bands = useMemo(() => bandsOf(events, turns), [events, turns]);
  const laneOf = useMemo(() => new Map(lanes.map(({ key }, place) => [key, place])), [lanes]);
  const people = useMemo(() => lanesOf(events, MANY).length, [events]);
  useLayoutEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const width = columnWidth(room - labels - 8, events.length);
  const columns = useVirtualizer({
    horizontal: true,
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => width,
    scrollPaddingStart: labels,
    overscan: 10,
  });
  useEffect(() => {
    void width;
    columns.measure();
  }, [columns, width]);
  const openAt = events.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (openAt >= 0) columns.scrollToIndex(openAt, { align: "auto" });
  }, [openAt, columns]);
  const height = (lanes.length + 1) * LANE;
  return (
    <section className={styles.picture} aria-label={t.picture}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <div ref={box} className={styles.box} tabIndex={0} role="group" aria-label={t.pictureNote}>
        <div className={styles.grid} style={{ width: labels + events.length * width }}>
          <div className={styles.corner} style={{ width: labels }}>
            {t.events}
          </div>
          <div className={styles.bands}>
            {bands.map((band) => (
              <div
                key={band.from}
                className={styles.band}
                style={{ left: band.from * width, width: (band.to - band.from) * width }}
              >
                <span style={{ left: labels + 8 }}>{bandName(band, places, t)}</span>
              </div>
            ))}
          </div>
          <Labels lanes={lanes} width={labels} person={person} onPerson={onPerson} />
          <div className={styles.field} style={{ height }}>
            {bands.map(({ from, to }, place) => (
              <div
                key={from}
                className={styles.stripe}
                data-odd={place % 2 === 1 || undefined}
                style={{ left: from * width, width: (to - from) * width }}
              />
            ))}
            {lanes.map(({ key, first, last }, place) => (
              <div
                key={key}
                className={styles.way}
                data-chosen={key === person || undefined}
                style={{
                  top: (place + 1.5) * LANE,
                  left: (first + 0.5) * width,
                  width: (last - first) * width,
                }}
              />
            ))}
            {columns.getVirtualItems().map(({ index }) => {
              const event = events[index];
              return (
                event && (
                  <Column
                    key={event.id}
                    event={event}
                    lanes={touched(event, laneOf)}
                    left={index * width}
                    width={width}
                    unknown={isUnknownTo(event, pov) ? t.notKnownTo(pov.name) : null}
                    isOpen={event.id === openId}
                    onOpen={onOpen}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
      {people > FEW && (
        <button type="button" className={styles.more} onClick={() => setMost(most === FEW ? MANY : FEW)}>
          {most === FEW ? t.moreLanes(people - FEW) : t.fewerLanes}
        </button>
      )}
    </section>
  );
}

interface LabelsProps {
  lanes: readonly Lane[];
  width: number;
  person: string | null;
  onPerson(key: string | null): void;
}

function Labels({ lanes, width, person, onPerson }: LabelsProps) {
  const t = useTexts(texts);
  return (
    <ul className={styles.labels} style={{ width, paddingTop: LANE }}>
      {lanes.map(({ key, name, count }) => (
        <li key={key} style={{ height: LANE }}>
          <button
            type="button"
            className={styles.label}
            aria-pressed={key === person}
            title={t.onlyWith(name)}
            onClick={() => onPerson(key === person ? null : key)}
          >
            <span>{name}</span>
            <span className={styles.count}>{count}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ColumnProps {
  event: StoryEvent;
  lanes: readonly number[];
  left: number;
  width: number;
  /** That the one who sees it does not know it, in words. */
  unknown: string | null;
  isOpen: boolean;
  onOpen(id: string): void;
}

/** One event: its mark on top, and a dot on the line of everybody who takes part. */
function Column({ event, lanes, left, width, unknown, isOpen, onOpen }: ColumnProps) {
  const top = lanes[0];
  const bottom = lanes.at(-1);
  const name = unknown === null ? event.name : `${event.name}: ${unknown}`;
  const size = 8 + Math.round(event.significance * 8);
  return (
    <button
      type="button"
      className={styles.column}
      style={{ left, width }}
      title={name}
      aria-label={name}
      data-unknown={unknown !== null || undefined}
      aria-pressed={isOpen}
      onClick={() => onOpen(event.id)}
    >
      <span className={styles.sign} style={{ height: LANE }}>
        <NodeMark type="event" size={event.level === 1 ? size + 2 : size - 2} />
      </span>
      {top !== undefined && bottom !== undefined && (
        <span
          className={styles.stem}
          style={{ top: LANE * 0.8, height: (bottom + 0.7) * LANE, left: width / 2 }}
        />
      )}
      {lanes.map((lane) => (
        <span
          key={lane}
          className={styles.dot}
          data-outline={event.level === 1 || undefined}
          style={{ top: (lane + 1.5) * LANE, left: width / 2 }}
        />
      ))}
    </button>
  );
}
