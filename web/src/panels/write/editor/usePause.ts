import { useCallback, useEffect, useRef, useState } from "react";

/** Counts up when somebody has paused, and now and then while they go on. */
export function usePause(pauseMs: number, atLatestMs: number): [edition: number, touch: () => void] {
  const [edition, setEdition] = useState(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useCallback(() => {
    clearTimeout(pause.current);
    clearTimeout(latest.current);
    latest.current = undefined;
    setEdition((before) => before + 1);
  }, []);
  const touch = useCallback(() => {
    clearTimeout(pause.current);
    pause.current = setTimeout(tell, pauseMs);
    latest.current ??= setTimeout(tell, atLatestMs);
  }, [tell, pauseMs, atLatestMs]);
  useEffect(
    () => () => {
      clearTimeout(pause.current);
      clearTimeout(latest.current);
    },
    [],
  );
  return [edition, touch];
}
