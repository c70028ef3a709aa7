import { useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { readScene } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Select } from "../../../design/Field";
import { Notice } from "../../../design/states";
import { type Problem, problemOf } from "../../../server/problem";
import { placesIn } from "../../../story/manuscript/chapters";
import type { Place } from "../../../story/manuscript/place";
import { usePlaces } from "../../../story/places";
import { useStory } from "../../../story/story";
import { glossary } from "../../../texts/glossary";
import { inBoth, useTexts } from "../../../texts/language";
import styles from "./Printing.module.css";

const texts = inBoth({
  title: ["Print", "打印"],
  what: ["What", "范围"],
  scene: ["This scene", "此场景"],
  chapter: ["This chapter", "此章"],
  book: ["The whole book", "全书"],
  print: ["Print…", "打印…"],
  reading: [
    (done: number, all: number) => `${done} of ${all} scenes`,
    (done: number, all: number) => `${done} / ${all} 个场景`,
  ],
});

type What = "scene" | "chapter" | "book";

interface PrintedScene extends Place {
  readonly title: string;
  readonly text: string;
}

/** How many scenes are asked for at once. */
const AT_ONCE = 6;

interface PrintDialogProps {
  open: Place | null;
  /** What is typed is saved first: what is printed comes from the server. */
  save(): Promise<unknown>;
  onClose(): void;
}

/** Prints a scene, a chapter or the book: its words alone, on white, without the page around them. */
export default function PrintDialog({ open, save, onClose }: PrintDialogProps) {
  const { id: storyId, title, language } = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const [what, setWhat] = useState<What>(open ? "scene" : "book");
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [printed, setPrinted] = useState<readonly PrintedScene[]>([]);
  const wanted = placesIn(places.chapters).filter(
    ({ chapter, scene }) =>
      what === "book" || (chapter === open?.chapter && (what === "chapter" || scene === open.scene)),
  );
  useEffect(() => {
    window.addEventListener("afterprint", onClose);
    return () => window.removeEventListener("afterprint", onClose);
  }, [onClose]);
  const print = async () => {
    setProblem(null);
    setDone(0);
    try {
      await save();
      const found: PrintedScene[] = [];
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        const part = wanted.slice(at, at + AT_ONCE);
        const answers = await Promise.all(part.map((place) => readScene({ path: { storyId, ...place } })));
        found.push(...answers.map(({ data }) => data));
        setDone(found.length);
      }
      flushSync(() => setPrinted(found));
      window.print();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setDone(null);
  };
  const options = [
    ...(open
      ? [
          { value: "scene" as const, label: t.scene },
          { value: "chapter" as const, label: t.chapter },
        ]
      : []),
    { value: "book" as const, label: t.book },
  ];
  return (
    <>
      <Dialog
        title={t.title}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button look="primary" disabled={done !== null} onClick={() => void print()}>
              {t.print}
            </Button>
          </>
        }
      >
        <Select<What> label={t.what} value={what} options={options} onChange={setWhat} />
        <p role="status">{done !== null && t.reading(done, wanted.length)}</p>
        {problem && (
          <Notice look="danger">
            {problem.message} {problem.suggestion}
          </Notice>
        )}
      </Dialog>
      {createPortal(
        <article className={styles.printed} data-printed lang={language}>
          {what === "book" && <h1>{title}</h1>}
          {printed.map((scene, at) => (
            <section key={`${scene.chapter}.${scene.scene}`}>
              {printed[at - 1]?.chapter !== scene.chapter && <h2>{places.chapterName(scene.chapter)}</h2>}
              {scene.title && <h3>{scene.title}</h3>}
              {scene.text.split("\n").map((line, number) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and none moves
                <p key={number}>{line}</p>
              ))}
            </section>
          ))}
        </article>,
        document.body,
      )}
    </>
  );
}
