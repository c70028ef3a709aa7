import { useEffect, useRef, useState } from "react";
import { type Problem, problemOf } from "../../../server/problem";
import type { Place } from "../../../story/manuscript/place";
import { usePov } from "../../../story/pov/pov";
import { said } from "../../../texts/language";
import { chatAbout, type Told } from "../assistant/chat";
import { texts } from "./texts";
import { askedFor, fitted, type Wish } from "./wishes";

interface AttemptParts {
  storyId: string;
  /** The language of the story, in which the model is asked. */
  language: "zh" | "en";
  place: Place;
  budget: number;
  pins: readonly string[];
  wish: Wish;
  onTold(told: Told): void;
}

/** What a model wrote for one wish, attempt by attempt. */
export function useAttempts({ storyId, language, place, budget, pins, wish, onTold }: AttemptParts) {
  const pov = usePov(storyId).id;
  const [attempts, setAttempts] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const [isWriting, setWriting] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef<AbortController | null>(null);

  const ask = async (instruction: string) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const number = attempts.filter((one) => one !== "").length;
    const earlier = attempts.filter((one) => one !== "");
    setProblem(null);
    setWriting(true);
    setAttempts([...earlier, ""]);
    setAt(number);
    let words = "";
    try {
      const messages = [
        { role: "user" as const, content: askedFor(wish, instruction, said(texts, language)) },
      ];
      const { prompt, whom } = wish.more ?? {};
      const isTold = (prompt?.send ?? "context") === "context";
      const asked = {
        ...place,
        text: prompt?.send === "nothing" ? "" : wish.text,
        tokenBudget: isTold ? budget : 0,
        pinned: isTold ? [...new Set([...pins, ...(whom ? [whom.id] : [])])] : [],
        task: prompt?.model ?? "write",
        pov,
        messages,
        prose: true,
      };
      for await (const part of chatAbout(storyId, asked, stop.signal)) {
        if (typeof part !== "string") {
          onTold(part);
          continue;
        }
        words += part;
        const shown = fitted(words, wish);
        setAttempts([...earlier, shown]);
      }
    } catch (error) {
      setProblem(problemOf(error));
    }
    if (running.current !== stop) return;
    running.current = null;
    setWriting(false);
    if (!stop.signal.aborted) setAttempts([...earlier, fitted(words, wish).trimEnd()]);
  };
  const first = useRef(ask);
  useEffect(() => {
    void first.current("");
    return () => {
      // Also when the scene is left: the model does not talk on to nobody.
      running.current?.abort();
      running.current = null;
    };
  }, []);
  return {
    text: attempts[at] ?? "",
    at,
    count: attempts.length,
    isWriting,
    problem,
    ask,
    stop: () => running.current?.abort(),
    step: (by: 1 | -1) => setAt((before) => Math.max(0, Math.min(attempts.length - 1, before + by))),
  };
}
