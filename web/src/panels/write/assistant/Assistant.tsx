import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { settingsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { Button, IconButton } from "../../../design/Button";
import { TextArea } from "../../../design/Field";
import { Empty, Loading, Notice, Trouble } from "../../../design/states";
import { tell } from "../../../design/toasts";
import { panelOf } from "../../../story/addresses";
import type { Place } from "../../../story/manuscript/place";
import { usePov } from "../../../story/pov/pov";
import { type Said, useTexts } from "../../../texts/language";
import styles from "./Assistant.module.css";
import { ConversationList } from "./ConversationList";
import { texts } from "./texts";
import { type Asking, useChat } from "./useChat";

/** What is asked about words of the text: by a prompt at once, or as the author goes on to say. */
export interface Question {
  readonly quotation: string | null;
  readonly instruction: string | null;
  readonly asking: Asking;
}

interface AssistantProps {
  storyId: string;
  place: Place;
  budget: number;
  pins: readonly string[];
  read(): string;
  onInsert(text: string): void;
  question: Question | null;
  onQuestion(question: Question | null): void;
}

/** The conversations of a story, where a language model is set up; where none is, it says so. */
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

function Conversation({
  onInsert,
  model,
  question,
  onQuestion,
  ...parts
}: AssistantProps & { model: string | null }) {
  const t = useTexts(texts);
  const pov = usePov(parts.storyId).id;
  const chat = useChat({ ...parts, pov });
  const [text, setText] = useState("");
  const [isListed, setListed] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const quotation = question?.quotation ?? null;
  const say = useRef(chat.say);
  say.current = chat.say;
  useEffect(() => {
    if (!question || chat.isLoading) return;
    setListed(false);
    if (question.instruction === null) return field.current?.querySelector("textarea")?.focus();
    // A prompt is asked at once; there is nothing to add to it.
    const asked = quoting(t, question.quotation, question.instruction);
    void say.current(asked, question.asking);
    onQuestion(null);
  }, [question, chat.isLoading, t, onQuestion]);
  const send = () => {
    if (text.trim() === "" || chat.isAnswering) return;
    void chat.say(quoting(t, quotation, text.trim()));
    setText("");
    onQuestion(null);
  };
  const last = chat.sayings.length - 1;
  return (
    <div className={styles.assistant}>
      <div className={styles.head}>
        <Button
          size="small"
          look="quiet"
          icon="list"
          aria-expanded={isListed}
          title={t.others}
          className={styles.title ?? ""}
          onClick={() => setListed(!isListed)}
        >
          <span>{isListed ? t.others : (chat.open?.title ?? t.unnamed)}</span>
        </Button>
        <IconButton
          icon="plus"
          size="small"
          label={t.begin}
          onClick={() => {
            chat.begin();
            setListed(false);
          }}
        />
      </div>
      {isListed ? (
        <ConversationList
          storyId={parts.storyId}
          openId={chat.open?.id ?? null}
          onChoose={(id) => void chat.choose(id).then(() => setListed(false))}
          onRenamed={chat.renamed}
          onDeleted={(id) => id === chat.open?.id && chat.begin()}
        />
      ) : (
        <div
          className={styles.sayings}
          role="log"
          aria-label={t.log}
          aria-busy={chat.isAnswering}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          {chat.isLoading && <Loading rows={3} />}
          {!chat.isLoading && chat.sayings.length === 0 && (
            <p className={styles.hint}>{t.chatHint(model ?? "")}</p>
          )}
          {chat.sayings.map(({ role, content }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said has no name but its place
            <article key={place} className={styles.saying} data-role={role}>
              {role === "system" && <strong>{t.system}</strong>}
              <p>{content}</p>
              {!(chat.isAnswering && place >= last) && (
                <div className={styles.turnActions}>
                  {role === "assistant" && (
                    <Button size="small" icon="plus" onClick={() => onInsert(content)}>
                      {t.insert}
                    </Button>
                  )}
                  {chat.open && place < last && (
                    <Button
                      size="small"
                      look="quiet"
                      disabled={chat.isAnswering}
                      onClick={() => void chat.fork(place + 1).then(() => tell(t.forkedNow))}
                    >
                      {t.fork}
                    </Button>
                  )}
                </div>
              )}
            </article>
          ))}
          {chat.memory !== "whole" && (
            <Notice look="warn">{chat.memory === "cut" ? t.memoryCut : t.memoryNone}</Notice>
          )}
          {chat.keeping !== "kept" && (
            <Notice look="warn">{chat.keeping === "other" ? t.conflict : t.unkept}</Notice>
          )}
          {chat.problem && (
            <Notice look="danger">
              {chat.problem.isOffline ? t.noAnswer : chat.problem.message} {chat.problem.suggestion}
            </Notice>
          )}
        </div>
      )}
      <div className={styles.asking} ref={field}>
        {quotation && (
          <figure className={styles.quoted}>
            <figcaption>{t.about}</figcaption>
            <blockquote>{quotation}</blockquote>
            <IconButton icon="close" size="small" label={t.noQuotation} onClick={() => onQuestion(null)} />
          </figure>
        )}
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
              <Button size="small" icon="pen" disabled={chat.isLoading} onClick={() => void chat.say(t.goOn)}>
                {t.continue}
              </Button>
              <Button
                size="small"
                look="primary"
                disabled={chat.isLoading || text.trim() === ""}
                onClick={send}
              >
                {t.send}
              </Button>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** A question with the words it is about before it. */
function quoting(t: Said<typeof texts>, quotation: string | null, asked: string): string {
  if (quotation === null) return asked;
  const quoted = quotation
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
  return `${t.quoted(quoted)}\n\n${asked}`;
}
