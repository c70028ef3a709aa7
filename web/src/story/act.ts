import { tellTrouble } from "../design/toasts";
import { refreshStory } from "../server/server";
import { tellDone } from "./story";

/** Does something, says that it is done with a way back, and refreshes; whether it went well. */
export async function act(storyId: string, done: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
  } catch (error) {
    tellTrouble(error);
    return false;
  }
  await refreshStory(storyId);
  await tellDone(storyId, done).catch(() => {});
  return true;
}
