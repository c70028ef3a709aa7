import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { createThread, type PointFields, type StoryThread, updateThread } from "../../client/rest";
import { zAiContextLevel, zMoment, zSecrecy, zStoryThread, zThreadKind } from "../../client/rest/zod.gen";
import { IconButton } from "../../design/Button";
import { Select, Switch, TextArea, TextField } from "../../design/Field";
import { revisionOf, written } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { ConflictDialog } from "../ConflictDialog";
import { EntityPicker } from "../EntityPicker";
import { MomentField } from "../MomentField";
import { usePlaces } from "../places";
import { SecrecySwitch } from "../SecrecySwitch";
import { tellDone } from "../story";
import { useWriting } from "../useWriting";
import { WritingDialog } from "../WritingDialog";
import styles from "./Threads.module.css";
import { texts } from "./texts";
import { KINDS, namesOptions } from "./threads";

const zFields = z.object({
  title: z.string(),
  kind: zThreadKind,
  note: z.string(),
  people: z.array(z.string()),
  due: zMoment.nullable(),
  dueWithin: z.number().nullable(),
  dropped: z.boolean(),
  aiContextLevel: zAiContextLevel,
  secrecy: zSecrecy,
});

type Fields = z.infer<typeof zFields>;

const BLANK: Fields = {
  title: "",
  kind: "promise",
  note: "",
  people: [],
  due: null,
  dueWithin: null,
  dropped: false,
  aiContextLevel: "when_detected",
  secrecy: "public",
};

const NAMES = Object.keys(BLANK) as (keyof Fields)[];
const fieldsOf = (thread: StoryThread): Fields => zFields.parse(thread);
const LEVELS = ["always", "when_detected", "manual_only", "never"] as const;
const FEW_CHAPTERS = 3;

interface ThreadDialogProps {
  storyId: string;
  /** Null for a new one. */
  thread: StoryThread | null;
  /** The words that plant a new one. */
  plant?: PointFields;
  onSaved?(thread: StoryThread): void;
  onClose(): void;
}

/** A thread as it is written down: what the reader is promised, whom it concerns, and when it is due. */
export function ThreadDialog({ storyId, thread, plant, onSaved, onClose }: ThreadDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const draft = useWriting<StoryThread, Fields>({
    name: `thread:${storyId}:${thread?.id ?? "new"}`,
    names: NAMES,
    saved: thread,
    blank: BLANK,
    fieldsOf,
    read: (kept) => zFields.safeParse(kept).data ?? null,
    latest: (snapshot) => zStoryThread.safeParse(snapshot).data ?? null,
    send: async (fields, changed, expectedVersion) => {
      const body = { ...fields, title: fields.title.trim() };
      if (thread === null)
        return written(
          await createThread({ path: { storyId }, body: plant ? { ...body, plants: [plant] } : body }),
        );
      const patch = Object.fromEntries(changed.map((name) => [name, body[name]]));
      return written(
        await updateThread({
          path: { storyId, threadId: thread.id },
          body: { ...patch, expectedVersion },
        }),
      );
    },
    onSaved: (saved) => {
      void refreshStory(storyId);
      tellDone(storyId, thread === null ? t.created(saved.title) : t.saved(saved.title), revisionOf(saved));
      onSaved?.(saved);
      onClose();
    },
  });
  const { fields, change } = draft;
  const names = useQuery(namesOptions(storyId, fields.people)).data;
  const nameOf = (id: string) => names?.get(id) ?? "…";
  const when = fields.dueWithin !== null ? "within" : fields.due ? "byMoment" : "never";
  const lastChapter = places.chapters.at(-1)?.chapter ?? 0;
  return (
    <>
      <WritingDialog
        title={thread === null ? t.newThread : t.editThread}
        draft={draft}
        isFit={fields.title.trim() !== ""}
        saveWord={thread === null ? words.create : words.save}
        onClose={onClose}
      >
        {plant && <blockquote className={styles.plant}>{plant.quotation}</blockquote>}
        <TextField
          label={t.title}
          placeholder={t.titleHint}
          value={fields.title}
          maxLength={500}
          onChange={(event) => change({ title: event.target.value })}
        />
        <Select
          label={t.kind}
          value={fields.kind}
          onChange={(kind) => change({ kind })}
          options={KINDS.map((value) => ({ value, label: t[value] }))}
        />
        <div className={styles.people}>
          {fields.people.length > 0 && (
            <ul aria-label={t.people}>
              {fields.people.map((id) => (
                <li key={id}>
                  {nameOf(id)}
                  <IconButton
                    icon="close"
                    size="small"
                    label={t.removeOf(nameOf(id))}
                    onClick={() => change({ people: fields.people.filter((one) => one !== id) })}
                  />
                </li>
              ))}
            </ul>
          )}
          <EntityPicker
            key={fields.people.join(" ")}
            storyId={storyId}
            label={fields.people.length > 0 ? t.addPerson : t.people}
            value={null}
            without={fields.people}
            onPick={(picked) => picked && change({ people: [...fields.people, picked.id] })}
          />
        </div>
        <Select
          label={t.when}
          value={when}
          onChange={(next) =>
            change({
              due: next === "byMoment" ? { chapter: lastChapter, scene: null } : null,
              dueWithin: next === "within" ? FEW_CHAPTERS : null,
            })
          }
          options={(["never", "byMoment", "within"] as const).map((value) => ({ value, label: t[value] }))}
        />
        {when === "byMoment" && (
          <MomentField
            storyId={storyId}
            label={t.dueBy}
            moment={fields.due}
            none={t.never}
            onChange={(due) => change({ due })}
          />
        )}
        {when === "within" && (
          <TextField
            label={t.chapters}
            type="number"
            min={0}
            max={9_999}
            value={fields.dueWithin ?? 0}
            onChange={(event) => change({ dueWithin: Math.max(0, Math.trunc(Number(event.target.value))) })}
          />
        )}
        <TextArea
          label={t.note}
          placeholder={t.noteHint}
          value={fields.note}
          maxLength={10_000}
          onChange={(event) => change({ note: event.target.value })}
        />
        <Select
          label={t.level}
          value={fields.aiContextLevel}
          onChange={(aiContextLevel) => change({ aiContextLevel })}
          options={LEVELS.map((value) => ({ value, label: words[value] }))}
        />
        <SecrecySwitch secrecy={fields.secrecy} onChange={(secrecy) => change({ secrecy })} />
        {thread !== null && (
          <Switch label={t.isDropped} checked={fields.dropped} onChange={(dropped) => change({ dropped })} />
        )}
      </WritingDialog>
      {draft.theirs && (
        <ConflictDialog
          name={draft.theirs.title}
          labels={{
            title: t.title,
            kind: t.kind,
            note: t.note,
            people: t.people,
            due: t.dueBy,
            dueWithin: t.within,
            dropped: t.dropped,
            aiContextLevel: t.level,
            secrecy: words.secrecy,
          }}
          prose="note"
          joinable={["people"]}
          shown={{
            kind: (kind) => t[kind],
            due: (due) => (due ? places.momentName(due) : t.never),
            aiContextLevel: (level) => words[level],
            secrecy: (secrecy) => words[secrecy],
          }}
          base={draft.base}
          mine={fields}
          theirs={fieldsOf(draft.theirs)}
          onSave={(merged) => draft.theirs && draft.saveOver(draft.theirs, merged)}
          onTakeTheirs={() => draft.theirs && draft.takeTheirs(draft.theirs)}
          onClose={draft.closeConflict}
        />
      )}
    </>
  );
}
