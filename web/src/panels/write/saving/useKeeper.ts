import { useEffect, useRef, useState } from "react";
import { type PutSceneRequest, putScene, type SceneText } from "../../../client/rest";
import {
  listChaptersQueryKey,
  listJobsQueryKey,
  readSceneQueryKey,
} from "../../../client/rest/@tanstack/react-query.gen";
import { zSceneText } from "../../../client/rest/zod.gen";
import { noteShown } from "../../../server/change";
import type { Problem } from "../../../server/problem";
import { revisionOf } from "../../../server/revision";
import { connectionStore, queries } from "../../../server/server";
import type { Place } from "../../../story/manuscript/place";
import { type KeptDraft, keepDraft } from "./drafts";
import { createKeeper, type Keeper } from "./keeper";

interface Written {
  read(): string;
  isComposing(): boolean;
  show(text: string): void;
}

/** What was sent last of each scene. */
const lastSent = new Map<string, string>();

/** The keeper of an open scene, for as long as it is open; the scene may be moved meanwhile. */
export function useKeeper(
  storyId: string,
  place: Place,
  scene: SceneText,
  draft: KeptDraft | null,
  written: Written,
): Keeper {
  const at = useRef(place);
  at.current = place;
  const { id } = scene;
  const [keeper] = useState(() =>
    createKeeper({
      saved: scene,
      draft,
      ...written,
      send: (text, expectedVersion) => {
        lastSent.set(id, text);
        return send(storyId, at.current, { text, expectedVersion, expectedId: id });
      },
      isOwn: (text) => lastSent.get(id) === text,
      keep: (left) => keepDraft(storyId, id, left),
      sceneIn,
    }),
  );
  useEffect(() => keeper.hear(scene), [keeper, scene]);
  useEffect(() => {
    if (draft !== null) void keeper.save();
  }, [keeper, draft]);
  useEffect(() => {
    const keep = () => keeper.keepNow();
    const again = connectionStore.subscribe(() => {
      const isHeld = ["offline", "unkept"].includes(keeper.saving.getState().kind);
      if (connectionStore.getState() === "well" && isHeld) void keeper.save();
    });
    window.addEventListener("pagehide", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      again();
      keeper.leave();
    };
  }, [keeper]);
  return keeper;
}

async function send(storyId: string, place: Place, body: PutSceneRequest): Promise<SceneText> {
  const path = { storyId, ...place };
  const answer = await putScene({ path, body });
  const { data } = answer;
  noteShown(revisionOf(answer), data.id);
  queries.setQueryData(readSceneQueryKey({ path }), data);
  void queries.invalidateQueries({ queryKey: listChaptersQueryKey({ path: { storyId } }) });
  void queries.invalidateQueries({ queryKey: listJobsQueryKey({ path: { storyId } }) });
  return data;
}

function sceneIn(problem: Problem): SceneText | null {
  const snapshot = zSceneText.safeParse(problem.details.latestSnapshot);
  return snapshot.success ? snapshot.data : null;
}
