import { lazy, Suspense, useState } from "react";
import type { SceneText, Story } from "../../../client/rest";
import { Button, IconButton } from "../../../design/Button";
import { readKept, writeKept } from "../../../kept";
import { loaded } from "../../../server/loaded";
import { scenePage } from "../../../story/addresses";
import { planScene, renameChapter } from "../../../story/manuscript/chapters";
import type { Place } from "../../../story/manuscript/place";
import { usePlaces } from "../../../story/places";
import { useVisited } from "../../../story/visited";
import { calendarOf, texts as calendarTexts, shownTime } from "../../../story/worldTime/calendar";
import { saveSceneTime } from "../../../story/worldTime/sceneTime";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "../Write.module.css";
import own from "./Scene.module.css";
import { TitleField } from "./TitleField";
import { texts as sceneTexts } from "./texts";

// Not needed to write: loaded when it is asked for.
const WorldTimeDialog = lazy(async () => ({
  default: (await import("../../../story/worldTime/WorldTimeDialog")).WorldTimeDialog,
}));
const LooksDialog = lazy(() => loaded(() => import("../looks/LooksDialog")));
const SceneDetails = lazy(() => loaded(() => import("./SceneDetails")));

const DETAILS = "write:details";

interface SceneBarProps {
  story: Story;
  place: Place;
  scene: SceneText;
  title: string;
  isSideOpen: boolean;
  onBack(): void;
  onSide(): void;
}

/** What the scene and its chapter are called, when it plays, and what is planned for it. */
export function SceneBar({ story, place, scene, title, isSideOpen, onBack, onSide }: SceneBarProps) {
  const t = useTexts(texts);
  const inWords = useTexts(calendarTexts);
  const [isLooking, setLooking] = useState(false);
  const [isDating, setDating] = useState(false);
  const say = useTexts(sceneTexts);
  const places = usePlaces(story.id);
  const [isDetailed, setDetailed] = useState(() => readKept(DETAILS) === true);
  useVisited(story.id, scenePage(story.id, place.chapter, place.scene), title);
  const { worldTime } = scene;
  const chapter = places.chapters.find((known) => known.chapter === place.chapter);
  return (
    <>
      <header className={styles.bar}>
        <IconButton icon="back" label={t.back} className={styles.back ?? ""} onClick={onBack} />
        <h2 className="visually-hidden">{title}</h2>
        <div className={own.titles}>
          <TitleField
            key={place.chapter}
            label={say.chapterTitle}
            className={own.ofChapter}
            title={chapter?.title ?? ""}
            usual={places.chapterName(place.chapter)}
            onRename={(text) => renameChapter(story.id, place.chapter, text)}
          />
          <span aria-hidden="true" className={own.between}>
            ·
          </span>
          <TitleField
            label={say.sceneTitle}
            className={own.ofScene}
            title={scene.title}
            usual={title}
            onRename={(text) => planScene(story.id, place, { title: text })}
          />
        </div>
        <Button
          size="small"
          look="quiet"
          icon="timeline"
          className={styles.when ?? ""}
          title={t.when}
          data-none={!worldTime || undefined}
          onClick={() => setDating(true)}
        >
          <span>{worldTime ? shownTime(calendarOf(story.settings), worldTime, inWords) : t.whenNone}</span>
        </Button>
        <IconButton
          icon="list"
          label={say.about}
          aria-expanded={isDetailed}
          onClick={() => {
            writeKept(DETAILS, !isDetailed);
            setDetailed(!isDetailed);
          }}
        />
        <IconButton icon="letters" label={t.looks} onClick={() => setLooking(true)} />
        <IconButton icon="panel" label={t.toggleSide} aria-pressed={isSideOpen} onClick={onSide} />
        <Suspense>
          {isLooking && <LooksDialog onClose={() => setLooking(false)} />}
          {isDating && (
            <WorldTimeDialog
              title={t.whenOf(title)}
              ownId={scene.id}
              time={worldTime}
              hasEnd
              onSave={(given) => saveSceneTime(story.id, place, given, t.whenSaved)}
              onClose={() => setDating(false)}
            />
          )}
        </Suspense>
      </header>
      {isDetailed && (
        <Suspense>
          <SceneDetails key={scene.id} storyId={story.id} place={place} scene={scene} />
        </Suspense>
      )}
    </>
  );
}
