import { useState } from "react";
import { Button } from "../design/Button";
import { Dialog } from "../design/Dialog";
import { glossary } from "../texts/glossary";
import { useTexts } from "../texts/language";
import { EntityPicker, type Picked } from "./EntityPicker";

interface PickDialogProps {
  storyId: string;
  title: string;
  /** What picking somebody brings about. */
  why: string;
  label: string;
  pickWord: string;
  without?: string[];
  first?: string;
  onPick(picked: Picked): void;
  onClose(): void;
}

/** Asks for one entity of the story. */
export function PickDialog({
  storyId,
  title,
  why,
  label,
  pickWord,
  onPick,
  onClose,
  ...who
}: PickDialogProps) {
  const words = useTexts(glossary);
  const [picked, setPicked] = useState<Picked | null>(null);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={picked === null} onClick={() => picked && onPick(picked)}>
            {pickWord}
          </Button>
        </>
      }
    >
      <p>{why}</p>
      <EntityPicker storyId={storyId} label={label} value={picked} onPick={setPicked} {...who} />
    </Dialog>
  );
}
