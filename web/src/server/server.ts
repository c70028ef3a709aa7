import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createStore } from "zustand/vanilla";
import { client } from "../client/rest/client.gen";
import { problemOf } from "./problem";
import { send } from "./send";

/** "lost" while nobody answers, "unknown" while the server wants a token that we do not have. */
export const connectionStore = createStore<"well" | "lost" | "unknown">(() => "well");

client.setConfig({
  baseUrl: "",
  fetch: (request, init) => send(request as Request, init),
});

client.interceptors.error.use((error, response) => {
  const problem = problemOf(error, response);
  notice(problem);
  return problem;
});

/** Draws the conclusions of a failure for the whole page. */
export function notice(error: unknown): void {
  const problem = problemOf(error);
  if (problem.isOffline) connectionStore.setState("lost");
  else if (problem.code === "UNAUTHENTICATED") connectionStore.setState("unknown");
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** A key for a query of our own that goes stale with its story, like the generated ones do. */
export const storyKey = (id: string, storyId: string, ...more: unknown[]) =>
  [{ _id: id, path: { storyId } }, ...more] as const;

/** What was asked about a story is asked again. */
export function refreshStory(storyId: string): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => storyOf(queryKey) === storyId });
}

/** The story that a query is about. */
export function storyOf(queryKey: readonly unknown[]): string | null {
  const [head] = queryKey as readonly [{ path?: { storyId?: string } } | undefined];
  return head?.path?.storyId ?? null;
}

const KNOCK_EVERY_MS = 2_000;

/** While the connection is lost, knocks until somebody answers, then asks for everything again. */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const knock = async () => {
    timer = undefined;
    const answer = await fetch("/api/v2/health", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) {
      connectionStore.setState("well");
      await queries.invalidateQueries();
    } else {
      watch();
    }
  };
  const watch = () => {
    if (connectionStore.getState() === "lost" && timer === undefined)
      timer = setTimeout(knock, KNOCK_EVERY_MS);
  };
  const leave = connectionStore.subscribe(watch);
  watch();
  return () => {
    leave();
    clearTimeout(timer);
  };
}
