import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tell, tellTrouble } from "../../design/toasts";
import { refreshStory } from "../../server/server";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

/** Asks for the graph again when somebody wants it; what is hidden, chosen and in sight stays so. */
export function useRefresh(storyId: string, picture: QueryKey) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const ask = async () => {
    setRunning(true);
    await refreshStory(storyId);
    setRunning(false);
    const error = client.getQueryState(picture)?.error;
    if (error) tellTrouble(error);
    else tell(t.refreshed);
  };
  return {
    isRunning,
    run: () => {
      if (!isRunning) void ask();
    },
  };
}
