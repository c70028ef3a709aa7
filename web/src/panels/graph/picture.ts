import { queryOptions } from "@tanstack/react-query";
import { drawGraph, type GraphPictureResponse } from "../../client/rest";
import { queries, storyKey } from "../../server/server";

/** The end of a chapter: all that happens in it has happened. */
export const LAST_SCENE = 1_048_575;

/** The whole graph, as of the end of a chapter if one is given. It may be large, and comes from our own server: it is not checked again. */
export const pictureOptions = (storyId: string, chapter: number | null) =>
  queryOptions({
    queryKey: storyKey("picture", storyId, chapter),
    queryFn: async ({ signal }): Promise<GraphPictureResponse> => {
      const { data } = await drawGraph({
        path: { storyId },
        query: { implicit: true, ...(chapter === null ? {} : { chapter, scene: LAST_SCENE }) },
        signal,
        responseValidator: async () => {},
      });
      return data;
    },
    structuralSharing: false,
  });

export type Change = (picture: GraphPictureResponse) => GraphPictureResponse;

/** Shows a change at once, at every moment that is known; the function that is given back takes it away again. */
export function showChange(storyId: string, change: Change): () => void {
  const known = queries.getQueryCache().findAll({ queryKey: [{ _id: "picture", path: { storyId } }] });
  const before = known.map(({ queryKey, state }) => [queryKey, state.data] as const);
  for (const [queryKey, data] of before)
    if (data) queries.setQueryData(queryKey, change(data as GraphPictureResponse));
  return () => {
    for (const [queryKey, data] of before) queries.setQueryData(queryKey, data);
  };
}

const placed = (list: readonly string[], word: string): [string[], number] => {
  const known = list.indexOf(word);
  return known >= 0 ? [[...list], known] : [[...list, word], list.length];
};

const changedAt = <T>(list: readonly T[], place: number, value: T): T[] =>
  list.map((each, at) => (at === place ? value : each));

const without = <T>(list: readonly T[], gone: (place: number) => boolean): T[] =>
  list.filter((_, place) => !gone(place));

export interface NewNode {
  id: string;
  name: string;
  type: string;
  x: number | null;
  y: number | null;
}

export const withNode =
  (node: NewNode): Change =>
  (picture) => {
    const [types, type] = placed(picture.types, node.type);
    const { nodes } = picture;
    return {
      ...picture,
      types,
      totalNodes: picture.totalNodes + 1,
      nodes: {
        ids: [...nodes.ids, node.id],
        names: [...nodes.names, node.name],
        types: [...nodes.types, type],
        x: [...nodes.x, node.x],
        y: [...nodes.y, node.y],
        degrees: [...nodes.degrees, 0],
      },
    };
  };

export const withFields =
  (id: string, fields: { name: string; type: string }): Change =>
  (picture) => {
    const place = picture.nodes.ids.indexOf(id);
    if (place < 0) return picture;
    const [types, type] = placed(picture.types, fields.type);
    const { nodes } = picture;
    return {
      ...picture,
      types,
      nodes: {
        ...nodes,
        names: changedAt(nodes.names, place, fields.name),
        types: changedAt(nodes.types, place, type),
      },
    };
  };

export const withPlace =
  (id: string, x: number | null, y: number | null): Change =>
  (picture) => {
    const place = picture.nodes.ids.indexOf(id);
    if (place < 0) return picture;
    const { nodes } = picture;
    return {
      ...picture,
      nodes: { ...nodes, x: changedAt(nodes.x, place, x), y: changedAt(nodes.y, place, y) },
    };
  };

/** Without a node, and without the edges that it was an end of. */
export const withoutNode =
  (id: string): Change =>
  (picture) => {
    const gone = picture.nodes.ids.indexOf(id);
    if (gone < 0) return picture;
    const { nodes, edges } = picture;
    const isGone = (edge: number) => edges.sources[edge] === gone || edges.targets[edge] === gone;
    const shifted = (ends: readonly number[]) =>
      without(ends, isGone).map((end) => (end > gone ? end - 1 : end));
    const lost = edges.ids.filter((_, edge) => isGone(edge)).length;
    const one = (place: number) => place === gone;
    return {
      ...picture,
      totalNodes: picture.totalNodes - 1,
      totalEdges: picture.totalEdges - lost,
      nodes: {
        ids: without(nodes.ids, one),
        names: without(nodes.names, one),
        types: without(nodes.types, one),
        x: without(nodes.x, one),
        y: without(nodes.y, one),
        degrees: without(nodes.degrees, one),
      },
      edges: {
        ids: without(edges.ids, isGone),
        sources: shifted(edges.sources),
        targets: shifted(edges.targets),
        types: without(edges.types, isGone),
      },
    };
  };

export interface NewEdge {
  id: string;
  sourceId: string;
  targetId: string;
  type: string;
}

/** With another relation. */
export const withEdge =
  (edge: NewEdge): Change =>
  (picture) => {
    const source = picture.nodes.ids.indexOf(edge.sourceId);
    const target = picture.nodes.ids.indexOf(edge.targetId);
    if (source < 0 || target < 0 || picture.edges.ids.includes(edge.id)) return picture;
    const [edgeTypes, type] = placed(picture.edgeTypes, edge.type);
    const { edges } = picture;
    return {
      ...picture,
      edgeTypes,
      totalEdges: picture.totalEdges + 1,
      edges: {
        ids: [...edges.ids, edge.id],
        sources: [...edges.sources, source],
        targets: [...edges.targets, target],
        types: [...edges.types, type],
      },
    };
  };

export const withEdgeType =
  (id: string, word: string): Change =>
  (picture) => {
    const place = picture.edges.ids.indexOf(id);
    if (place < 0) return picture;
    const [edgeTypes, type] = placed(picture.edgeTypes, word);
    return {
      ...picture,
      edgeTypes,
      edges: { ...picture.edges, types: changedAt(picture.edges.types, place, type) },
    };
  };

export const withoutEdge =
  (id: string): Change =>
  (picture) => {
    const gone = picture.edges.ids.indexOf(id);
    if (gone < 0) return picture;
    const one = (place: number) => place === gone;
    const { edges } = picture;
    return {
      ...picture,
      totalEdges: picture.totalEdges - 1,
      edges: {
        ids: without(edges.ids, one),
        sources: without(edges.sources, one),
        targets: without(edges.targets, one),
        types: without(edges.types, one),
      },
    };
  };
