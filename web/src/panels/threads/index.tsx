import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import type { Moment, StoryThread } from "../../client/rest";
import { listThreadsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Select, TextField } from "../../design/Field";
import { Empty, Loading, Trouble } from "../../design/states";
import { useShortcuts } from "../../keys/shortcuts";
import { useBegun } from "../../story/begun";
import { MomentField } from "../../story/MomentField";
import { usePlaces } from "../../story/places";
import { useStory } from "../../story/story";
import { ThreadDialog } from "../../story/threads/ThreadDialog";
import { texts as threadTexts } from "../../story/threads/texts";
import { KINDS, namesOptions, STATUSES, UNSETTLED } from "../../story/threads/threads";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { ThreadRow } from "./ThreadRow";
import styles from "./Threads.module.css";
import { texts } from "./texts";

const NOBODY: ReadonlyMap<string, string> = new Map();

/** What the reader was promised: which promises are open, due and paid, and where. */
export default function ThreadsPanel() {
  const { id: storyId } = useStory();
  const words = useTexts(glossary);
  const say = useTexts(threadTexts);
  const [moment, setMoment] = useState<Moment | null>(null);
  const [edited, setEdited] = useState<StoryThread | "new" | null>(null);
  const query = moment ? { chapter: moment.chapter, scene: moment.scene ?? null } : {};
  const threads = useQuery({
    ...listThreadsOptions({ path: { storyId }, query }),
    placeholderData: keepPreviousData,
  });
  useBegun(() => setEdited("new"));
  useShortcuts([{ keys: "n", label: say.newThread, group: words.threads, run: () => setEdited("new") }]);
  return (
    <div className={styles.threads}>
      {threads.data ? (
        <Threads
          storyId={storyId}
          threads={threads.data.items}
          moment={moment}
          onMoment={setMoment}
          onEdit={setEdited}
        />
      ) : threads.error ? (
        <Trouble error={threads.error} onRetry={() => void threads.refetch()} />
      ) : (
        <Loading rows={8} />
      )}
      {edited && (
        <ThreadDialog
          storyId={storyId}
          thread={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}

interface ThreadsProps {
  storyId: string;
  threads: readonly StoryThread[];
  moment: Moment | null;
  onMoment(moment: Moment | null): void;
  onEdit(thread: StoryThread | "new"): void;
}

function Threads({ storyId, threads, moment, onMoment, onEdit }: ThreadsProps) {
  const t = useTexts(texts);
  const words = useTexts(threadTexts);
  const places = usePlaces(storyId);
  const [params] = useSearchParams();
  const [status, setStatus] = useState("all");
  const [kind, setKind] = useState("");
  const [q, setQ] = useState("");
  const sought = useDeferredValue(q.trim().toLowerCase());
  const people = useMemo(() => [...new Set(threads.flatMap((thread) => thread.people))], [threads]);
  const names = useQuery(namesOptions(storyId, people)).data ?? NOBODY;
  const shown = threads.filter(
    (thread) =>
      (status === "all" ||
        (status === "unsettled" ? UNSETTLED.includes(thread.status) : thread.status === status)) &&
      (kind === "" || thread.kind === kind) &&
      (sought === "" ||
        [thread.title, thread.note, ...thread.people.map((id) => names.get(id) ?? "")].some((text) =>
          text.toLowerCase().includes(sought),
        )),
  );
  const create = (
    <Button look="primary" icon="plus" onClick={() => onEdit("new")}>
      {words.newThread}
    </Button>
  );
  if (threads.length === 0)
    return (
      <Empty icon="thread" title={t.none} actions={create}>
        {t.noneNext}
      </Empty>
    );
  return (
    <>
      <header className={styles.bar}>
        <TextField
          quiet
          label={t.search}
          type="search"
          placeholder={t.searchHint}
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
        <Select
          quiet
          label={t.which}
          value={status}
          onChange={setStatus}
          options={[
            { value: "all", label: t.all },
            { value: "unsettled", label: t.unsettled },
            ...STATUSES.map((value) => ({ value, label: words[value] })),
          ]}
        />
        <Select
          quiet
          label={t.kind}
          value={kind}
          onChange={setKind}
          options={[
            { value: "", label: t.anyKind },
            ...KINDS.map((value) => ({ value, label: words[value] })),
          ]}
        />
        <MomentField
          quiet
          storyId={storyId}
          label={t.asOf}
          moment={moment}
          none={t.theEnd}
          onChange={onMoment}
        />
        {create}
      </header>
      <p className={styles.quiet} role="status">
        {t.counted(shown.length, threads.length)}
      </p>
      {shown.length === 0 && (
        <Empty
          icon="filter"
          title={t.noneFits}
          actions={
            <Button
              onClick={() => {
                setStatus("all");
                setKind("");
                setQ("");
              }}
            >
              {t.clearFilters}
            </Button>
          }
        />
      )}
      {shown.map((thread) => (
        <ThreadRow
          key={thread.id}
          storyId={storyId}
          thread={thread}
          places={places}
          names={names}
          isOpen={thread.id === params.get("thread")}
          onEdit={() => onEdit(thread)}
        />
      ))}
    </>
  );
}
