import { useEffect } from "react";
import { useStore } from "zustand";
import { type Change, refreshChanged } from "./change";
import { eventsIn, type ServerEvent } from "./events";
import { send, tokenStore } from "./send";
import { connectionStore } from "./server";

const AGAIN_AFTER_MS = 2_000;
const REFUSALS = [401, 403, 404];
const GONE: ServerEvent = { name: "gone", data: "" };

/** Hears of every change to a story and refreshes what it concerns. */
export function useLive(storyId: string): void {
  const token = useStore(tokenStore);
  useEffect(() => {
    // Whoever signs in begins to listen again.
    void token;
    const stop = new AbortController();
    const channel = "BroadcastChannel" in window ? new BroadcastChannel(`fabula:live:${storyId}`) : null;
    const tell = (change: Change | null) => {
      void refreshChanged(storyId, change);
      channel?.postMessage(change);
    };
    if (channel) channel.onmessage = ({ data }) => void refreshChanged(storyId, data);
    // A browser opens six connections to a server, so of all tabs of a story one listens for the others.
    const listening =
      "locks" in navigator
        ? navigator.locks.request(`fabula:live:${storyId}`, { signal: stop.signal }, () =>
            listen(storyId, tell, stop.signal),
          )
        : listen(storyId, tell, stop.signal);
    listening.catch(() => {});
    return () => {
      stop.abort();
      channel?.close();
    };
  }, [storyId, token]);
}

/** Told what changed, or null if that was missed. */
type Tell = (change: Change | null) => void;

/** Listens until told to stop, over as many streams as it takes. */
async function listen(storyId: string, tell: Tell, signal: AbortSignal): Promise<void> {
  let last: number | null = null;
  while (!signal.aborted) {
    try {
      let isFirst = true;
      for await (const { name, data } of stream(storyId, signal)) {
        if (name === "gone") return;
        if (name === "revision" && isFirst) {
          // What happened between two streams was told to nobody.
          if (last !== null && last !== Number(data)) tell(null);
          last = Number(data);
          isFirst = false;
        } else if (name === "change") {
          const change: Change = JSON.parse(data);
          tell(change);
          last = change.revision;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TypeError) connectionStore.setState("lost");
    }
    await pause(AGAIN_AFTER_MS, signal);
  }
}

async function* stream(storyId: string, signal: AbortSignal) {
  const answer = await send(`/api/v2/stories/${encodeURIComponent(storyId)}/live`, {
    signal,
    cache: "no-store",
  });
  if (answer.status === 401) connectionStore.setState("unknown");
  if (REFUSALS.includes(answer.status)) yield GONE;
  if (!answer.ok || answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, rest } = eventsIn(text + value);
    text = rest;
    yield* events;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
