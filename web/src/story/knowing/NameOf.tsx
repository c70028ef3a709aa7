import { useQuery } from "@tanstack/react-query";
import type { FactRef } from "../../client/rest";
import { knowersOfOptions } from "../../client/rest/@tanstack/react-query.gen";

/** What a fact is called, where only its id is at hand. */
export function NameOf({ storyId, fact }: { storyId: string; fact: FactRef }) {
  const label = useQuery(knowersOfOptions({ path: { storyId }, query: { kind: fact.kind, id: fact.id } }))
    .data?.label;
  return <span>{label ?? "…"}</span>;
}
