import { useState } from "react";
import type { StoryEvent } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { ask } from "../../server/channel";
import { act } from "../../story/act";
import { Impact } from "../../story/Impact";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

interface DeleteEventProps {
  storyId: string;
  event: StoryEvent;
  onDeleted(): void;
  onClose(): void;
}

/** Asks before an event goes, and says what goes with it and what stays. */
export function DeleteEvent({ storyId, event, onDeleted, onClose }: DeleteEventProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const { id, version, roles, locations } = event;
  const remove = async () => {
    setBusy(true);
    const isDone = await act(storyId, t.deleted(event.name), async () => {
      const done = await ask("knowledge:event:delete", { projectId: storyId, id, expectedVersion: version });
      onDeleted();
      return done;
    });
    if (!isDone) setBusy(false);
  };
  return (
    <Dialog
      title={t.deleteTitle(event.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void remove()}>
            {words.delete}
          </Button>
        </>
      }
    >
      {roles.length + locations.length > 0 && <p>{t.deleteStay(roles.length, locations.length)}</p>}
      <Impact storyId={storyId} id={id} />
      <p>{t.deleteUndo}</p>
    </Dialog>
  );
}
