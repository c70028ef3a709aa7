import { useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/react";
import { useEffect, useMemo } from "react";
import { listThreadsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { texts } from "../../../story/threads/texts";
import { pointsOf } from "../../../story/threads/threads";
import { useTexts } from "../../../texts/language";
import type { Prose } from "../prose";
import { annotate } from "./annotating";

/** Underlines where threads are planted, advanced and paid off in the open scene. */
export function usePoints(
  editor: Editor | null,
  storyId: string,
  sceneId: string,
  gap: () => Prose["gap"],
): void {
  const t = useTexts(texts);
  const { data } = useQuery(listThreadsOptions({ path: { storyId } }));
  const points = useMemo(
    () =>
      (data?.items ?? []).flatMap((thread) =>
        pointsOf(thread).flatMap(({ role, point }) =>
          point.sceneId === sceneId && point.start !== null
            ? [
                {
                  id: point.id,
                  start: point.start,
                  quotation: point.quotation,
                  attributes: { "data-point": role, title: `${t[role]}: ${thread.title}` },
                },
              ]
            : [],
        ),
      ),
    [data, sceneId, t],
  );
  useEffect(() => {
    if (editor) return annotate(editor.view, "points", points, gap());
  }, [editor, points, gap]);
}
