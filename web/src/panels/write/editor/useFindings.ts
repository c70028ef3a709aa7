import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Editor } from "@tiptap/react";
import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { type CheckFinding, runChecks, type SceneText } from "../../../client/rest";
import { storyKey } from "../../../server/server";
import type { Place } from "../../../story/manuscript/place";
import type { Prose } from "../prose";
import { type Annotated, annotate, annotated } from "./annotating";
import type { Spot } from "./spot";

const KEPT_MS = 10_000;
const NONE: readonly CheckFinding[] = [];

interface Shown {
  readonly id: string;
  readonly spot: Spot;
  /** It was asked for with the keyboard and takes the focus. */
  readonly isAsked: boolean;
}

const SHOW_AFTER_MS = 250;
const HIDE_AFTER_MS = 200;

/** What the rules find in the open scene, each time it is saved: marked in the text, with a card for one of them. */
export function useFindings(
  editor: Editor | null,
  storyId: string,
  place: Place,
  scene: SceneText,
  gap: () => Prose["gap"],
) {
  const { data } = useQuery({
    queryKey: storyKey("sceneChecks", storyId, scene.id, scene.version, place),
    queryFn: async ({ signal }) =>
      (await runChecks({ path: { storyId }, body: { chapter: place.chapter, scene: place.scene }, signal }))
        .data,
    enabled: scene.text !== "",
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  });
  const findings = useMemo(
    () => data?.findings.filter(({ waived, here }) => !waived && here.sceneId === scene.id) ?? NONE,
    [data, scene.id],
  );
  useEffect(() => {
    if (editor) return annotate(editor.view, "findings", findings.flatMap(annotationOf), gap());
  }, [editor, findings, gap]);

  const [shown, setShown] = useState<Shown | null>(null);
  const [atCursor, setAtCursor] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (run: () => void, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, after);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!editor) return;
    const look = () => setAtCursor(foundAt(editor, editor.state.selection.head)?.id ?? null);
    editor.on("selectionUpdate", look);
    return () => {
      editor.off("selectionUpdate", look);
    };
  }, [editor]);

  const show = (mark: HTMLElement) => {
    const found = editor && foundAt(editor, editor.view.posAtDOM(mark, 0));
    const { left, top, bottom } = mark.getBoundingClientRect();
    if (found) setShown({ id: found.id, spot: { left, top, bottom }, isAsked: false });
  };
  const close = () => {
    clearTimeout(timer.current);
    setShown(null);
  };
  /** Goes to the next finding after the cursor, or to the one before it, and shows its card. */
  const step = (by: 1 | -1) => {
    if (!editor) return;
    const all = annotated(editor.state, "findings");
    const { head } = editor.state.selection;
    const next =
      by === 1
        ? (all.find(({ from }) => from > head) ?? all[0])
        : (all.findLast(({ to }) => to < head) ?? all.at(-1));
    if (!next) return;
    editor.chain().setTextSelection(next.from).scrollIntoView().run();
    const { left, top, bottom } = editor.view.coordsAtPos(next.from);
    setShown({ id: next.id, spot: { left, top, bottom }, isAsked: true });
  };
  const finding = findings.find(({ id }) => id === shown?.id);
  return {
    findings,
    card: shown && finding ? { ...shown, finding } : null,
    /** What is the matter with the words that the cursor stands in. */
    atCursor: findings.find(({ id }) => id === atCursor) ?? null,
    step,
    close,
    stay: () => clearTimeout(timer.current),
    leave: () => later(() => setShown((before) => (before?.isAsked ? before : null)), HIDE_AFTER_MS),
    onPointerOver: (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      const mark = markAt(event.target);
      if (mark) later(() => mark.isConnected && show(mark), SHOW_AFTER_MS);
      else later(() => setShown((before) => (before?.isAsked ? before : null)), HIDE_AFTER_MS);
    },
    onTap: (target: EventTarget) => {
      const mark = markAt(target);
      if (mark) show(mark);
      else close();
    },
  };
}

const markAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-finding]") : null;

/** The finding whose words stand at a place. */
function foundAt(editor: Editor, at: number): Annotated | undefined {
  const all = annotated(editor.state, "findings", at);
  return all.find(({ from, to }) => from <= at && at < to) ?? all[0];
}

function annotationOf({ id, severity, here }: CheckFinding) {
  const { start, markStart, markEnd, quotation } = here;
  if (start == null || markStart == null || markEnd == null) return [];
  return [
    {
      id,
      start,
      quotation,
      mark: { start: markStart - start, end: markEnd - start },
      attributes: { "data-finding": id, "data-severity": severity },
    },
  ];
}
