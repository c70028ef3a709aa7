import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { type ImportFileResponse, importAnyFile } from "../../client/rest";
import { listStoriesOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Select, Switch, TextArea, TextField } from "../../design/Field";
import { FileField } from "../../design/FileField";
import { Notice } from "../../design/states";
import { queries } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { panelOf } from "../addresses";
import { formatName } from "../lorebooks/formats";
import { ChaptersFound } from "./ChaptersFound";
import { countsOf } from "./counts";
import { Imported } from "./Imported";
import styles from "./Importing.module.css";
import { LoreFound } from "./LoreFound";
import { Problems } from "./Problems";
import { Refusal } from "./Refusal";
import { texts } from "./texts";

const NEW = "";
const LISTED = 200;
const READABLE = [
  ".txt,.md,.markdown,.docx,.odt,.epub,.html,.htm,.xhtml,.zip,.json,.yaml,.yml",
  ".png,.apng,.charx,.byaf,.lorebook,.scenario,.risum,.csv,.tsv",
].join();

interface ImportDialogProps {
  /** The story that one is in. */
  storyId?: string;
  /** A file that was dropped. */
  file?: File | null;
  onClose(): void;
}

/** Takes in a file of any kind: the server says what it is, what would happen, and what is wrong with it. */
export function ImportDialog({ storyId, file: dropped = null, onClose }: ImportDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(dropped);
  const [pasted, setPasted] = useState("");
  const [target, setTarget] = useState(storyId ?? NEW);
  const [title, setTitle] = useState<string | null>(null);
  const [overwrite, setOverwrite] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [done, setDone] = useState<ImportFileResponse | null>(null);
  const first = useTrial(file, {});
  const kind = first.data?.kind;
  const isOfStory = kind === "bundle" || kind === "lorebook";
  const into = isOfStory && target !== NEW ? target : undefined;
  const second = useTrial(into === undefined ? null : file, { storyId: into ?? null, overwrite });
  const { data: trial, error, isFetching } = into === undefined ? first : second;
  const stories = useQuery({ ...listStoriesOptions({ query: { size: LISTED } }), enabled: isOfStory });

  const choose = (chosen: File | null) => {
    setFile(chosen);
    setPasted("");
    setRefused(null);
    setTitle(null);
  };
  const paste = (text: string) => {
    choose(text.trim() === "" ? null : new File([text], ""));
    setPasted(text);
  };
  const send = async () => {
    if (!file || !trial) return;
    setBusy(true);
    setRefused(null);
    try {
      const wish = into === undefined ? { title: title ?? trial.title } : { storyId: into, overwrite };
      setDone((await importAnyFile({ query: { name: file.name, ...wish }, body: file })).data);
      void queries.invalidateQueries();
    } catch (failure) {
      setRefused(failure);
    }
    setBusy(false);
  };
  const open = (id: string) => {
    onClose();
    const panel = done?.kind === "novel" || done?.kind === "story" ? "write" : "lorebook";
    void navigate(panelOf(id, panel, done?.bookId ? { book: done.bookId } : {}));
  };
  if (done)
    return (
      <Imported
        done={done}
        isHere={done.storyId === storyId}
        onOpen={open}
        onCast={() => {
          onClose();
          void navigate(panelOf(done.storyId ?? "", "cast"));
        }}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={isBusy || isFetching || !trial} onClick={() => void send()}>
            {words.import}
          </Button>
        </>
      }
    >
      <p>{t.why}</p>
      <FileField label={t.file} accept={READABLE} onFile={choose} />
      {dropped && file === dropped && <p>{dropped.name}</p>}
      {(file === null || pasted !== "") && (
        <TextArea label={t.paste} value={pasted} rows={3} onChange={(event) => paste(event.target.value)} />
      )}
      <div className={styles.what} aria-live="polite">
        {isFetching && <p>{t.looking}</p>}
        {trial && (
          <Notice>
            <p>
              <span className={styles.kind}>
                {trial.format ? formatName(trial.format, language) : t[trial.kind]}
              </span>
              {`: ${trial.isNew ? `“${title ?? trial.title}” · ` : ""}${countsOf(trial, t)}`}
            </p>
            {trial.kind === "novel" && <p>{t.novelNext}</p>}
            {trial.kind === "story" && <p>{t.storyNext}</p>}
            {trial.format && <p>{trial.counts.entities ? t.cardNext : t.bookNext}</p>}
            {trial.format && <LoreFound found={trial} />}
            <ChaptersFound chapters={trial.chapters ?? []} count={trial.counts.chapters ?? 0} />
            <Problems problems={trial.problems ?? []} count={trial.problemCount ?? 0} />
          </Notice>
        )}
        {(refused ?? error) !== null && <Refusal error={refused ?? error} />}
      </div>
      {isOfStory && (
        <Select
          label={t.into}
          value={target}
          onChange={setTarget}
          options={[
            { value: NEW, label: t.newStory },
            ...(stories.data?.content ?? []).map((one) => ({ value: one.id, label: one.title })),
          ]}
        />
      )}
      {trial && into === undefined && kind !== "story" && (
        <TextField
          label={t.newTitle}
          value={title ?? trial.title}
          maxLength={256}
          onChange={(event) => setTitle(event.target.value)}
        />
      )}
      {kind === "lorebook" && into !== undefined && (
        <Switch label={t.overwrite} checked={overwrite} onChange={setOverwrite} />
      )}
    </Dialog>
  );
}

let read = 0;
const numbers = new WeakMap<File, number>();

/** Files have no name of their own: each that is chosen is another one. */
function numberOf(file: File | null): number {
  if (file === null) return 0;
  const known = numbers.get(file);
  if (known !== undefined) return known;
  read += 1;
  numbers.set(file, read);
  return read;
}

/** What would become of a file. */
function useTrial(file: File | null, wish: { storyId?: string | null; overwrite?: boolean }) {
  return useQuery({
    queryKey: ["importOnTrial", numberOf(file), wish],
    queryFn: async ({ signal }) => {
      const query = { name: file?.name ?? "", ...wish, dryRun: true };
      return (await importAnyFile({ query, body: file as File, signal })).data;
    },
    enabled: file !== null,
    gcTime: 0,
  });
}
