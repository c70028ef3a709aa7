import type { Editor } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Story } from "../../../client/rest";
import { Button, IconButton } from "../../../design/Button";
import { TextField } from "../../../design/Field";
import { Notice } from "../../../design/states";
import { panelOf } from "../../../story/addresses";
import type { Place } from "../../../story/manuscript/place";
import { useTexts } from "../../../texts/language";
import type { Told } from "../assistant/chat";
import { GHOST, ghosting, keepGhost, showGhost } from "./ghost";
import styles from "./Suggesting.module.css";
import { texts } from "./texts";
import { useAttempts } from "./useAttempts";
import type { Wish } from "./wishes";

interface SuggestingProps {
  story: Story;
  editor: Editor;
  place: Place;
  budget: number;
  pins: readonly string[];
  wish: Wish;
  /** What the model is told for it, as soon as that is known. */
  onTold(told: Told): void;
  /** What happened, for those who cannot see it. */
  onClose(said: string): void;
}

/** What a model writes at the cursor: grey until it is kept, with a bar of what can be done with it. */
export default function Suggesting({
  story,
  editor,
  place,
  budget,
  pins,
  wish,
  onTold,
  onClose,
}: SuggestingProps) {
  const t = useTexts(texts);
  const { id: storyId, language } = story;
  const attempts = useAttempts({ storyId, language, place, budget, pins, wish, onTold });
  const { text, isWriting, problem, count, at } = attempts;
  const [instruction, setInstruction] = useState("");
  const close = (said: string) => {
    attempts.stop();
    showGhost(editor.view, null);
    onClose(said);
    editor.view.focus();
  };
  const keep = () => {
    if (text.trim() === "") return;
    attempts.stop();
    keepGhost(editor.view, { ...wish, text: text.trimEnd() + wish.end });
    onClose(t.kept);
    editor.view.focus();
  };
  const again = () => void attempts.ask(instruction);
  const press = (event: KeyboardEvent): boolean => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (event.key === "Escape") close(t.dropped);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) again();
    else if (isPlain && text !== "" && (event.key === "Tab" || event.key === "Enter")) keep();
    else if (isPlain && count > 1 && event.key === "ArrowLeft") attempts.step(-1);
    else if (isPlain && count > 1 && event.key === "ArrowRight") attempts.step(1);
    else return false;
    event.preventDefault();
    return true;
  };
  const current = useRef({ press, leave: () => onClose(t.dropped) });
  current.current = { press, leave: () => onClose(t.dropped) };
  useEffect(() => {
    const plugin = ghosting({
      onKey: (event) => current.current.press(event),
      onWrite: () => current.current.leave(),
    });
    // Before the others: what is suggested has the first word about Tab and Enter.
    editor.registerPlugin(plugin, (mine, others) => [mine, ...others]);
    return () => {
      if (!editor.isDestroyed) editor.unregisterPlugin(GHOST);
    };
  }, [editor]);
  const { from, to, end } = wish;
  useEffect(() => {
    showGhost(editor.view, { from, to, text: text === "" ? "" : text + end });
    if (text !== "") editor.view.dom.querySelector("[data-ghost]")?.scrollIntoView({ block: "nearest" });
  }, [editor, from, to, end, text]);
  const isUnset = problem?.details.reason === "not_configured";
  const isEmpty = !isWriting && !problem && text === "";
  return (
    <section className={styles.bar} aria-label={t.suggestion}>
      <p className="visually-hidden" role="status">
        {isWriting ? (text === "" ? t.waiting : t.writing) : text !== "" ? t.ready(text) : ""}
      </p>
      {problem && (
        <Notice look="danger">
          {isUnset ? t.noModel : problem.isOffline ? t.noAnswer : problem.message}{" "}
          {isUnset ? <Link to={panelOf(storyId, "settings")}>{t.setUp}</Link> : problem.suggestion}
        </Notice>
      )}
      {isEmpty && <Notice look="warn">{t.nothing}</Notice>}
      <div className={styles.row}>
        <div className={styles.field}>
          <TextField
            label={t.instruction}
            quiet
            placeholder={isWriting && text === "" ? t.waiting : t.instruction}
            value={instruction}
            maxLength={2000}
            onChange={(event) => setInstruction(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === "Enter") {
                event.preventDefault();
                again();
              } else if (event.key === "Escape") {
                event.preventDefault();
                close(t.dropped);
              }
            }}
          />
        </div>
        {count > 1 && (
          <div className={styles.attempts}>
            <IconButton
              icon="back"
              size="small"
              label={t.before}
              disabled={at === 0}
              onClick={() => attempts.step(-1)}
            />
            <span>{t.attempt(at + 1, count)}</span>
            <IconButton
              icon="back"
              size="small"
              className={styles.next ?? ""}
              label={t.next}
              disabled={at === count - 1}
              onClick={() => attempts.step(1)}
            />
          </div>
        )}
        <div className={styles.acts}>
          {isWriting ? (
            <Button size="small" icon="close" onClick={attempts.stop}>
              {t.stop}
            </Button>
          ) : (
            <Button size="small" icon="refresh" onClick={again}>
              {t.again}
            </Button>
          )}
          <Button size="small" title="Esc" onClick={() => close(t.dropped)}>
            {t.drop}
          </Button>
          <Button size="small" look="primary" title="Tab" disabled={text.trim() === ""} onClick={keep}>
            {t.keep}
          </Button>
        </div>
      </div>
    </section>
  );
}
