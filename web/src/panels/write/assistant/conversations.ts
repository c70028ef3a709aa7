import {
  deleteConversation,
  forkConversation,
  type KeptConversation,
  keepConversation,
  listConversations,
  readConversation,
  updateConversation,
} from "../../../client/rest";
import { readKept, writeKept } from "../../../kept";
import { problemOf } from "../../../server/problem";
import type { Saying } from "./chat";

/** A conversation as the page has it open; one that was never kept has no id. */
export interface OpenConversation {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly sayings: readonly Saying[];
}

const LONGEST_TITLE = 60;
const OPEN = "conversation:";
export const PAGE = 30;

/** What is being kept of a story's conversation: whoever opens it waits for that. */
const keeping = new Map<string, Promise<unknown>>();

/** The first words of what was said first, without what it quotes. */
export function titleOf(sayings: readonly Saying[]): string {
  const words = (sayings[0]?.content ?? "")
    .replace(/^> .*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...words];
  const title = characters.slice(0, LONGEST_TITLE).join("");
  return (characters.length > LONGEST_TITLE ? `${title}…` : title) || "…";
}

const opened = ({ id, title, version, messages }: KeptConversation): OpenConversation => ({
  id,
  title,
  version,
  sayings: messages.map(({ role, content }) => ({ role, content })),
});

/** The conversation that was open last in this browser; null if there is none, or none any more. */
export async function lastOpen(storyId: string): Promise<OpenConversation | null> {
  await keeping.get(storyId);
  const id = readKept(OPEN + storyId);
  return typeof id === "string" ? await openOne(storyId, id) : null;
}

export async function openOne(storyId: string, id: string): Promise<OpenConversation | null> {
  try {
    const { data } = await readConversation({ path: { storyId, conversationId: id } });
    writeKept(OPEN + storyId, id);
    return opened(data);
  } catch (error) {
    if (problemOf(error).code !== "NOT_FOUND") throw error;
    writeKept(OPEN + storyId, undefined);
    return null;
  }
}

export const leaveOpen = (storyId: string): void => void writeKept(OPEN + storyId, undefined);

export interface KeptNow {
  readonly conversation: OpenConversation;
  /** It went on elsewhere, or is gone: what is kept is another one. */
  readonly isOther: boolean;
}

/** Keeps what was said: in its conversation, or in a new one where it has none or has gone on elsewhere. */
export function keepSaid(
  storyId: string,
  known: OpenConversation | null,
  sayings: readonly Saying[],
): Promise<KeptNow> {
  const before = keeping.get(storyId) ?? Promise.resolve();
  const now = before.catch(() => {}).then(() => keepOne(storyId, known, sayings));
  const settled = now.catch(() => {});
  keeping.set(storyId, settled);
  void settled.then(() => keeping.get(storyId) === settled && keeping.delete(storyId));
  return now;
}

async function keepOne(
  storyId: string,
  known: OpenConversation | null,
  sayings: readonly Saying[],
): Promise<KeptNow> {
  const messages = sayings.map(({ role, content }) => ({ role, content }));
  if (known) {
    try {
      const { data } = await updateConversation({
        path: { storyId, conversationId: known.id },
        body: { messages, version: known.version },
      });
      return { conversation: opened(data), isOther: false };
    } catch (error) {
      if (!["CONFLICT", "NOT_FOUND"].includes(problemOf(error).code)) throw error;
    }
  }
  const title = known?.title ?? titleOf(sayings);
  const { data } = await keepConversation({ path: { storyId }, body: { title, messages } });
  writeKept(OPEN + storyId, data.id);
  return { conversation: opened(data), isOther: known !== null };
}

export async function forkAfter(storyId: string, id: string, after: number): Promise<OpenConversation> {
  const { data } = await forkConversation({ path: { storyId, conversationId: id }, body: { after } });
  writeKept(OPEN + storyId, data.id);
  return opened(data);
}

export async function listOf(storyId: string, query: string, size: number, signal: AbortSignal) {
  const { data } = await listConversations({ path: { storyId }, query: { query, size }, signal });
  return data;
}

export async function renameOne(storyId: string, id: string, title: string): Promise<OpenConversation> {
  const { data } = await updateConversation({ path: { storyId, conversationId: id }, body: { title } });
  return opened(data);
}

export async function deleteOne(storyId: string, id: string): Promise<void> {
  await deleteConversation({ path: { storyId, conversationId: id } });
}
