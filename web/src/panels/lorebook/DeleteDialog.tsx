import { useState } from "react";
import type { LorebookEntry } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Impact } from "../../story/Impact";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

interface DeleteDialogProps {
  entries: LorebookEntry[];
  onDelete(): Promise<void>;
  onClose(): void;
}

/** Asks before entries go, and says what goes with them. */
export function DeleteDialog({ entries, onDelete, onClose }: DeleteDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const only = entries.length === 1 && entries[0]?.entityId ? entries[0] : null;
  const entities = entries.filter(({ entityId }) => entityId !== null).length;
  return (
    <Dialog
      title={t.deleteTitle(entries.length, entries[0]?.displayName ?? "")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="danger"
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              void onDelete().finally(() => setBusy(false));
            }}
          >
            {words.delete}
          </Button>
        </>
      }
    >
      {entities > 0 && <p>{t.deleteEntity(entities)}</p>}
      {only?.entityId && <Impact storyId={only.storyId} id={only.entityId} />}
      <p>{t.deleteUndo}</p>
    </Dialog>
  );
}
