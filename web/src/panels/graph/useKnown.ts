import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fullGraph } from "../../client/rest";
import { storyKey } from "../../server/server";
import { isNoPov, type Pov } from "../../story/pov/pov";
import { type Graph, type Known, knownOf } from "./graph";
import { LAST_SCENE } from "./picture";

/** What somebody knows of the graph at the moment that is shown. */
export function useKnown(storyId: string, graph: Graph, { id }: Pov, chapter: number | null) {
  const seen = useQuery({
    queryKey: storyKey("seenGraph", storyId, id, chapter),
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const { data } = await fullGraph({
        path: { storyId },
        query: { pov: id, ...(chapter === null ? {} : { chapter, scene: LAST_SCENE }) },
        signal,
        // It may be as large as the picture, and comes from our own server.
        responseValidator: async () => {},
      });
      return {
        nodes: new Set(data.nodes.map((node) => node.id)),
        edges: new Set(data.edges.map((edge) => edge.id)),
      };
    },
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
  const isAbsent = id !== null && isNoPov(seen.error);
  const data = id === null || isAbsent ? undefined : seen.data;
  const known = useMemo<Known | null>(
    () => (data ? knownOf(graph, data.nodes, data.edges) : null),
    [graph, data],
  );
  const unknownCount = useMemo(
    () => (known ? [...known.nodes, ...known.edges].filter((each) => each === 0).length : 0),
    [known],
  );
  return { known, unknownCount, isAbsent };
}
