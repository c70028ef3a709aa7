import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { markThread } from "../../../client/rest";
import { listThreadsOptions } from "../../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Choice, Select, Switch } from "../../../design/Field";
import { tellTrouble } from "../../../design/toasts";
import { act } from "../../../story/act";
import { ThreadDialog } from "../../../story/threads/ThreadDialog";
import { texts as threadTexts } from "../../../story/threads/texts";
import { ROLES, type Role } from "../../../story/threads/threads";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import type { Part } from "./selection";

const NEW = "new";

interface MarkDialogProps {
  storyId: string;
  sceneId: string;
  part: Part;
  role: Role;
  /** Saves the scene, so that the server knows the words. */
  save(): Promise<void>;
  onClose(): void;
}

/** Asks which thread some words plant, advance or pay off; a plant may begin a new one. */
export default function MarkDialog({ storyId, sceneId, part, role: first, save, onClose }: MarkDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const say = useTexts(threadTexts);
  const threads = useQuery(listThreadsOptions({ path: { storyId } })).data?.items ?? [];
  const [role, setRole] = useState<Role>(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isPartial, setPartial] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isNew, setNew] = useState(false);
  const isPlant = role === "plants";
  const threadId = chosen ?? (isPlant ? NEW : (threads[0]?.id ?? NEW));
  const thread = threads.find(({ id }) => id === threadId);
  const roleWords = { plants: t.plant, advances: t.advance, payoffs: t.payOff };
  const point = { sceneId, ...part };
  const mark = async () => {
    setBusy(true);
    if (thread === undefined) {
      await save().then(() => setNew(true), tellTrouble);
      return setBusy(false);
    }
    const isDone = await act(storyId, say.marked(thread.title), async () => {
      await save();
      const body = { ...point, partial: role === "payoffs" && isPartial };
      return await markThread({ path: { storyId, threadId: thread.id, role }, body });
    });
    setBusy(false);
    if (isDone) onClose();
  };
  if (isNew) return <ThreadDialog storyId={storyId} thread={null} plant={point} onClose={onClose} />;
  return (
    <Dialog
      title={t.markTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={isBusy || (thread === undefined && !isPlant)}
            onClick={() => void mark()}
          >
            {thread === undefined && isPlant ? say.newThread : roleWords[role]}
          </Button>
        </>
      }
    >
      <blockquote className={styles.quotation}>{part.quotation}</blockquote>
      <Choice<Role>
        label={t.markRole}
        value={role}
        onChange={setRole}
        options={ROLES.map((value) => ({ value, label: roleWords[value] }))}
      />
      {threads.length === 0 && !isPlant ? (
        <p>{t.noThreads}</p>
      ) : (
        <Select
          label={t.thread}
          value={threadId}
          onChange={setChosen}
          options={[
            ...(isPlant ? [{ value: NEW, label: say.newThread }] : []),
            ...threads.map(({ id, title, status }) => ({ value: id, label: `${title} (${say[status]})` })),
          ]}
        />
      )}
      {role === "payoffs" && <Switch label={t.partial} checked={isPartial} onChange={setPartial} />}
    </Dialog>
  );
}
