import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Loading, Trouble } from "../../../design/states";
import { deletionOptions } from "../../../story/manuscript/moving";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

interface DeleteChapterDialogProps {
  storyId: string;
  chapter: number;
  title: string;
  onDelete(): void;
  onClose(): void;
}

/** Says exactly what goes with a chapter before it goes. */
export default function DeleteChapterDialog({ storyId, chapter, title, ...rest }: DeleteChapterDialogProps) {
  const { onDelete, onClose } = rest;
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const trial = useQuery(deletionOptions(storyId, chapter));
  return (
    <Dialog
      title={t.deleteTitle(title)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" disabled={!trial.data} onClick={onDelete}>
            {words.delete}
          </Button>
        </>
      }
    >
      {trial.error ? (
        <Trouble error={trial.error} onRetry={() => void trial.refetch()} />
      ) : trial.data ? (
        <>
          <p>{t.deleteChapterWhat(trial.data.sceneCount, trial.data.wordCount)}</p>
          {trial.data.factCount > 0 && <p>{t.deleteChapterFacts(trial.data.factCount)}</p>}
        </>
      ) : (
        <Loading rows={1} />
      )}
    </Dialog>
  );
}
