import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KnowledgeEntityMergeResponse } from "../../client/knowledge";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { ask } from "../../server/channel";
import { act } from "../../story/act";
import type { Picked } from "../../story/EntityPicker";
import { Impact, impactOptions } from "../../story/Impact";
import { PickDialog } from "../../story/PickDialog";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import type { Entity } from "./entity";
import { texts } from "./texts";

interface DeleteDialogProps {
  storyId: string;
  entity: Entity;
  onDeleted(): void;
  onClose(): void;
}

/** Asks before an entity goes, and says what goes with it. */
export function DeleteDialog({ storyId, entity, onDeleted, onClose }: DeleteDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const impact = useQuery(impactOptions(storyId, entity.id)).data;
  const remove = async () => {
    setBusy(true);
    const isDone = await act(storyId, t.deleted(entity.name), async () => {
      const done = await ask("knowledge:entity:delete", {
        projectId: storyId,
        id: entity.id,
        expectedVersion: entity.version,
      });
      onDeleted();
      return done;
    });
    if (!isDone) setBusy(false);
  };
  return (
    <Dialog
      title={t.deleteTitle(entity.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" disabled={isBusy || !impact} onClick={() => void remove()}>
            {words.delete}
          </Button>
        </>
      }
    >
      <p>{t.deleteWhy}</p>
      <Impact storyId={storyId} id={entity.id} />
      <p>{t.deleteUndo}</p>
    </Dialog>
  );
}

interface MergeDialogProps {
  storyId: string;
  entity: Entity;
  onMerged(targetId: string): void;
  onClose(): void;
}

/** Makes an entity part of another. */
export function MergeDialog({ storyId, entity, onMerged, onClose }: MergeDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const mergeInto = async (into: Picked) => {
    await act(storyId, t.merged(into.name), async () => {
      const done = await ask<KnowledgeEntityMergeResponse>("knowledge:entity:merge", {
        projectId: storyId,
        targetEntityId: into.id,
        sourceEntityIds: [entity.id],
      });
      onMerged(into.id);
      return done;
    });
  };
  return (
    <PickDialog
      storyId={storyId}
      title={t.mergeTitle(entity.name)}
      why={t.mergeWhy}
      label={t.mergeInto}
      pickWord={words.merge}
      without={[entity.id]}
      onPick={(into) => void mergeInto(into)}
      onClose={onClose}
    />
  );
}
