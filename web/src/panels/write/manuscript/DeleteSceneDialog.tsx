import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

interface DeleteSceneDialogProps {
  title: string;
  words: string;
  onDelete(): void;
  onClose(): void;
}

/** Asks before a scene goes. */
export function DeleteSceneDialog({ title, words: count, onDelete, onClose }: DeleteSceneDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  return (
    <Dialog
      title={t.deleteTitle(title)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" onClick={onDelete}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{t.deleteWhat(count)}</p>
    </Dialog>
  );
}
