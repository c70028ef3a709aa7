import { useEffect, useRef, useState } from "react";
import { readKept, writeKept } from "../../../kept";
import { type Problem, problemOf } from "../../../server/problem";

const PAUSE_MS = 1_200;

/** A field that saves itself after a pause and on leaving it; what is not saved yet outlives the page. */
export function useDraftField(name: string, saved: string, save: (text: string) => Promise<unknown>) {
  const [text, setText] = useState<string | null>(() => {
    const kept = readKept(name);
    return typeof kept === "string" && kept !== saved ? kept : null;
  });
  const [problem, setProblem] = useState<Problem | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const send = async () => {
    clearTimeout(pause.current);
    if (text === null) return;
    try {
      if (text !== saved) await save(text);
      setProblem(null);
      // Somebody may have typed on meanwhile.
      if (readKept(name) === text) writeKept(name, undefined);
      setText((now) => (now === text ? null : now));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const latest = useRef(send);
  latest.current = send;
  useEffect(
    () => () => {
      void latest.current();
    },
    [],
  );
  return {
    value: text ?? saved,
    problem,
    change: (next: string) => {
      setText(next);
      writeKept(name, next);
      clearTimeout(pause.current);
      pause.current = setTimeout(() => void latest.current(), PAUSE_MS);
    },
    leave: () => void send(),
  };
}
