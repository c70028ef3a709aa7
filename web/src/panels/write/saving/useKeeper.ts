import { useEffect, useState } from "react";
import { putScene, type SceneText } from "../../../client/rest";
import {
  listChaptersQueryKey,
  listJobsQueryKey,
  readSceneQueryKey,
} from "../../../client/rest/@tanstack/react-query.gen";
import { zSceneText } from "../../../client/rest/zod.gen";
import type { Problem } from "../../../server/problem";
import { connectionStore, queries } from "../../../server/server";
import { addressOf, type Place } from "../place";
import { type KeptDraft, keepDraft } from "./drafts";
import { createKeeper, type Keeper } from "./keeper";

interface Written {
  read(): string;
  isComposing(): boolean;
  show(text: string): void;
}

const lastSent = new Map<string, string>();
const nameOf = (storyId: string, place: Place) => `${storyId}:${addressOf(place)}`;

/** The keeper of an open scene, for as long as it is open. */
export function useKeeper(
  storyId: string,
  place: Place,
  scene: SceneText,
  draft: KeptDraft | null,
  written: Written,
): Keeper {
  const [keeper] = useState(() =>
    createKeeper({
      saved: scene,
      draft,
      ...written,
      send: (text, expectedVersion) => send(storyId, place, text, expectedVersion),
      isOwn: (text) => lastSent.get(nameOf(storyId, place)) === text,
      keep: (left) => keepDraft(storyId, place, left),
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
      const isHeld = ["offline", "unkept"].includes(keeper.saving.get().kind);
      if (connectionStore.get() === "well" && isHeld) void keeper.save();
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

async function send(
  storyId: string,
  place: Place,
  text: string,
  expectedVersion: number,
): Promise<SceneText> {
  const path = { storyId, ...place };
  lastSent.set(nameOf(storyId, place), text);
  const { data } = await putScene({ path, body: { text, expectedVersion } });
  queries.setQueryData(readSceneQueryKey({ path }), data);
  void queries.invalidateQueries({ queryKey: listChaptersQueryKey({ path: { storyId } }) });
  void queries.invalidateQueries({ queryKey: listJobsQueryKey({ path: { storyId } }) });
  return data;
}

function sceneIn(problem: Problem): SceneText | null {
  const snapshot = zSceneText.safeParse(problem.details.latestSnapshot);
  return snapshot.success ? snapshot.data : null;
}
