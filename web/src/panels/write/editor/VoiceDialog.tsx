import { useState } from "react";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { EntityPicker, type Picked } from "../../../story/EntityPicker";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../suggesting/texts";

interface VoiceDialogProps {
  storyId: string;
  onChoose(whom: Picked): void;
  onClose(): void;
}

/** In whose voice the selected words are to be written again. */
export default function VoiceDialog({ storyId, onChoose, onClose }: VoiceDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [whom, setWhom] = useState<Picked | null>(null);
  return (
    <Dialog
      title={t.voice}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!whom} onClick={() => whom && onChoose(whom)}>
            {t.voiceWrite}
          </Button>
        </>
      }
    >
      <p>{t.voiceWhy}</p>
      <EntityPicker storyId={storyId} label={t.whom} value={whom} onPick={setWhom} />
    </Dialog>
  );
}
