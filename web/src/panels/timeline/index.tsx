import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useStore } from "zustand";
import type { StoryEvent } from "../../client/rest";
import { storyTimelineOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Trouble } from "../../design/states";
import { createKeptStore } from "../../kept";
import { useShortcuts } from "../../keys/shortcuts";
import { panelOf } from "../../story/addresses";
import { useBegun } from "../../story/begun";
import { usePlaces } from "../../story/places";
import { usePov } from "../../story/pov/pov";
import { SeenBy } from "../../story/pov/SeenBy";
import { useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { DeleteEvent } from "./DeleteEvent";
import { EventDialog } from "./EventDialog";
import { EventList } from "./EventList";
import { eventsOptions, type Filter, wanted } from "./events";
import { inOrder, type Order, turnsOf } from "./lanes";
import { Picture } from "./Picture";
import { Reveals } from "./reveals/Reveals";
import { ThreadLanes } from "./ThreadLanes";
import styles from "./Timeline.module.css";
import { TimelineBar } from "./TimelineBar";
import { texts } from "./texts";

export default function TimelinePanel() {
  const { id: storyId } = useStory();
  const events = useQuery(eventsOptions(storyId));
  if (events.data) return <Timeline storyId={storyId} events={events.data} />;
  if (events.error) return <Trouble error={events.error} onRetry={() => void events.refetch()} />;
  return <Loading rows={8} />;
}

const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const drawnStore = createKeptStore<boolean>("timeline:picture", true, isFlag);

function Timeline({ storyId, events }: { storyId: string; events: StoryEvent[] }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const [params, setParams] = useSearchParams();
  const [q, setQ] = useState("");
  const [written, setWritten] = useState<StoryEvent | "new" | null>(null);
  const [doomed, setDoomed] = useState<StoryEvent | null>(null);
  const isDrawn = useStore(drawnStore);
  const person = params.get("person");
  const place = params.get("place");
  const isOutline = params.get("outline") === "1";
  const deferred = useDeferredValue(q);
  const order: Order = params.get("order") === "happened" ? "happened" : "told";
  const timeline = useQuery({
    ...storyTimelineOptions({ path: { storyId }, query: { order } }),
    placeholderData: keepPreviousData,
  }).data;
  const turns = useMemo(() => timeline && turnsOf(timeline.order, timeline.items), [timeline]);
  const pov = usePov(storyId);
  const shown = useMemo(
    () => inOrder(wanted(events, { person, place, outline: isOutline, q: deferred }), turns),
    [events, person, place, isOutline, deferred, turns],
  );
  const isFiltered = person !== null || place !== null || isOutline || deferred.trim() !== "";
  const hasScenes = !isFiltered && turns?.items.some(({ kind }) => kind === "scene") === true;
  const isBare = events.length === 0 && !hasScenes;
  const openId = params.get("event");
  const put = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const filterBy = (changed: Partial<Filter>) => {
    if (changed.q !== undefined) setQ(changed.q);
    else if (changed.outline !== undefined) put({ outline: changed.outline ? "1" : null });
    else put(changed as Record<string, string | null>);
  };
  const clear = () => {
    setQ("");
    put({ person: null, place: null, outline: null });
  };
  // Of the address, not of the last rendering: keys may be quicker than that.
  const placeNow = () => {
    const now = new URLSearchParams(window.location.search).get("event");
    return shown.findIndex(({ id }) => id === now);
  };
  const step = (by: number) => {
    const at = placeNow();
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (next) put({ event: next.id });
  };
  useBegun(() => setWritten("new"));
  const group = words.timeline;
  useShortcuts([
    { keys: "j", label: t.keyNext, group, run: () => step(1) },
    { keys: "k", label: t.keyBefore, group, run: () => step(-1) },
    { keys: "n", label: t.newEvent, group, run: () => setWritten("new") },
    { keys: "e", label: t.editEvent, group, run: () => setWritten(shown[placeNow()] ?? null) },
    { keys: "Delete", label: words.delete, group, run: () => setDoomed(shown[placeNow()] ?? null) },
    { keys: "/", label: t.search, group, run: () => document.getElementById("timeline-search")?.focus() },
  ]);
  return (
    <div className={styles.timeline}>
      {!isBare && (
        <TimelineBar
          all={events}
          shownCount={shown.length}
          filter={{ person, place, outline: isOutline, q }}
          isDrawn={isDrawn}
          order={order}
          seenBy={<SeenBy storyId={storyId} pov={pov} />}
          onOrder={(next) => put({ order: next === "told" ? null : next })}
          onFilter={filterBy}
          onDrawn={drawnStore.setState}
          onNew={() => setWritten("new")}
        />
      )}
      {isDrawn && <ThreadLanes storyId={storyId} places={places} />}
      {!isBare && <Reveals storyId={storyId} places={places} />}
      {isBare ? (
        <Empty
          icon="timeline"
          title={t.none}
          actions={
            <>
              <Button look="primary" icon="plus" onClick={() => setWritten("new")}>
                {t.newEvent}
              </Button>
              <Link to={panelOf(storyId, "review")}>{t.goReview}</Link>
            </>
          }
        >
          {t.noneNext}
        </Empty>
      ) : shown.length === 0 && !hasScenes ? (
        <Empty icon="filter" title={t.noneFits} actions={<Button onClick={clear}>{t.clearFilters}</Button>} />
      ) : (
        <>
          {isDrawn && shown.length > 0 && (
            <Picture
              events={shown}
              places={places}
              turns={turns}
              pov={pov}
              openId={openId}
              person={person}
              onOpen={(event) => put({ event })}
              onPerson={(key) => put({ person: key })}
            />
          )}
          <EventList
            storyId={storyId}
            events={shown}
            places={places}
            turns={turns}
            hasScenes={hasScenes}
            pov={pov}
            openId={openId}
            onOpen={(event) => put({ event })}
            onEdit={setWritten}
            onDelete={setDoomed}
          />
        </>
      )}
      {written && (
        <EventDialog
          storyId={storyId}
          event={written === "new" ? null : written}
          onSaved={(event) => put({ event })}
          onClose={() => setWritten(null)}
        />
      )}
      {doomed && (
        <DeleteEvent
          storyId={storyId}
          event={doomed}
          onDeleted={() => {
            setDoomed(null);
            put({ event: null });
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </div>
  );
}
