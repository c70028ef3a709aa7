import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { GraphPictureResponse } from "../../client/rest";
import { readOntologyOptions } from "../../client/rest/@tanstack/react-query.gen";
import { NODE_TYPES, nodeTypeOf } from "../../design/NodeMark";
import { useRelationTypes } from "../../story/relationTypes";
import { glossary } from "../../texts/glossary";
import { inBoth, useTexts } from "../../texts/language";

const texts = inBoth({
  occurs_at: ["happens at", "发生于"],
  participates_in: ["takes part in", "参与"],
});

/** How people call the relations of a picture. */
export function useWords(storyId: string): (type: string) => string {
  const t = useTexts(texts);
  const types = useRelationTypes(storyId);
  return useMemo(() => {
    const labels = new Map([...Object.entries(t), ...types.map(({ key, label }) => [key, label] as const)]);
    return (type) => labels.get(type) ?? type.replaceAll("_", " ");
  }, [types, t]);
}

/** How people call the types of nodes; a type of the author's own is called what the author calls it. */
export function useKinds(): (type: string) => string {
  const words = useTexts(glossary);
  return useMemo(() => {
    const known = words as Record<string, string>;
    return (type) => (NODE_TYPES.some((each) => each === type) ? (known[type] ?? type) : type);
  }, [words]);
}

/** All types that a node may have here: those of the story's ontology, and those that are in use. */
export function useTypes(storyId: string, picture: GraphPictureResponse): readonly string[] {
  const ontology = useQuery(readOntologyOptions({ path: { storyId } }));
  return useMemo(() => {
    const own = (ontology.data?.ontology.nodes ?? []).map(({ name }) => name.toLowerCase());
    const all = [...new Set([...own, ...picture.types])];
    const rank = (type: string) => {
      const place = NODE_TYPES.indexOf(nodeTypeOf(type));
      return place < 0 ? NODE_TYPES.length : place;
    };
    return all.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  }, [ontology.data, picture.types]);
}
