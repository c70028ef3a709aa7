import { z } from "zod";
import type { AssembleContextRequest, TraceItem } from "../../../client/rest";
import { eventsIn } from "../../../server/events";
import { Problem, problemOf } from "../../../server/problem";
import { send } from "../../../server/send";
import { notice } from "../../../server/server";

export interface Saying {
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
}

interface ChatWish
  extends Pick<AssembleContextRequest, "chapter" | "scene" | "text" | "tokenBudget" | "pinned" | "pov"> {
  messages: readonly Saying[];
  /** The answer is to be a part of the scene, and nothing else. */
  prose?: boolean;
  /** Which of the server's models answers. */
  task?: "write" | "read" | "sum_up";
}

const zDelta = z.object({ text: z.string() });
const zContext = z.object({
  memory: z.enum(["whole", "cut", "none"]),
  estimatedTokens: z.number(),
  // The server has checked it, and in a large story it has hundreds of pieces.
  trace: z.custom<TraceItem[]>(Array.isArray),
});

/** What a model was told for one answer, piece by piece. */
export type Told = z.infer<typeof zContext>;

/** How much of the context had room in the model's window. */
export type MemoryShare = Told["memory"];

/** Asks the model about a scene: first how much of the context it is told, then its words as they are said. */
export async function* chatAbout(
  storyId: string,
  wish: ChatWish,
  signal: AbortSignal,
): AsyncGenerator<Told | string> {
  try {
    const answer = await send(`/api/v2/stories/${encodeURIComponent(storyId)}/chat`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
      signal,
    });
    if (!answer.ok || answer.body === null) throw problemOf(await answer.json().catch(() => null), answer);
    yield* wordsOf(answer.body);
  } catch (error) {
    if (signal.aborted) return;
    const problem = problemOf(error);
    notice(problem);
    throw problem;
  }
}

async function* wordsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Told | string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = "";
  let isDone = false;
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    const { events, rest } = eventsIn(text + value);
    text = rest;
    for (const { name, data } of events) {
      if (name === "context") yield zContext.parse(JSON.parse(data));
      else if (name === "delta") yield zDelta.parse(JSON.parse(data)).text;
      else if (name === "error") throw problemOf(JSON.parse(data));
      else if (name === "done") isDone = true;
    }
  }
  if (!isDone) throw new Problem("LLM_UNAVAILABLE", "The answer broke off.");
}
