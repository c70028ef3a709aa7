import { useRef, useState } from "react";
import type { Story } from "../../client/rest";
import { Button, IconButton } from "../../design/Button";
import { Choice, Select, TextArea, TextField } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { act } from "../act";
import { saveBlob } from "../saveBlob";
import styles from "./Prompts.module.css";
import {
  builtInPrompts,
  changePrompts,
  LONGEST_INSTRUCTION,
  LONGEST_NAME,
  MODELS,
  MOST_PROMPTS,
  type Prompt,
  promptFile,
  promptsIn,
  promptsOfFile,
  SENDS,
  USES,
  withPrompts,
} from "./prompts";
import { texts } from "./texts";

const EMPTY: Prompt = { name: "", instruction: "", use: "selection", send: "context", model: "write" };

/** The prompts of a story, to write, change and delete; those that every story has can be taken as a beginning. */
export default function PromptLibrary({ story }: { story: Story }) {
  const t = useTexts(texts);
  const own = promptsIn(story.settings);
  const [edited, setEdited] = useState<{ name: string | null; draft: Prompt } | null>(null);
  const [isNoFile, setNoFile] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const save = (change: (before: Prompt[]) => Prompt[]) =>
    act(story.id, t.saved, () => changePrompts(story.id, change));
  const take = async (chosen: File) => {
    const others = promptsOfFile(await chosen.text());
    setNoFile(others === null);
    if (others) await save((before) => withPrompts(before, others));
  };
  if (edited)
    return (
      <PromptForm
        first={edited.draft}
        taken={own.map(({ name }) => name).filter((name) => name !== edited.name)}
        onSave={async (prompt) => {
          const isSaved = await save((before) =>
            before.some(({ name }) => name === edited.name)
              ? before.map((one) => (one.name === edited.name ? prompt : one))
              : [...before, prompt],
          );
          if (isSaved) setEdited(null);
        }}
        onClose={() => setEdited(null)}
      />
    );
  return (
    <div className={styles.library}>
      <h3>{t.own}</h3>
      {own.length === 0 && <p className={styles.muted}>{t.none}</p>}
      <ul>
        {own.map((prompt) => (
          <li key={prompt.name}>
            <Told prompt={prompt} />
            <IconButton
              icon="pen"
              size="small"
              label={t.editOf(prompt.name)}
              onClick={() => setEdited({ name: prompt.name, draft: prompt })}
            />
            <IconButton
              icon="trash"
              size="small"
              label={t.deleteOf(prompt.name)}
              onClick={() => void save((before) => before.filter(({ name }) => name !== prompt.name))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          size="small"
          icon="plus"
          disabled={own.length >= MOST_PROMPTS}
          onClick={() => setEdited({ name: null, draft: EMPTY })}
        >
          {t.add}
        </Button>
        <Button
          size="small"
          look="quiet"
          icon="download"
          disabled={own.length === 0}
          onClick={() =>
            saveBlob(`${t.fileName}.json`, new Blob([promptFile(own)], { type: "application/json" }))
          }
        >
          {t.toFile}
        </Button>
        <Button size="small" look="quiet" icon="upload" onClick={() => file.current?.click()}>
          {t.ofFile}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label={t.ofFile}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = "";
            if (chosen) void take(chosen);
          }}
        />
      </div>
      {isNoFile && <p role="alert">{t.noFile}</p>}
      <h3>{t.builtIn}</h3>
      <ul>
        {builtInPrompts(story.language).map((prompt) => (
          <li key={prompt.name}>
            <Told prompt={prompt} />
            <IconButton
              icon="copy"
              size="small"
              label={t.copyOf(prompt.name)}
              onClick={() => setEdited({ name: null, draft: prompt })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Told({ prompt }: { prompt: Prompt }) {
  const t = useTexts(texts);
  return (
    <div className={styles.told}>
      <span>{prompt.name}</span>
      <span className={styles.muted}>
        {t[prompt.use]} · {prompt.instruction}
      </span>
    </div>
  );
}

interface PromptFormProps {
  first: Prompt;
  taken: readonly string[];
  onSave(prompt: Prompt): Promise<void>;
  onClose(): void;
}

function PromptForm({ first, taken, onSave, onClose }: PromptFormProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [draft, setDraft] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<Prompt>) => setDraft({ ...draft, ...part });
  const isTaken = taken.includes(draft.name.trim());
  const isFit = draft.name.trim() !== "" && draft.instruction.trim() !== "" && !isTaken;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isFit || isBusy) return;
        setBusy(true);
        void onSave({ ...draft, name: draft.name.trim() }).finally(() => setBusy(false));
      }}
    >
      <TextField
        label={t.name}
        value={draft.name}
        maxLength={LONGEST_NAME}
        error={isTaken ? t.taken : null}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextArea
        label={t.instruction}
        value={draft.instruction}
        maxLength={LONGEST_INSTRUCTION}
        onChange={(event) => change({ instruction: event.target.value })}
      />
      <Choice
        label={t.use}
        value={draft.use}
        options={USES.map((value) => ({ value, label: t[value] }))}
        onChange={(use) => change({ use })}
      />
      <Select
        label={t.send}
        value={draft.send}
        options={SENDS.map((value) => ({ value, label: t[value] }))}
        onChange={(send) => change({ send })}
      />
      <Select
        label={t.model}
        value={draft.model}
        options={MODELS.map((value) => ({ value, label: t[value] }))}
        onChange={(model) => change({ model })}
      />
      <div className={styles.acts}>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" look="primary" disabled={!isFit || isBusy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
