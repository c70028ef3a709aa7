import { tellTrouble } from "../design/toasts";
import { revisionOf } from "../server/revision";
import { refreshStory } from "../server/server";
import { tellDone } from "./story";

/** Does something that gives the answer to its write, refreshes, and says that it is done with a way back. */
export async function act(storyId: string, done: string, run: () => Promise<unknown>): Promise<boolean> {
  let revision: number | null;
  try {
    revision = revisionOf(await run());
  } catch (error) {
    tellTrouble(error);
    return false;
  }
  await refreshStory(storyId);
  tellDone(storyId, done, revision);
  return true;
}
