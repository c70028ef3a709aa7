import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useStore } from "zustand";
import type { ChapterInfo, SceneText } from "../../client/rest";
import { listChaptersOptions, readSceneOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Empty, Loading, Trouble } from "../../design/states";
import { tellTrouble } from "../../design/toasts";
import { readKept, writeKept } from "../../kept";
import { useShortcuts } from "../../keys/shortcuts";
import { loaded } from "../../server/loaded";
import { problemOf } from "../../server/problem";
import { revisionOf } from "../../server/revision";
import { useBegun } from "../../story/begun";
import { type Move, sceneStep } from "../../story/manuscript/arranging";
import {
  addScene,
  neighbourOf,
  nextPlace,
  placesIn,
  planScene,
  removeScene,
  renameChapter,
} from "../../story/manuscript/chapters";
import { moved, removeChapter } from "../../story/manuscript/moving";
import { addressOf, isSamePlace, type Place, placeOf } from "../../story/manuscript/place";
import { usePlaces } from "../../story/places";
import { tellDone, useStory } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { changeLooks, textLooks } from "./looks/textLooks";
import { DeleteSceneDialog } from "./manuscript/DeleteSceneDialog";
import { Manuscript } from "./manuscript/Manuscript";
import { RenameDialog } from "./manuscript/RenameDialog";
import { useFollowing } from "./manuscript/useFollowing";
import { SceneDesk } from "./SceneDesk";
import type { Keeper } from "./saving/keeper";
import { texts } from "./texts";
import styles from "./Write.module.css";

// Not needed to write: loaded when they are asked for.
const DeleteChapterDialog = lazy(() => loaded(() => import("./manuscript/DeleteChapterDialog")));
const ReplaceDialog = lazy(() => loaded(() => import("./replacing/ReplaceDialog")));
const PrintDialog = lazy(() => loaded(() => import("./printing/PrintDialog")));
const MoveDialog = lazy(() => loaded(() => import("./manuscript/MoveDialog")));

const SIDE = "write:side";

export default function WritePanel() {
  const { id: storyId } = useStory();
  const chapters = useQuery(listChaptersOptions({ path: { storyId } }));
  if (chapters.data) return <Write key={storyId} chapters={chapters.data.chapters} />;
  if (chapters.error) return <Trouble error={chapters.error} onRetry={() => void chapters.refetch()} />;
  return <Loading rows={8} />;
}

