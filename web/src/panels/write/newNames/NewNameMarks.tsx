import type { Editor } from "@tiptap/react";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { NewName } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { NODE_TYPES, NodeMark } from "../../../design/NodeMark";
import { PickDialog } from "../../../story/PickDialog";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { annotate, annotated } from "../editor/annotating";
import popups from "../editor/Popups.module.css";
import { type Spot, spotStyle } from "../editor/spot";
import type { Prose } from "../prose";
import styles from "./NewNames.module.css";
import { type Meant, type NamedScene, settleNames, useNewNames } from "./newNames";
import { texts } from "./texts";

const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 250;
const TYPES = NODE_TYPES.filter((type) => type !== "event" && type !== "custom");

interface Shown {
  readonly name: string;
  readonly spot: Spot;
  /** It was asked for with the keyboard and takes the focus. */
  readonly isAsked: boolean;
}

interface NewNameMarksProps extends NamedScene {
  editor: Editor;
  gap(): Prose["gap"];
  /** Shows the card of the name that the cursor stands in. */
  askRef: RefObject<(() => void) | null>;
}

/** Underlines the names that nobody has, faintly, and asks who one of them is. */
export default function NewNameMarks({ editor, gap, askRef, ...scene }: NewNameMarksProps) {
  const names = useNewNames(scene);
  const annotations = useMemo(() => names.flatMap(annotationsOf), [names]);
  useEffect(() => annotate(editor.view, "newNames", annotations, gap()), [editor, annotations, gap]);
  const [shown, setShown] = useState<Shown | null>(null);
  const [asked, setAsked] = useState<NewName | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = useCallback((run: () => void, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, after);
  }, []);
  useEffect(() => {
    const { dom } = editor.view;
    const show = (mark: HTMLElement) => {
      const { left, top, bottom } = mark.getBoundingClientRect();
      setShown({ name: mark.dataset.newName ?? "", spot: { left, top, bottom }, isAsked: false });
    };
    const point = (event: PointerEvent) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      const mark = markAt(event.target);
      if (mark) later(() => mark.isConnected && show(mark), SHOW_AFTER_MS);
      else later(() => setShown((before) => (before?.isAsked ? before : null)), HIDE_AFTER_MS);
    };
    const tap = (event: MouseEvent) => {
      clearTimeout(timer.current);
      const mark = markAt(event.target);
      if (mark) show(mark);
      else setShown(null);
    };
    const write = () => setShown(null);
    dom.addEventListener("pointerover", point);
    dom.addEventListener("click", tap);
    editor.on("update", write);
    askRef.current = () => {
      const at = editor.state.selection.head;
      const mark = annotated(editor.state, "newNames", at)[0];
      if (!mark) return;
      const { left, top, bottom } = editor.view.coordsAtPos(mark.from);
      setShown({ name: mark.id, spot: { left, top, bottom }, isAsked: true });
    };
    return () => {
      clearTimeout(timer.current);
      dom.removeEventListener("pointerover", point);
      dom.removeEventListener("click", tap);
      editor.off("update", write);
      askRef.current = null;
    };
  }, [editor, askRef, later]);
  const t = useTexts(texts);
  const found = names.find(({ name }) => name === shown?.name);
  const close = () => {
    setShown(null);
    editor.view.focus();
  };
  const settle = (name: NewName, meant: Meant, done: string) => {
    setAsked(null);
    close();
    void settleNames(scene, [name], meant, done);
  };
  return (
    <>
      {shown && found && (
        <WhoCard
          found={found}
          shown={shown}
          onStay={() => clearTimeout(timer.current)}
          onLeave={() => later(() => setShown((before) => (before?.isAsked ? before : null)), HIDE_AFTER_MS)}
          onType={(type) => settle(found, { kind: "type", type }, t.added(1))}
          onSame={() => {
            setShown(null);
            setAsked(found);
          }}
          onNone={() => settle(found, { kind: "none" }, t.noneDone(found.name))}
          onClose={close}
        />
      )}
      {asked && (
        <PickDialog
          storyId={scene.storyId}
          title={t.sameTitle(asked.name)}
          why={t.sameWhy}
          label={t.sameLabel}
          pickWord={t.samePick}
          onPick={({ id }) => settle(asked, { kind: "known", id }, t.sameDone(asked.name))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface WhoCardProps {
  found: NewName;
  shown: Shown;
  onStay(): void;
  onLeave(): void;
  onType(type: string): void;
  onSame(): void;
  onNone(): void;
  onClose(): void;
}

/** Who is it? Somebody new of a type, somebody known, or no name at all. */
function WhoCard({ found, shown, onStay, onLeave, onType, onSame, onNone, onClose }: WhoCardProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const card = useRef<HTMLDivElement>(null);
  const { isAsked } = shown;
  useEffect(() => {
    if (isAsked) card.current?.querySelector("button")?.focus();
  }, [isAsked]);
  const types = [...TYPES].sort((one, other) => Number(other === found.type) - Number(one === found.type));
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={t.whoOf(found.name)}
      tabIndex={-1}
      className={popups.card}
      style={spotStyle(shown.spot)}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <header className={popups.cardHead}>
        <strong>{found.name}</strong>
        <span className={popups.aside}>{t.who}</span>
      </header>
      {found.aliases.length > 0 && <p className={popups.aside}>{found.aliases.join(" · ")}</p>}
      <div className={styles.types}>
        {types.map((type) => (
          <Button
            key={type}
            size="small"
            look={type === found.type ? "primary" : "plain"}
            onClick={() => onType(type)}
          >
            <NodeMark type={type} size={12} /> {words[type]}
          </Button>
        ))}
      </div>
      <footer className={popups.cardFoot}>
        <Button size="small" look="quiet" onClick={onSame}>
          {t.same}
        </Button>
        <Button size="small" look="quiet" onClick={onNone}>
          {t.none}
        </Button>
      </footer>
    </div>
  );
}

const markAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-new-name]") : null;

const annotationsOf = ({ name, spans }: NewName) =>
  spans.map(({ term, start }) => ({
    id: name,
    start,
    quotation: term,
    attributes: { "data-new-name": name },
  }));
