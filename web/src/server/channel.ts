import { problemOf } from "./problem";
import { noteRevision } from "./revision";
import { send } from "./send";
import { notice } from "./server";

/** Asks over a channel what REST has no address for; the types of payload and answer are in client/knowledge.ts. */
export async function ask<Answer>(channel: string, payload: object, signal?: AbortSignal): Promise<Answer> {
  try {
    const answer = await send(`/api/v2/ipc/${channel}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(payload),
      signal: signal ?? null,
    });
    // A proxy in between may answer with a page of its own.
    const envelope = await answer.json().catch(() => null);
    if (!envelope?.ok) throw problemOf(envelope?.error ?? envelope, answer);
    return noteRevision(envelope.data, envelope.revision ?? null);
  } catch (error) {
    const problem = problemOf(error);
    notice(problem);
    throw problem;
  }
}
