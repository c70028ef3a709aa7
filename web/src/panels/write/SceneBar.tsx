import { lazy, Suspense, useState } from "react";
import type { SceneText, Story } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { calendarOf, texts as calendarTexts, shownTime } from "../../story/worldTime/calendar";
import { saveSceneTime } from "../../story/worldTime/sceneTime";
import { useTexts } from "../../texts/language";
import type { Place } from "./place";
import { texts } from "./texts";
import styles from "./Write.module.css";

// Not needed to write: loaded when it is asked for.
const WorldTimeDialog = lazy(async () => ({
  default: (await import("../../story/worldTime/WorldTimeDialog")).WorldTimeDialog,
}));

interface SceneBarProps {
  story: Story;
  place: Place;
  scene: SceneText;
  title: string;
  isSideOpen: boolean;
  onBack(): void;
  onSide(): void;
}

/** What the scene is called, and when it plays. */
export function SceneBar({ story, place, scene, title, isSideOpen, onBack, onSide }: SceneBarProps) {
  const t = useTexts(texts);
  const inWords = useTexts(calendarTexts);
  const [isDating, setDating] = useState(false);
  const { worldTime } = scene;
  return (
    <header className={styles.bar}>
      <IconButton icon="back" label={t.back} className={styles.back ?? ""} onClick={onBack} />
      <h2 className={styles.title}>{title}</h2>
      <Button
        size="small"
        look="quiet"
        icon="timeline"
        className={styles.when ?? ""}
        title={t.when}
        onClick={() => setDating(true)}
      >
        <span>{worldTime ? shownTime(calendarOf(story.settings), worldTime, inWords) : t.whenNone}</span>
      </Button>
      <IconButton icon="panel" label={t.toggleSide} aria-pressed={isSideOpen} onClick={onSide} />
      <Suspense>
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
  );
}
