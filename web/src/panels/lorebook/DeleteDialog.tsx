import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KnowledgeEntityImpactResponse } from "../../client/knowledge";
import type { LorebookEntry } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

interface DeleteDialogProps {
  entries: LorebookEntry[];
  onDelete(): Promise<void>;
  onClose(): void;
}

/** Asks before entries go, and says what goes with them. */
export function DeleteDialog({ entries, onDelete, onClose }: DeleteDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [isBusy, setBusy] = useState(false);
  const only = entries.length === 1 && entries[0]?.entityId ? entries[0] : null;
  const entities = entries.filter(({ entityId }) => entityId !== null).length;
  return (
    <Dialog
      title={t.deleteTitle(entries.length, entries[0]?.displayName ?? "")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="danger"
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              void onDelete().finally(() => setBusy(false));
            }}
          >
            {words.delete}
          </Button>
        </>
      }
    >
      {entities > 0 && <p>{t.deleteEntity(entities)}</p>}
      {only && <Impact entry={only} />}
      <p>{t.deleteUndo}</p>
    </Dialog>
  );
}

/** Whom the deletion of an entity would touch. */
function Impact({ entry }: { entry: LorebookEntry }) {
  const t = useTexts(texts);
  const { storyId, entityId } = entry;
  const impact = useQuery({
    queryKey: storyKey("impact", storyId, entityId),
    queryFn: ({ signal }) =>
      ask<KnowledgeEntityImpactResponse>(
        "knowledge:entity:impact",
        { projectId: storyId, id: entityId },
        signal,
      ),
  });
  if (!impact.data || impact.data.relationCount === 0) return null;
  const alone = impact.data.neighbours.filter(({ isolated }) => isolated).map(({ name }) => name);
  return (
    <ul>
      <li>{t.deleteRelations(impact.data.relationCount, impact.data.neighbours.length)}</li>
      {alone.length > 0 && <li>{t.deleteAlone(alone.join(", "))}</li>}
    </ul>
  );
}
