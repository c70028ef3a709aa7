import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Moment } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { TextField } from "../../design/Field";
import { ask } from "../../server/channel";
import { EntityPicker, type Picked } from "../../story/EntityPicker";
import { MomentField } from "../../story/MomentField";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import { act } from "./act";
import { type Entity, relationTypesOptions } from "./entity";
import { texts } from "./texts";

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
  const types = useQuery(relationTypesOptions(storyId, useLanguage())).data?.items ?? [];
  const [target, setTarget] = useState<Picked | null>(null);
  const [word, setWord] = useState("");
  const [description, setDescription] = useState("");
  const [since, setSince] = useState<Moment | null>(null);
  const [until, setUntil] = useState<Moment | null>(null);
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
        since,
        until,
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
      <MomentField
        storyId={storyId}
        label={t.stateSince}
        moment={since}
        none={t.always}
        onChange={setSince}
      />
      <MomentField
        storyId={storyId}
        label={t.stateUntil}
        moment={until}
        none={t.forever}
        onChange={setUntil}
      />
    </Dialog>
  );
}
