import type { DragEventHandler } from "react";
import { Link } from "react-router";
import type { PlacedPoint, SceneInfo, StoryThread } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Icon } from "../../design/icons";
import { scenePage } from "../../story/addresses";
import type { Place } from "../../story/manuscript/place";
import { stepOf } from "../../story/manuscript/useDragging";
import { PointLink } from "../../story/threads/PointLink";
import type { Role } from "../../story/threads/threads";
import { figure } from "../../texts/figures";
import { useTexts } from "../../texts/language";
import styles from "./Plan.module.css";
import { texts } from "./texts";

/** A thread at a place where something happens to it. */
export interface Turn {
  readonly thread: StoryThread;
  readonly role: Role;
  readonly point: PlacedPoint;
}

interface SceneLineProps {
  storyId: string;
  place: Place;
  scene: SceneInfo;
  title: string;
  summary: string;
  /** Who tells it. */
  teller: string | null;
  threads: readonly StoryThread[];
  /** What happens here to the threads. */
  points: readonly Turn[];
  isLit: boolean;
  gap: "before" | "after" | undefined;
  onPick(): void;
  onClear(): void;
  onStep(by: 1 | -1): void;
  onDragStart: DragEventHandler;
  onDragOver: DragEventHandler;
  onDragEnd(): void;
}

/** A scene in the matrix: what happens, who tells it, how long it is, and what it does for each thread. */
export function SceneLine(props: SceneLineProps) {
  const { storyId, place, scene, title, summary, teller, threads, points, isLit, gap, ...on } = props;
  const t = useTexts(texts);
  return (
    <tr
      className={styles.scene}
      data-dim={!isLit || undefined}
      data-gap={gap}
      draggable
      onDragStart={on.onDragStart}
      onDragOver={on.onDragOver}
      onDragEnd={on.onDragEnd}
    >
      <th scope="row">
        <Link
          to={scenePage(storyId, place.chapter, place.scene)}
          data-row={scene.id}
          draggable={false}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={(event) => stepOf(event, on.onStep)}
        >
          {title}
        </Link>
        {scene.hasNotes && (
          <span className={styles.noted} title={t.noted}>
            <Icon name="pen" size={12} />
            <span className="visually-hidden">{t.noted}</span>
          </span>
        )}
        <span className={styles.summary}>{summary || scene.opening}</span>
      </th>
      <td className={styles.pov}>
        <Button
          size="small"
          look="quiet"
          aria-label={`${t.setPov(title)}: ${teller ?? t.noPov}`}
          onClick={on.onPick}
        >
          <span className={styles.teller}>{teller ?? "–"}</span>
        </Button>
        {teller !== null && (
          <IconButton icon="close" size="small" label={t.clearPov(title)} onClick={on.onClear} />
        )}
      </td>
      <td className={styles.words}>
        {scene.wordGoal === null
          ? figure(scene.wordCount)
          : t.reached(figure(scene.wordCount), figure(scene.wordGoal))}
        {scene.wordGoal !== null && (
          <progress
            aria-hidden="true"
            max={scene.wordGoal}
            value={Math.min(scene.wordGoal, scene.wordCount)}
          />
        )}
      </td>
      {threads.map((thread) => (
        <td key={thread.id}>
          <span className={styles.cell}>
            {points
              .filter((one) => one.thread.id === thread.id)
              .map(({ role, point }) => (
                <PointLink
                  key={point.id}
                  storyId={storyId}
                  role={role}
                  point={point}
                  at={`${thread.title} · ${title}`}
                />
              ))}
          </span>
        </td>
      ))}
    </tr>
  );
}
