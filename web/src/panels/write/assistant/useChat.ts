import { useEffect, useRef, useState } from "react";
import { type Problem, problemOf } from "../../../server/problem";
import type { Place } from "../../../story/manuscript/place";
import { chatAbout, type MemoryShare, type Saying } from "./chat";
import { forkAfter, keepSaid, lastOpen, leaveOpen, type OpenConversation, openOne } from "./conversations";

interface ChatParts {
  storyId: string;
  place: Place;
  budget: number;
  pins: readonly string[];
  pov: string | null;
  read(): string;
}

/** Whether a conversation is kept: not where one may only read, or where the server does not answer. */
export type Keeping = "kept" | "other" | "unkept";

/** How a conversation is asked: with what of the story, and of which model. */
export interface Asking {
  readonly send?: "context" | "scene" | "nothing";
  readonly task?: "write" | "read" | "sum_up";
}

/** A conversation with the story, kept as it goes; whichever scene is open, it goes on. */
export function useChat({ storyId, place, budget, pins, pov, read }: ChatParts) {
  const [isLoading, setLoading] = useState(true);
  const [sayings, setSayings] = useState<readonly Saying[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [memory, setMemory] = useState<MemoryShare>("whole");
  const [isAnswering, setAnswering] = useState(false);
  const [keeping, setKeeping] = useState<Keeping>("kept");
  const [open, setOpen] = useState<OpenConversation | null>(null);
  const known = useRef<OpenConversation | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const show = (conversation: OpenConversation | null) => {
    running.current?.abort();
    running.current = null;
    known.current = conversation;
    setOpen(conversation);
    setSayings(conversation?.sayings ?? []);
    setProblem(null);
    setMemory("whole");
    setKeeping("kept");
    setAnswering(false);
  };
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => {
    let isLeft = false;
    lastOpen(storyId)
      .then((conversation) => !isLeft && shown.current(conversation))
      .catch((error) => !isLeft && setProblem(problemOf(error)))
      .finally(() => !isLeft && setLoading(false));
    return () => {
      isLeft = true;
    };
  }, [storyId]);

  const say = async (content: string, { send = "context", task = "write" }: Asking = {}) => {
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    let said: Saying[] = [...sayings, { role: "user", content }];
    const asked = said;
    setSayings(said);
    setProblem(null);
    setAnswering(true);
    const isOpen = () => running.current === stop;
    const keep = async () => {
      try {
        const { conversation, isOther } = await keepSaid(storyId, mine, said);
        mine = conversation;
        if (!isOpen()) return;
        known.current = conversation;
        setOpen(conversation);
        if (isOther) setKeeping("other");
      } catch {
        if (isOpen()) setKeeping("unkept");
      }
    };
    let mine = known.current;
    const first = keep();
    let answer = "";
    try {
      const wish = {
        ...place,
        text: send === "nothing" ? "" : read(),
        tokenBudget: send === "context" ? budget : 0,
        pinned: send === "context" ? [...pins] : [],
        pov,
        messages: asked,
        task,
      };
      for await (const words of chatAbout(storyId, wish, stop.signal)) {
        if (!isOpen()) break;
        if (typeof words !== "string") {
          setMemory(words.memory);
          continue;
        }
        answer += words;
        said = [...asked, { role: "assistant", content: answer }];
        setSayings(said);
      }
    } catch (error) {
      if (isOpen()) setProblem(problemOf(error));
    }
    if (isOpen()) setAnswering(false);
    await first;
    if (answer.trim() !== "") await keep();
    if (isOpen()) running.current = null;
  };
  const choose = async (conversation: Promise<OpenConversation | null>) => {
    try {
      shown.current(await conversation);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return {
    isLoading,
    open,
    sayings,
    problem,
    memory,
    keeping,
    isAnswering,
    say,
    stop: () => running.current?.abort(),
    begin: () => {
      leaveOpen(storyId);
      show(null);
    },
    choose: (id: string) => choose(openOne(storyId, id)),
    fork: (after: number) => (open ? choose(forkAfter(storyId, open.id, after)) : Promise.resolve()),
    renamed: (conversation: OpenConversation) => {
      if (known.current?.id !== conversation.id) return;
      known.current = conversation;
      setOpen(conversation);
    },
  };
}
