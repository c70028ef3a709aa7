import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";
import { knowledgeOfOptions } from "../../client/rest/@tanstack/react-query.gen";
import { problemOf } from "../../server/problem";

/** In the address of every panel: as who sees it the story is shown. */
const POV = "pov";

const REFUSALS = ["NOT_FOUND", "VALIDATION_ERROR"];

/** Whether the server says that nobody can see the story so: nobody is called so, or not at this moment. */
export const isNoPov = (error: unknown): boolean =>
  error !== null && error !== undefined && REFUSALS.includes(problemOf(error).code);

/** The address of another panel, as the same person sees it. */
export function withPov(address: string, search: string): string {
  const pov = new URLSearchParams(search).get(POV);
  return pov ? `${address}?${new URLSearchParams({ [POV]: pov })}` : address;
}

/** Whose point of view a panel has. */
export interface Pov {
  /** Who is named in the address, whether or not the story knows them. */
  readonly asked: string | null;
  /** Null for the author, who sees everything. */
  readonly id: string | null;
  readonly name: string;
  readonly isUnknown: boolean;
  /** The private facts that they know, and what they believe instead of others, by id. */
  readonly known: ReadonlySet<string>;
  readonly beliefs: ReadonlyMap<string, string>;
  choose(id: string | null): void;
}

export function usePov(storyId: string): Pov {
  const [params, setParams] = useSearchParams();
  const asked = params.get(POV) || null;
  const found = useQuery({
    ...knowledgeOfOptions({ path: { storyId }, query: { knower: asked ?? "" } }),
    enabled: asked !== null,
  });
  const choose = useCallback(
    (id: string | null) =>
      setParams(
        (before) => {
          if (id === null) before.delete(POV);
          else before.set(POV, id);
          return before;
        },
        { replace: true },
      ),
    [setParams],
  );
  const knowledge = asked === null ? undefined : found.data;
  const isUnknown = asked !== null && isNoPov(found.error);
  return useMemo(() => {
    const facts = knowledge?.items ?? [];
    return {
      asked,
      id: knowledge?.knowerId ?? null,
      name: knowledge?.name ?? asked ?? "",
      isUnknown,
      known: new Set(facts.filter(({ knows }) => knows).map(({ fact }) => fact.id)),
      beliefs: new Map(facts.filter(({ belief }) => belief).map(({ fact, belief }) => [fact.id, belief])),
      choose,
    };
  }, [asked, knowledge, isUnknown, choose]);
}
