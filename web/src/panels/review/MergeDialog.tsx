import { useState } from "react";
import type { Extraction } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { EntityPicker, type Picked } from "../../story/EntityPicker";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

interface MergeDialogProps {
  storyId: string;
  proposal: Extraction;
  onMerge(targetId: string): void;
  onClose(): void;
}

/** Asks whom of the story a proposal is about. */
export function MergeDialog({ storyId, proposal, onMerge, onClose }: MergeDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [target, setTarget] = useState<Picked | null>(null);
  return (
    <Dialog
      title={t.mergeTitle(proposal.entityName)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={target === null} onClick={() => target && onMerge(target.id)}>
            {t.mergeWord}
          </Button>
        </>
      }
    >
      <p>{t.mergeWhy}</p>
      <EntityPicker
        storyId={storyId}
        label={t.mergeTarget}
        value={target}
        onPick={setTarget}
        first={proposal.sameAs ?? proposal.entityName}
      />
    </Dialog>
  );
}
