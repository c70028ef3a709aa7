import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import type { ChapterInfo, SceneInfo, StoryThread } from "../../client/rest";
import { listChaptersOptions, listThreadsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Select, Switch } from "../../design/Field";
import { Empty, Loading, Trouble } from "../../design/states";
import { tellTrouble } from "../../design/toasts";
import { revisionOf } from "../../server/revision";
import { panelOf } from "../../story/addresses";
import { chapterStep, type Move, sceneStep } from "../../story/manuscript/arranging";
import { planScene } from "../../story/manuscript/chapters";
import { moved } from "../../story/manuscript/moving";
import type { Place } from "../../story/manuscript/place";
import { summariesOptions } from "../../story/manuscript/summaries";
import { placeOf, useAhead } from "../../story/manuscript/useAhead";
import { chapterGapAt, sceneGapAt, stepOf, useDragging } from "../../story/manuscript/useDragging";
import { PickDialog } from "../../story/PickDialog";
import { usePlaces } from "../../story/places";
import { tellDone, useStory } from "../../story/story";
import { namesOptions, pointsOf, UNSETTLED } from "../../story/threads/threads";
import { useTexts } from "../../texts/language";
import styles from "./Plan.module.css";
import { SceneLine, type Turn } from "./SceneLine";
import { texts } from "./texts";

/** The book at a glance: every scene with who tells it, how long it is, and which threads run through it. */
export default function PlanPanel() {
  const { id: storyId } = useStory();
  const t = useTexts(texts);
  const chapters = useQuery(listChaptersOptions({ path: { storyId } }));
  const threads = useQuery(listThreadsOptions({ path: { storyId } }));
  const error = chapters.error ?? threads.error;
  if (chapters.data && threads.data)
    return chapters.data.chapters.length === 0 ? (
      <Empty icon="plan" title={t.none} actions={<Link to={panelOf(storyId, "write")}>{t.toWrite}</Link>}>
        {t.noneNext}
      </Empty>
    ) : (
      <Plan storyId={storyId} chapters={chapters.data.chapters} threads={threads.data.items} />
    );
  if (error)
    return (
      <Trouble error={error} onRetry={() => void Promise.all([chapters.refetch(), threads.refetch()])} />
    );
  return <Loading rows={8} />;
}

interface PlanProps {
  storyId: string;
  chapters: readonly ChapterInfo[];
  threads: readonly StoryThread[];
}

const NOBODY: ReadonlyMap<string, string> = new Map();
const NO_TURNS: readonly Turn[] = [];
const WITHOUT = "-";

