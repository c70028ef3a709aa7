import { useState } from "react";
import { importEntries, type LorebookImported } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Switch, TextArea, TextField } from "../../design/Field";
import { Notice } from "../../design/states";
import { tellTrouble } from "../../design/toasts";
import { refreshStory } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { entriesIn } from "./files";
import { texts } from "./texts";

/** Takes in many entries from a file or from the clipboard, and tells what became of each. */
export function ImportDialog({ storyId, onClose }: { storyId: string; onClose(): void }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [text, setText] = useState("");
  const [overwriteExisting, setOverwrite] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<LorebookImported | null>(null);
  const entries = text.trim() === "" ? [] : entriesIn(text);
  const send = async () => {
    if (!entries) return;
    setBusy(true);
    try {
      const { data } = await importEntries({ path: { storyId }, body: { entries, overwriteExisting } });
      setDone(data);
      await refreshStory(storyId);
    } catch (error) {
      tellTrouble(error);
    }
    setBusy(false);
  };
  if (done) {
    return (
      <Dialog
        title={t.importTitle}
        onClose={onClose}
        actions={<Button onClick={onClose}>{words.close}</Button>}
      >
        <p role="status">{t.imported(done.imported, done.skipped)}</p>
        {done.errors.length > 0 && (
          <div>
            <p>{t.importErrors(done.errors.length)}</p>
            <ul>
              {done.errors.map(({ index, entryKey, message }) => (
                <li key={index}>
                  {index + 1}. {entryKey} — {message}
                </li>
              ))}
            </ul>
          </div>
        )}
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t.importTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={isBusy || !entries || entries.length === 0}
            onClick={() => void send()}
          >
            {words.import}
          </Button>
        </>
      }
    >
      <p>{t.importWhy}</p>
      <TextField
        label={t.importFile}
        type="file"
        accept=".json,application/json"
        onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
      />
      <TextArea
        label={t.importText}
        value={text}
        onChange={(event) => setText(event.target.value)}
        rows={5}
      />
      {entries === null && <Notice look="danger">{t.importBad}</Notice>}
      {entries !== null && entries.length > 0 && <Notice>{t.importReady(entries.length)}</Notice>}
      <Switch label={t.overwrite} checked={overwriteExisting} onChange={setOverwrite} />
    </Dialog>
  );
}
