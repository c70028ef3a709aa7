import { useState } from "react";
import { createReveal, type Reveal, updateReveal } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { act } from "../../../story/act";
import { EntityPicker, type Picked } from "../../../story/EntityPicker";
import { type ChosenMoment, MomentField } from "../../../story/MomentField";
import { People } from "../../../story/People";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";

interface RevealDialogProps {
  storyId: string;
  /** Null of a new one. */
  reveal: Reveal | null;
  named(id: string): string;
  onClose(): void;
}

/** Who turns out to be whom, at which moment, and who learns it. */
export function RevealDialog({ storyId, reveal, named, onClose }: RevealDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const picked = (id: string | undefined): Picked | null =>
    id === undefined ? null : { id, name: named(id), type: "character" };
  const [one, setOne] = useState(() => picked(reveal?.entityIds[0]));
  const [other, setOther] = useState(() => picked(reveal?.entityIds[1]));
  const [at, setAt] = useState<ChosenMoment | null>(
    reveal ? { chapter: reveal.at.chapter, scene: reveal.at.scene ?? null } : null,
  );
  const [knownTo, setKnownTo] = useState<string[] | null>(reveal?.knownTo ?? null);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (one === null || other === null || at === null) return;
    setBusy(true);
    const body = { entityIds: [one.id, other.id] as [string, string], at, knownTo };
    const isDone = await act(storyId, t.revealSaved, () =>
      reveal
        ? updateReveal({
            path: { storyId, revealId: reveal.id },
            body: { ...body, expectedVersion: reveal.version },
          })
        : createReveal({ path: { storyId }, body }),
    );
    if (isDone) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      title={reveal ? t.revealTitle : t.addReveal}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={isBusy || one === null || other === null || at === null}
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <EntityPicker
        storyId={storyId}
        label={t.revealOne}
        value={one}
        onPick={setOne}
        without={other ? [other.id] : []}
      />
      <EntityPicker
        storyId={storyId}
        label={t.revealOther}
        value={other}
        onPick={setOther}
        without={one ? [one.id] : []}
      />
      <MomentField storyId={storyId} label={t.revealAt} moment={at} none={t.chooseMoment} onChange={setAt} />
      <People storyId={storyId} label={t.revealKnownTo} ids={knownTo} onChange={setKnownTo} />
    </Dialog>
  );
}
