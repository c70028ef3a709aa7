import { useId, useState } from "react";
import type { Moment } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { TextField } from "../../design/Field";
import { ask } from "../../server/channel";
import { act } from "../../story/act";
import { EntityPicker, type Picked } from "../../story/EntityPicker";
import { PeriodFields } from "../../story/PeriodFields";
import { useRelationTypes } from "../../story/relationTypes";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import type { Entity } from "./entity";
import { texts } from "./texts";

interface Period {
  readonly since: Moment | null;
  readonly until: Moment | null;
}

interface RelationDialogProps {
  storyId: string;
  entity: Entity;
  onClose(): void;
}

/** Relates an entity to another, with a known word or a new one. */
export function RelationDialog({ storyId, entity, onClose }: RelationDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const list = useId();
  const types = useRelationTypes(storyId);
  const [target, setTarget] = useState<Picked | null>(null);
  const [word, setWord] = useState("");
  const [description, setDescription] = useState("");
  const [period, setPeriod] = useState<Period>({ since: null, until: null });
  const relate = async () => {
    if (target === null) return;
    const known = types.find(({ label, key }) => label === word.trim() || key === word.trim());
    const isDone = await act(storyId, t.relationMade, () =>
      ask("knowledge:relation:create", {
        projectId: storyId,
        sourceEntityId: entity.id,
        targetEntityId: target.id,
        relationType: known?.key ?? word.trim(),
        description,
        ...period,
      }),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={`${entity.name}: ${t.addRelation}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={target === null || word.trim() === ""}
            onClick={() => void relate()}
          >
            {words.create}
          </Button>
        </>
      }
    >
      <TextField
        label={t.relationKind}
        placeholder={t.relationKindHint}
        maxLength={64}
        list={list}
        value={word}
        onChange={(event) => setWord(event.target.value)}
      />
      <datalist id={list}>
        {types.map(({ key, label }) => (
          <option key={key} value={label} />
        ))}
      </datalist>
      <EntityPicker
        storyId={storyId}
        label={t.relationTarget}
        value={target}
        onPick={setTarget}
        without={[entity.id]}
      />
      <TextField
        label={t.relationDescription}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <PeriodFields
        storyId={storyId}
        {...period}
        onChange={(changed) => setPeriod({ ...period, ...changed })}
      />
    </Dialog>
  );
}
