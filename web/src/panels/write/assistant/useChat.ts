import { useEffect, useRef, useState } from "react";
import { type Problem, problemOf } from "../../../server/problem";
import type { Place } from "../place";
import { chatAbout, type MemoryShare, type Saying } from "./chat";

interface ChatParts {
  storyId: string;
  place: Place;
  budget: number;
  pins: readonly string[];
  pov: string | null;
  read(): string;
}

/** A conversation about the open scene; it lasts as long as the scene is open, and is no part of the story. */
export function useChat({ storyId, place, budget, pins, pov, read }: ChatParts) {
  const [sayings, setSayings] = useState<readonly Saying[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [memory, setMemory] = useState<MemoryShare>("whole");
  const [isAnswering, setAnswering] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const say = async (content: string) => {
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    const asked: Saying[] = [...sayings, { role: "user", content }];
    setSayings(asked);
    setProblem(null);
    setAnswering(true);
    let answer = "";
    try {
      const wish = { ...place, text: read(), tokenBudget: budget, pinned: [...pins], pov, messages: asked };
      for await (const words of chatAbout(storyId, wish, stop.signal)) {
        if (typeof words !== "string") {
          setMemory(words.memory);
          continue;
        }
        answer += words;
        setSayings([...asked, { role: "assistant", content: answer }]);
      }
    } catch (error) {
      setProblem(problemOf(error));
    }
    running.current = null;
    setAnswering(false);
  };
  return {
    sayings,
    problem,
    memory,
    isAnswering,
    say,
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      setSayings([]);
      setProblem(null);
      setMemory("whole");
    },
  };
}
