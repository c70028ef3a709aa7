import { useState } from "react";
import { createEntry } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Select, TextArea, TextField } from "../../../design/Field";
import { NODE_TYPES, type NodeType } from "../../../design/NodeMark";
import { Notice } from "../../../design/states";
import { type Problem, problemOf } from "../../../server/problem";
import { revisionOf } from "../../../server/revision";
import { refreshStory } from "../../../server/server";
import { tellDone } from "../../../story/story";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

interface NewEntryDialogProps {
  storyId: string;
  name: string;
  /** What is told of it, where a passage is to become an entry. */
  told?: string;
  onClose(): void;
}

/** A new entry without leaving the text: its name is there already. */
export default function NewEntryDialog({ storyId, name, told = "", onClose }: NewEntryDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [entryKey, setKey] = useState(name);
  const [category, setCategory] = useState<NodeType>("character");
  const [content, setContent] = useState(told);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isFit = entryKey.trim() !== "" && content.trim() !== "";
  const create = async () => {
    if (!isFit || isBusy) return;
    setBusy(true);
    try {
      const body = { entryKey: entryKey.trim(), category, content };
      const answer = await createEntry({ path: { storyId }, body });
      onClose();
      void refreshStory(storyId);
      tellDone(storyId, t.created(entryKey.trim()), revisionOf(answer));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.newEntry}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!isFit || isBusy} onClick={() => void create()}>
            {words.create}
          </Button>
        </>
      }
    >
      {problem && (
        <Notice look="danger">
          {problem.isOffline ? t.notCreated : problem.message} {problem.suggestion}
        </Notice>
      )}
      <TextField
        label={t.name}
        value={entryKey}
        maxLength={200}
        onChange={(event) => setKey(event.target.value)}
      />
      <Select
        label={t.category}
        value={category}
        onChange={(next) => setCategory(next)}
        options={NODE_TYPES.map((value) => ({ value, label: words[value] }))}
      />
      <TextArea
        label={t.told}
        placeholder={t.toldHint}
        value={content}
        maxLength={65_536}
        onChange={(event) => setContent(event.target.value)}
      />
    </Dialog>
  );
}
