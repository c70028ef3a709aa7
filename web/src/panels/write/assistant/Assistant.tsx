import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { settingsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../../design/Button";
import { TextArea } from "../../../design/Field";
import { Empty, Loading, Notice, Trouble } from "../../../design/states";
import { panelOf } from "../../../story/addresses";
import { usePov } from "../../../story/pov/pov";
import { useTexts } from "../../../texts/language";
import type { Place } from "../place";
import { texts } from "../texts";
import styles from "./Assistant.module.css";
import { useChat } from "./useChat";

interface AssistantProps {
  storyId: string;
  place: Place;
  budget: number;
  pins: readonly string[];
  read(): string;
  onInsert(text: string): void;
}

/** A conversation about the scene, where a language model is set up; where none is, it says so. */
export default function Assistant(props: AssistantProps) {
  const t = useTexts(texts);
  const settings = useQuery(settingsOptions());
  if (settings.error) return <Trouble error={settings.error} onRetry={() => void settings.refetch()} />;
  if (!settings.data) return <Loading rows={3} />;
  if (!settings.data.languageModel.configured)
    return (
      <Empty icon="pen" title={t.noModel}>
        <p>{t.noModelMeanwhile}</p>
        <p>{t.noModelNext}</p>
        <Link to={panelOf(props.storyId, "settings")}>{t.toSettings}</Link>
      </Empty>
    );
  return <Conversation {...props} model={settings.data.languageModel.name} />;
}

function Conversation({ onInsert, model, ...parts }: AssistantProps & { model: string | null }) {
  const t = useTexts(texts);
  const pov = usePov(parts.storyId).id;
  const chat = useChat({ ...parts, pov });
  const [text, setText] = useState("");
  const send = () => {
    if (text.trim() === "" || chat.isAnswering) return;
    void chat.say(text.trim());
    setText("");
  };
  const last = chat.sayings.length - 1;
  return (
    <div className={styles.assistant}>
      <div
        className={styles.sayings}
        role="log"
        aria-label={t.assistant}
        aria-busy={chat.isAnswering}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
      >
        {chat.sayings.length === 0 && <p className={styles.hint}>{t.chatHint(model ?? "")}</p>}
        {chat.sayings.map(({ role, content }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said has no name but its place
          <article key={place} className={styles.saying} data-role={role}>
            <p>{content}</p>
            {role === "assistant" && !(chat.isAnswering && place === last) && (
              <Button size="small" icon="plus" onClick={() => onInsert(content)}>
                {t.insert}
              </Button>
            )}
          </article>
        ))}
        {chat.memory !== "whole" && (
          <Notice look="warn">{chat.memory === "cut" ? t.memoryCut : t.memoryNone}</Notice>
        )}
        {chat.problem && (
          <Notice look="danger">
            {chat.problem.isOffline ? t.noAnswer : chat.problem.message} {chat.problem.suggestion}
          </Notice>
        )}
      </div>
      <div className={styles.asking}>
        <TextArea
          label={t.say}
          quiet
          placeholder={t.sayHint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <div className={styles.actions}>
          {chat.isAnswering ? (
            <Button size="small" icon="close" onClick={chat.stop}>
              {t.stop}
            </Button>
          ) : (
            <>
              <Button size="small" icon="pen" onClick={() => void chat.say(t.goOn)}>
                {t.continue}
              </Button>
              <Button size="small" look="primary" disabled={text.trim() === ""} onClick={send}>
                {t.send}
              </Button>
            </>
          )}
          {chat.sayings.length > 0 && (
            <Button size="small" look="quiet" onClick={chat.clear}>
              {t.clear}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