function Plan({ storyId, chapters, threads }: PlanProps) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [pov, setPov] = useState("");
  const [isAll, setAll] = useState(false);
  const [picking, setPicking] = useState<Place | null>(null);
  const body = useRef<HTMLTableElement>(null);
  const moving = useRef<string | null>(null);
  const ahead = useAhead(chapters);
  const summaries = useQuery(summariesOptions(storyId)).data;
  const scenes = useMemo(() => chapters.flatMap((chapter) => chapter.scenes), [chapters]);
  const told = useMemo(() => countsOf(scenes), [scenes]);
  const people = useMemo(() => [...told.keys()].filter((id) => id !== WITHOUT).sort(), [told]);
  const names = useQuery(namesOptions(storyId, people)).data ?? NOBODY;
  const shown = isAll
    ? threads
    : threads.filter(({ status }) => UNSETTLED.includes(status) || status === "planned");
  const turns = useMemo(() => turnsOf(threads), [threads]);
  const move = async (wanted: Move) => {
    try {
      const done = await moved(storyId, wanted);
      if (done) tellDone(storyId, t.moved, revisionOf(done));
    } catch (error) {
      tellTrouble(error);
    }
  };
  const dragging = useDragging(chapters, (wanted) => void move(wanted));
  const step = (wanted: Move | null, id: string) => {
    if (wanted === null) return;
    moving.current = id;
    ahead.take(wanted);
    void move(wanted);
  };
  const tell = (place: Place, id: string | null) => {
    setPicking(null);
    planScene(storyId, place, { pov: id }).then(
      (answer) => tellDone(storyId, t.povTaken, revisionOf(answer)),
      tellTrouble,
    );
  };
  useEffect(() => {
    // What was moved with the keyboard keeps the focus at its new place.
    if (moving.current === null || chapters.length === 0) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${moving.current}"]`);
    const focused = document.activeElement;
    if (focused === null || focused === document.body || body.current?.contains(focused)) row?.focus();
    else moving.current = null;
  }, [chapters]);
  const isLit = (scene: SceneInfo) => pov === "" || (scene.pov ?? WITHOUT) === pov;
  return (
    <div className={styles.plan}>
      <header className={styles.bar}>
        <Select
          quiet
          label={t.pov}
          value={pov}
          onChange={setPov}
          options={[
            { value: "", label: t.allPovs },
            ...people.map((id) => ({ value: id, label: t.ofPov(names.get(id) ?? "…", told.get(id) ?? 0) })),
            { value: WITHOUT, label: t.ofPov(t.noPov, told.get(WITHOUT) ?? 0) },
          ]}
        />
        <Switch label={t.settled} checked={isAll} onChange={setAll} />
        <p className={styles.hint}>{t.moveHint}</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <div className={styles.frame} tabIndex={0} role="group" aria-label={t.matrix}>
        <table ref={body} className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">{t.scene}</th>
              <th scope="col">{t.pov}</th>
              <th scope="col">{t.words}</th>
              {shown.map((thread) => (
                <th key={thread.id} scope="col" className={styles.thread}>
                  <Link to={panelOf(storyId, "threads", { thread: thread.id })} title={thread.title}>
                    {thread.title}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          {chapters.map((chapter) => (
            <tbody
              key={chapter.chapter}
              data-gap={chapterGapAt(chapters, chapter.chapter, dragging)}
              onDragOver={(event) => dragging.overChapter(event, chapter.chapter)}
              onDrop={dragging.drop}
            >
              <tr
                className={styles.chapter}
                draggable
                onDragStart={(event) => dragging.startChapter(event, chapter.chapter)}
                onDragEnd={dragging.end}
              >
                <th scope="rowgroup" colSpan={3 + shown.length}>
                  <Link
                    to={panelOf(storyId, "write", {
                      scene: `${chapter.chapter}.${chapter.scenes[0]?.scene ?? 0}`,
                    })}
                    data-row={`chapter-${chapter.chapter}`}
                    draggable={false}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                    onKeyDown={(event) =>
                      stepOf(event, (by) => {
                        const wanted = chapterStep(ahead.chapters(), chapter.chapter, by);
                        step(wanted, `chapter-${wanted?.to}`);
                      })
                    }
                  >
                    {places.numberBefore(chapter.chapter) !== null && (
                      <span className={styles.number}>{places.numberBefore(chapter.chapter)}</span>
                    )}
                    {places.chapterName(chapter.chapter)}
                  </Link>
                </th>
              </tr>
              {chapter.scenes.map((scene) => {
                const place = { chapter: chapter.chapter, scene: scene.scene };
                return (
                  <SceneLine
                    key={scene.id}
                    storyId={storyId}
                    place={place}
                    scene={scene}
                    title={places.sceneName(place.chapter, place.scene)}
                    summary={summaries?.get(`${place.chapter}.${place.scene}`)?.summary ?? ""}
                    teller={scene.pov ? (names.get(scene.pov) ?? "…") : null}
                    threads={shown}
                    points={turns.get(scene.id) ?? NO_TURNS}
                    isLit={isLit(scene)}
                    gap={sceneGapAt(chapter.scenes, place, dragging)}
                    onPick={() => setPicking(place)}
                    onClear={() => tell(place, null)}
                    onStep={(by) => {
                      const from = placeOf(ahead.chapters(), scene.id) ?? place;
                      step(sceneStep(ahead.chapters(), from, by), scene.id);
                    }}
                    onDragStart={(event) => dragging.startScene(event, place)}
                    onDragOver={(event) => dragging.overScene(event, place)}
                    onDragEnd={dragging.end}
                  />
                );
              })}
            </tbody>
          ))}
        </table>
      </div>
      {picking && (
        <PickDialog
          storyId={storyId}
          title={t.setPov(places.momentName(picking))}
          why={t.povWhy}
          label={t.pov}
          pickWord={t.choose}
          onPick={({ id }) => tell(picking, id)}
          onClose={() => setPicking(null)}
        />
      )}
    </div>
  );
}

/** How many scenes everybody tells, and how many nobody does. */
function countsOf(scenes: readonly SceneInfo[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { pov } of scenes) counts.set(pov ?? WITHOUT, (counts.get(pov ?? WITHOUT) ?? 0) + 1);
  return counts;
}

/** What happens to the threads, by scene. */
function turnsOf(threads: readonly StoryThread[]): Map<string, Turn[]> {
  const turns = new Map<string, Turn[]>();
  for (const thread of threads)
    for (const turn of pointsOf(thread)) {
      const here = turns.get(turn.point.sceneId) ?? [];
      turns.set(turn.point.sceneId, here);
      here.push({ thread, ...turn });
    }
  return turns;
}
