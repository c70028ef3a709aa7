import { useState } from "react";
import { type StoryLorebook, updateBook } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, Select, TextField } from "../../design/Field";
import { act } from "../../story/act";
import { ScanFields } from "../../story/lorebooks/ScanFields";
import { texts as bookTexts } from "../../story/lorebooks/texts";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

const SOURCES = ["global", "character", "chat", "persona"] as const;
const ACTIVATIONS = ["sillytavern", "fabula"] as const;

interface BookDialogProps {
  storyId: string;
  book: StoryLorebook;
  onClose(): void;
}

/** What one can set of a book that came from another program. */
export function BookDialog({ storyId, book, onClose }: BookDialogProps) {
  const t = useTexts(texts);
  const b = useTexts(bookTexts);
  const words = useTexts(glossary);
  const [name, setName] = useState(book.name);
  const [source, setSource] = useState(book.source);
  const [activation, setActivation] = useState(book.activation);
  const [settings, setSettings] = useState(book.settings);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const body = { name, source, activation, settings, expectedVersion: book.version };
    const isDone = await act(storyId, t.bookSaved(name), () =>
      updateBook({ path: { storyId, bookId: book.id }, body }),
    );
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Dialog
      wide
      title={t.bookSettings(book.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={isBusy || name.trim() === ""} onClick={() => void save()}>
            {words.save}
          </Button>
        </>
      }
    >
      <TextField
        label={t.name}
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={t.bookSource}
        value={source}
        options={SOURCES.map((value) => ({ value, label: b[value] }))}
        onChange={(value) => setSource(value)}
      />
      <Choice
        label={t.bookActivation}
        hint={activation === "fabula" ? t.byFabula : t.bySillyTavern}
        value={activation}
        options={ACTIVATIONS.map((value) => ({ value, label: b[value] }))}
        onChange={(value) => setActivation(value)}
      />
      {activation === "sillytavern" && (
        <ScanFields
          settings={settings}
          // The budget of the call takes the place of a context size.
          without={["maxContext"]}
          onChange={(changed) => setSettings({ ...settings, ...changed })}
        />
      )}
    </Dialog>
  );
}
