import { useState } from "react";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, Select, TextField } from "../../design/Field";
import { EntityPicker, type Picked } from "../../story/EntityPicker";
import { useRelationTypes } from "../../story/relationTypes";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";
import type { Changes, Pair } from "./useChanges";

const OWN = "";

interface WordFieldProps {
  storyId: string;
  word: string;
  isOwn: boolean;
  onChange(word: string, isOwn: boolean): void;
}

/** One of the words for relations that the story knows, or a new one. */
function WordField({ storyId, word, isOwn, onChange }: WordFieldProps) {
  const t = useTexts(texts);
  const types = useRelationTypes(storyId);
  const known = types.map(({ key, label }) => ({ value: key, label }));
  const options = [
    ...(word !== "" && !isOwn && !types.some(({ key }) => key === word)
      ? [{ value: word, label: word }]
      : []),
    ...known,
    { value: OWN, label: t.ownType },
  ];
  return (
    <>
      <Select
        label={t.relationType}
        value={isOwn ? OWN : word}
        options={options}
        onChange={(chosen) => onChange(chosen, chosen === OWN)}
      />
      {isOwn && (
        <TextField
          label={t.ownWord}
          hint={t.ownWordHint}
          value={word}
          maxLength={64}
          autoFocus
          onChange={(event) => onChange(event.target.value, true)}
        />
      )}
    </>
  );
}

const DIRECTIONS = ["there", "back", "both"] as const;
type Direction = (typeof DIRECTIONS)[number];

interface RelationDialogProps {
  storyId: string;
  source: Picked;
  /** Missing if somebody has yet to say with whom. */
  target: Picked | null;
  changes: Changes;
  onClose(): void;
}

/** What is between two nodes: a word for it, and in which direction it is true. */
export function RelationDialog({ storyId, source, target, changes, onClose }: RelationDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const types = useRelationTypes(storyId);
  const [other, setOther] = useState<Picked | null>(target);
  const [chosen, setChosen] = useState<{ word: string; isOwn: boolean } | null>(null);
  const [direction, setDirection] = useState<Direction>("there");
  const { word, isOwn } = chosen ?? { word: types[0]?.key ?? "", isOwn: false };
  const isReady = other !== null && word.trim() !== "";
  const confirm = () => {
    if (!other) return;
    const there: Pair = { sourceId: source.id, targetId: other.id };
    const back: Pair = { sourceId: other.id, targetId: source.id };
    const pairs = { there: [there], back: [back], both: [there, back] }[direction];
    onClose();
    void changes.relate(pairs, word.trim(), t.related(source.name, other.name));
  };
  const to = other?.name ?? "…";
  const labels = { there: `${source.name} → ${to}`, back: `${to} → ${source.name}`, both: t.both };
  return (
    <Dialog
      title={t.relateTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!isReady} onClick={confirm}>
            {words.create}
          </Button>
        </>
      }
    >
      {target === null ? (
        <EntityPicker storyId={storyId} label={t.to} value={other} onPick={setOther} without={[source.id]} />
      ) : (
        <p>
          <strong>{source.name}</strong> — <strong>{target.name}</strong>
        </p>
      )}
      <WordField
        storyId={storyId}
        word={word}
        isOwn={isOwn}
        onChange={(next, own) => setChosen({ word: next, isOwn: own })}
      />
      <Choice<Direction>
        label={t.direction}
        value={direction}
        options={DIRECTIONS.map((value) => ({ value, label: labels[value] }))}
        onChange={setDirection}
      />
    </Dialog>
  );
}

interface EdgeDialogProps {
  storyId: string;
  type: string;
  onSave(type: string): void;
  onClose(): void;
}

/** Another word for a relation that there is. */
export function EdgeDialog({ storyId, type, onSave, onClose }: EdgeDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [chosen, setChosen] = useState({ word: type, isOwn: false });
  const word = chosen.word.trim();
  return (
    <Dialog
      title={t.editEdgeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={word === "" || word === type}
            onClick={() => {
              onClose();
              onSave(word);
            }}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <WordField storyId={storyId} {...chosen} onChange={(next, isOwn) => setChosen({ word: next, isOwn })} />
    </Dialog>
  );
}
