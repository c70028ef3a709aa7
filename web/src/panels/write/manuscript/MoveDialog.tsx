import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChapterInfo } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Select } from "../../../design/Field";
import { chapterInto, type Move, sceneInto } from "../../../story/manuscript/arranging";
import { nextPlace } from "../../../story/manuscript/chapters";
import { moveOptions } from "../../../story/manuscript/moving";
import type { Place } from "../../../story/manuscript/place";
import { usePlaces } from "../../../story/places";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

const NEW = "new";
const LAST = "last";

interface MoveDialogProps {
  storyId: string;
  chapters: readonly ChapterInfo[];
  /** A scene, or a chapter as a whole. */
  what: Place | number;
  onMove(move: Move): void;
  onClose(): void;
}

/** Where a scene or a chapter is to stand, and what that means for what is dated with it. */
export default function MoveDialog({ storyId, chapters, what, onMove, onClose }: MoveDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const isScene = typeof what !== "number";
  const [chapter, setChapter] = useState(isScene ? String(what.chapter) : "");
  const [before, setBefore] = useState(LAST);
  const target = chapters.find((known) => String(known.chapter) === chapter);
  const move = isScene ? sceneMove() : chapterInto(chapters, what, before === LAST ? null : Number(before));
  const trial = useQuery(moveOptions(storyId, move)).data;
  const name = isScene ? places.sceneName(what.chapter, what.scene) : places.chapterName(what);

  function sceneMove(): Move | null {
    if (!isScene) return null;
    if (chapter === NEW) return { kind: "scene", from: what, to: nextPlace(chapters) };
    return sceneInto(chapters, what, {
      chapter: Number(chapter),
      before: before === LAST ? null : Number(before),
    });
  }
  const followers = isScene
    ? (target?.scenes ?? [])
        .filter(({ scene }) => target?.chapter !== what.chapter || scene !== what.scene)
        .map(({ scene }) => ({ value: String(scene), name: places.sceneName(target?.chapter ?? 0, scene) }))
    : chapters
        .filter((known) => known.chapter !== what)
        .map((known) => ({ value: String(known.chapter), name: places.chapterName(known.chapter) }));
  return (
    <Dialog
      title={t.moveTitle(name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={move === null} onClick={() => move && onMove(move)}>
            {t.move}
          </Button>
        </>
      }
    >
      {isScene && (
        <Select
          label={words.chapter}
          value={chapter}
          onChange={(value) => {
            setChapter(value);
            setBefore(LAST);
          }}
          options={[
            ...chapters.map((known) => ({
              value: String(known.chapter),
              label: places.chapterName(known.chapter),
            })),
            { value: NEW, label: t.newChapterAtEnd },
          ]}
        />
      )}
      {chapter !== NEW && (
        <Select
          label={t.position}
          value={before}
          onChange={setBefore}
          options={[
            ...followers.map(({ value, name: follower }) => ({ value, label: t.before(follower) })),
            { value: LAST, label: t.atEnd },
          ]}
        />
      )}
      <p aria-live="polite">
        {move === null ? t.staysThere : trial ? t.moveWhat(trial.factCount, trial.keptCount) : " "}
      </p>
    </Dialog>
  );
}
