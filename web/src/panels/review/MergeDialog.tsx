import type { Extraction } from "../../client/rest";
import { PickDialog } from "../../story/PickDialog";
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
  return (
    <PickDialog
      storyId={storyId}
      title={t.mergeTitle(proposal.entityName)}
      why={t.mergeWhy}
      label={t.mergeTarget}
      pickWord={words.merge}
      first={proposal.sameAs ?? proposal.entityName}
      onPick={({ id }) => onMerge(id)}
      onClose={onClose}
    />
  );
}
