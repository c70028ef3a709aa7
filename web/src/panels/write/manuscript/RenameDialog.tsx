import { useState } from "react";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { TextField } from "../../../design/Field";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

interface RenameDialogProps {
  title: string;
  onRename(title: string): void;
  onClose(): void;
}

export function RenameDialog({ title, onRename, onClose }: RenameDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [text, setText] = useState(title);
  const rename = () => {
    onClose();
    if (text.trim() !== title) onRename(text.trim());
  };
  return (
    <Dialog
      title={t.rename}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" onClick={rename}>
            {words.save}
          </Button>
        </>
      }
    >
      <TextField
        label={t.title}
        value={text}
        maxLength={256}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && !event.nativeEvent.isComposing && rename()}
      />
    </Dialog>
  );
}
