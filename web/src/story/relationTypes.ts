import { useQuery } from "@tanstack/react-query";
import type { KnowledgeRelationTypeListResponse, RelationType } from "../client/knowledge";
import { ask } from "../server/channel";
import { storyKey } from "../server/server";
import { useLanguage } from "../texts/language";

const NONE: readonly RelationType[] = [];

/** The words for relations that the story knows, in the language of the page. */
export function useRelationTypes(storyId: string): readonly RelationType[] {
  const language = useLanguage();
  const found = useQuery({
    queryKey: storyKey("relationTypes", storyId, language),
    queryFn: ({ signal }) =>
      ask<KnowledgeRelationTypeListResponse>(
        "knowledge:relationtype:list",
        { projectId: storyId, language },
        signal,
      ),
  });
  return found.data?.items ?? NONE;
}
