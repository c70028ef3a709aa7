import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { ConversationHeading } from "../../../client/rest";
import { Button, IconButton } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { TextField } from "../../../design/Field";
import { Loading, Trouble } from "../../../design/states";
import { tellTrouble } from "../../../design/toasts";
import { glossary } from "../../../texts/glossary";
import { useLanguage, useTexts } from "../../../texts/language";
import styles from "./Assistant.module.css";
import { deleteOne, listOf, type OpenConversation, PAGE, renameOne } from "./conversations";
import { texts } from "./texts";

interface ConversationListProps {
  storyId: string;
  openId: string | null;
  onChoose(id: string): void;
  onRenamed(conversation: OpenConversation): void;
  onDeleted(id: string): void;
}

/** The kept conversations of a story: found, opened, renamed, deleted. */
export function ConversationList({ storyId, openId, onChoose, onRenamed, onDeleted }: ConversationListProps) {
  const t = useTexts(texts);
  const [text, setText] = useState("");
  const [size, setSize] = useState(PAGE);
  const [asked, setAsked] = useState<{ what: "rename" | "delete"; one: ConversationHeading } | null>(null);
  const query = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: ["conversations", storyId, query, size],
    queryFn: ({ signal }) => listOf(storyId, query, size, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const listed = found.data?.content ?? [];
  return (
    <div className={styles.list}>
      <TextField
        label={t.find}
        quiet
        type="search"
        placeholder={t.find}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
      />
      {found.error && <Trouble error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <Loading rows={3} />}
      {found.data && listed.length === 0 && (
        <p className={styles.hint}>{query === "" ? t.none : t.noneFound}</p>
      )}
      <ul>
        {listed.map((one) => (
          <li key={one.id} className={styles.kept}>
            <button
              type="button"
              className={styles.keptTitle}
              aria-current={one.id === openId}
              onClick={() => onChoose(one.id)}
            >
              <span>{one.title}</span>
              <Meta one={one} />
            </button>
            <IconButton
              icon="pen"
              size="small"
              label={t.renameOf(one.title)}
              onClick={() => setAsked({ what: "rename", one })}
            />
            <IconButton
              icon="trash"
              size="small"
              label={t.deleteOf(one.title)}
              onClick={() => setAsked({ what: "delete", one })}
            />
          </li>
        ))}
      </ul>
      {found.data && found.data.totalElements > listed.length && (
        <Button size="small" look="quiet" onClick={() => setSize(size + PAGE)}>
          {t.more}
        </Button>
      )}
      {asked?.what === "rename" && (
        <Rename
          one={asked.one}
          act={async (title) => {
            onRenamed(await renameOne(storyId, asked.one.id, title));
            await found.refetch();
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === "delete" && (
        <Delete
          one={asked.one}
          act={async () => {
            await deleteOne(storyId, asked.one.id);
            onDeleted(asked.one.id);
            await found.refetch();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function Meta({ one }: { one: ConversationHeading }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const at = new Date(one.updatedAt);
  const when = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  return (
    <span className={styles.meta}>
      {[when, t.count(one.messageCount), one.forkedFrom && t.forked].filter(Boolean).join(" · ")}
    </span>
  );
}

interface ConversationDialogProps {
  one: ConversationHeading;
  onClose(): void;
}

function Rename({ one, act, onClose }: ConversationDialogProps & { act(title: string): Promise<void> }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [title, setTitle] = useState(one.title);
  const save = async () => {
    if (title.trim() === "") return;
    await act(title.trim()).then(onClose, tellTrouble);
  };
  return (
    <Dialog
      title={t.rename}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={title.trim() === ""} onClick={() => void save()}>
            {words.save}
          </Button>
        </>
      }
    >
      <TextField
        label={t.title}
        value={title}
        maxLength={256}
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && void save()}
      />
    </Dialog>
  );
}

function Delete({ one, act, onClose }: ConversationDialogProps & { act(): Promise<void> }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  return (
    <Dialog
      title={t.deleteAsk(one.title)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" onClick={() => void act().then(onClose, tellTrouble)}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{t.deleteWhy}</p>
    </Dialog>
  );
}
