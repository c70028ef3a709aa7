import { useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/react";
import { useEffect } from "react";
import { mentions } from "../../../client/rest";
import { storyKey } from "../../../server/server";
import type { Place } from "../../../story/manuscript/place";
import { createKnownTexts, type Find } from "./knownTexts";
import { underline } from "./underlining";

/** Underlines the names that the server finds in a scene, and asks again when the story has changed. */
export function useUnderlines(
  editor: Editor | null,
  storyId: string,
  { chapter, scene }: Place,
  blockTexts: () => string[],
): void {
  const { data: known } = useQuery({
    queryKey: storyKey("mentions", storyId, chapter, scene),
    structuralSharing: false,
    queryFn: async ({ signal: ended }) => {
      const find: Find = async (text, signal) => {
        // Not looked through: a long scene has thousands of names, and they are asked for after every change.
        const unread = { responseValidator: undefined };
        const body = { text, chapter, scene };
        const { data } = await mentions({ path: { storyId }, body, signal, ...unread });
        return data.items;
      };
      const texts = createKnownTexts(find);
      await texts.ask(blockTexts(), ended);
      return texts;
    },
  });
  useEffect(() => {
    if (editor && known) underline(editor.view, known);
  }, [editor, known]);
}
