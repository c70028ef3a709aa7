import { putSceneTime, type SceneTime } from "../../client/rest";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { tellDone } from "../story";
import type { GivenTime } from "./WorldTimeDialog";

/** Says when a scene plays; a refusal is thrown for whoever asked. */
export async function saveSceneTime(
  storyId: string,
  place: { readonly chapter: number; readonly scene: number },
  given: GivenTime,
  done: string,
): Promise<SceneTime | null> {
  const answer = await putSceneTime({ path: { storyId, ...place }, body: { worldTime: given } });
  await refreshStory(storyId);
  tellDone(storyId, done, revisionOf(answer));
  return answer.data.worldTime;
}
