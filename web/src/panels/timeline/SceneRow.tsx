import { useState } from "react";
import { Link } from "react-router";
import type { StoryTurn } from "../../client/rest";
import { Button } from "../../design/Button";
import { scenePage } from "../../story/addresses";
import type { Places } from "../../story/places";
import { saveSceneTime } from "../../story/worldTime/sceneTime";
import { WorldTimeDialog } from "../../story/worldTime/WorldTimeDialog";
import { useTexts } from "../../texts/language";
import styles from "./EventList.module.css";
import { texts } from "./texts";

interface SceneRowProps {
  storyId: string;
  turn: StoryTurn;
  places: Places;
  /** Whether chapters are not said above already. */
  hasChapter: boolean;
}

/** A scene among the events: where it is told, and when it plays. */
export function SceneRow({ storyId, turn, places, hasChapter }: SceneRowProps) {
  const t = useTexts(texts);
  const [isDating, setDating] = useState(false);
  const { chapter = 0, scene = 0 } = turn.moment ?? {};
  const place = { chapter, scene: scene ?? 0 };
  const name = hasChapter ? places.momentName(place) : places.sceneName(place.chapter, place.scene);
  return (
    <div className={styles.scene}>
      <Link to={scenePage(storyId, place.chapter, place.scene)}>{name}</Link>
      <Button
        size="small"
        look="quiet"
        icon="timeline"
        aria-label={t.worldTimeOf(name)}
        title={t.worldTime}
        data-derived={turn.worldTime === null || undefined}
        className={styles.sceneTime ?? ""}
        onClick={() => setDating(true)}
      >
        {turn.worldTime === null && turn.when ? t.follows(turn.when) : turn.when || t.noDay}
      </Button>
      {isDating && (
        <WorldTimeDialog
          title={t.worldTimeOf(name)}
          ownId={turn.id}
          time={turn.worldTime}
          hasEnd
          onSave={(given) => saveSceneTime(storyId, place, given, t.timeSaved)}
          onClose={() => setDating(false)}
        />
      )}
    </div>
  );
}
