import { useState } from "react";
import type { Category, LorebookEntry } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Select } from "../../design/Field";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { CATEGORIES } from "./choices";
import { texts } from "./texts";

interface EntitiesDialogProps {
  entries: readonly LorebookEntry[];
  onMake(category: Category): Promise<boolean>;
  onClose(): void;
}

/** Asks of which type the entities shall be that entries of other programs become. */
export default function EntitiesDialog({ entries, onMake, onClose }: EntitiesDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [category, setCategory] = useState<Category>("character");
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    const isDone = await onMake(category);
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={t.makeEntities}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={isBusy} onClick={() => void make()}>
            {t.makeEntitiesNow(entries.length)}
          </Button>
        </>
      }
    >
      <p>{t.makeEntitiesWhy}</p>
      <Select
        label={t.category}
        value={category}
        options={CATEGORIES.filter((value) => value !== "custom").map((value) => ({
          value,
          label: words[value],
        }))}
        onChange={(value) => setCategory(value)}
      />
    </Dialog>
  );
}