function Write({ chapters }: { chapters: ChapterInfo[] }) {
  const story = useStory();
  const storyId = story.id;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const number = new Intl.NumberFormat(useLanguage());
  const [params, setParams] = useSearchParams();
  const [isSideOpen, setSideOpen] = useState(() => readKept(SIDE) !== false && window.innerWidth > 1_100);
  const [renamed, setRenamed] = useState<{ chapter: number; scene?: number; title: string } | null>(null);
  const [doomed, setDoomed] = useState<Place | number | null>(null);
  const [leaving, setLeaving] = useState<Place | number | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const [sought, setSought] = useState<string | null>(null);
  const places = usePlaces(storyId);
  const keeperRef = useRef<Keeper | null>(null);
  const asked = params.get("scene");
  const place = placeOf(asked) ?? lastOpened(storyId, chapters);

  const open = (to: Place | null, replace = false) => {
    if (to) writeKept(`write:last:${storyId}`, addressOf(to));
    setParams(
      (before) => {
        before.set("scene", to ? addressOf(to) : "");
        return before;
      },
      { replace },
    );
  };
  const { isFocused } = useStore(textLooks);
  const openId = useFollowing(chapters, place, (to) => open(to, true));
  const toggleSide = () => {
    // Whoever asks for what stands beside the text wants to see it.
    const isWanted = isFocused || !isSideOpen;
    changeLooks({ isFocused: false });
    writeKept(SIDE, isWanted);
    setSideOpen(isWanted);
  };
  const add = async (chapter?: number) => {
    const next = nextPlace(chapters, chapter);
    try {
      await addScene(storyId, next);
      open(next);
    } catch (error) {
      tellTrouble(error);
    }
  };
  const remove = async (gone: Place | number) => {
    setDoomed(null);
    const isChapter = typeof gone === "number";
    try {
      if (isChapter ? place?.chapter === gone : isSamePlace(gone, place)) {
        await keeperRef.current?.close();
        open(neighbourOf(chapters, gone));
      }
      const answer = await (isChapter ? removeChapter(storyId, gone) : removeScene(storyId, gone));
      tellDone(storyId, isChapter ? t.deletedChapter : t.deleted, revisionOf(answer));
    } catch (error) {
      tellTrouble(error);
    }
  };
  const move = async (wanted: Move | null) => {
    setLeaving(null);
    if (wanted === null) return;
    try {
      const done = await moved(storyId, wanted);
      if (done === null) return;
      tellDone(storyId, done.factCount > 0 ? t.movedFacts(done.factCount) : t.moved, revisionOf(done));
    } catch (error) {
      tellTrouble(error);
    }
  };
  useBegun((what) => void add(what === "chapter" ? undefined : place?.chapter));
  const step = (by: 1 | -1) => void move(place && sceneStep(chapters, place, by));
  useEffect(() => {
    // The navigation around the panel goes, too.
    document.documentElement.toggleAttribute("data-focus", isFocused);
    return () => document.documentElement.removeAttribute("data-focus");
  }, [isFocused]);
  const group = words.write;
  useShortcuts([
    { keys: "mod+.", label: t.toggleSide, group, inFields: true, run: toggleSide },
    {
      keys: "mod+shift+f",
      label: t.findWords,
      group,
      inFields: true,
      run: () => setSought(String(getSelection()).trim().slice(0, 200)),
    },
    {
      keys: "F9",
      label: t.focus,
      group,
      inFields: true,
      run: () => changeLooks({ isFocused: !isFocused }),
    },
    { keys: "mod+p", label: t.print, group, inFields: true, run: () => setPrinting(true) },
    { keys: "n", label: t.newScene, group, run: () => void add(place?.chapter) },
    { keys: "alt+ArrowUp", label: t.moveUp, group, run: () => step(-1) },
    { keys: "alt+ArrowDown", label: t.moveDown, group, run: () => step(1) },
  ]);
  const doomedPlace = typeof doomed === "number" ? null : doomed;
  const doomedScene = chapters
    .find(({ chapter }) => chapter === doomedPlace?.chapter)
    ?.scenes.find(({ scene }) => scene === doomedPlace?.scene);
  if (chapters.length === 0)
    return (
      <Empty
        icon="pen"
        title={t.none}
        actions={
          <Button look="primary" icon="plus" onClick={() => void add()}>
            {t.begin}
          </Button>
        }
      >
        {t.noneNext}
      </Empty>
    );
  return (
    <div
      className={styles.write}
      data-side={(isSideOpen && !isFocused) || undefined}
      data-focus={isFocused || undefined}
      data-narrow={
        asked === "" || (asked === null && window.innerWidth <= 800) ? "list" : isSideOpen ? "side" : "text"
      }
    >
      <Manuscript
        storyId={storyId}
        chapters={chapters}
        open={place}
        onOpen={open}
        onAdd={(chapter) => void add(chapter)}
        onRename={setRenamed}
        onDelete={setDoomed}
        onAskMove={setLeaving}
        onFind={() => setSought("")}
        onPrint={() => setPrinting(true)}
        onMove={(wanted) => void move(wanted)}
      />
      {place ? (
        <OpenScene
          place={place}
          id={openId}
          isSideOpen={isSideOpen && !isFocused}
          keeperRef={keeperRef}
          onBack={() => open(null)}
          onSide={toggleSide}
        />
      ) : (
        <Empty icon="pen" title={t.choose} />
      )}
      {renamed && (
        <RenameDialog
          title={renamed.title}
          onClose={() => setRenamed(null)}
          onRename={(title) => {
            const { chapter, scene } = renamed;
            const done =
              scene === undefined
                ? renameChapter(storyId, chapter, title)
                : planScene(storyId, { chapter, scene }, { title });
            done.catch(tellTrouble);
          }}
        />
      )}
      {doomedPlace && doomedScene && (
        <DeleteSceneDialog
          title={places.sceneName(doomedPlace.chapter, doomedPlace.scene)}
          words={number.format(doomedScene.wordCount)}
          onClose={() => setDoomed(null)}
          onDelete={() => void remove(doomedPlace)}
        />
      )}
      <Suspense>
        {typeof doomed === "number" && (
          <DeleteChapterDialog
            storyId={storyId}
            chapter={doomed}
            title={places.chapterName(doomed)}
            onClose={() => setDoomed(null)}
            onDelete={() => void remove(doomed)}
          />
        )}
        {sought !== null && (
          <ReplaceDialog
            storyId={storyId}
            first={sought}
            save={async () => keeperRef.current?.save()}
            onOpen={(to) => {
              setSought(null);
              open(to);
            }}
            onClose={() => setSought(null)}
          />
        )}
        {isPrinting && (
          <PrintDialog
            open={place}
            save={async () => keeperRef.current?.save()}
            onClose={() => setPrinting(false)}
          />
        )}
        {leaving !== null && (
          <MoveDialog
            storyId={storyId}
            chapters={chapters}
            what={leaving}
            onClose={() => setLeaving(null)}
            onMove={(wanted) => void move(wanted)}
          />
        )}
      </Suspense>
    </div>
  );
}

interface OpenSceneProps {
  place: Place;
  /** Which scene is meant, if the list of chapters knows one at this place. */
  id: string | undefined;
  isSideOpen: boolean;
  keeperRef: { current: Keeper | null };
  onBack(): void;
  onSide(): void;
}

function OpenScene({ place, id, ...rest }: OpenSceneProps) {
  const story = useStory();
  const scene = useQuery(readSceneOptions({ path: { storyId: story.id, ...place } }));
  const shown = useRef<SceneText | undefined>(undefined);
  const isGone = scene.error !== null && problemOf(scene.error).code === "NOT_FOUND";
  // What was asked by its place may be another scene by now; the one on the desk stays there meanwhile.
  const isMeant = id === undefined || scene.data?.id === id;
  const data = isMeant ? scene.data : shown.current?.id === id ? shown.current : undefined;
  useEffect(() => {
    shown.current = data;
  });
  if (data)
    return (
      <SceneDesk
        key={data.id}
        story={story}
        place={place}
        scene={data}
        isGone={isGone && isMeant}
        {...rest}
      />
    );
  return (
    <section className={styles.text}>
      {scene.error ? (
        <Trouble error={scene.error} onRetry={() => void scene.refetch()} />
      ) : (
        <Loading rows={8} />
      )}
    </section>
  );
}

/** The scene that was open last in this browser, else the last of the story. */
function lastOpened(storyId: string, chapters: ChapterInfo[]): Place | null {
  const places = placesIn(chapters);
  const last = placeOf(String(readKept(`write:last:${storyId}`)));
  return places.find((place) => isSamePlace(place, last)) ?? places.at(-1) ?? null;
}
