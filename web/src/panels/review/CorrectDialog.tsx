import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type {
  KnowledgeEntityReadResponse,
  KnowledgeRelationListResponse,
  KnowledgeStateListResponse,
} from "../../client/knowledge";
import { readEntry, type StaleChoice, type StaleFact } from "../../client/rest";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { TextArea } from "../../design/Field";
import { Loading, Trouble } from "../../design/states";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

type Patch = NonNullable<StaleChoice["patch"]>;

/** What a stale fact says, and the patch that makes it say something else. */
interface Correction {
  readonly text: string;
  patchOf(text: string): Patch;
}

const ATTRIBUTE = "attribute:";

interface Described {
  readonly description: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The correction of an attribute, or else of the description. */
export function correctionOf({ description, attributes }: Described, part: string | null): Correction {
  if (!part?.startsWith(ATTRIBUTE)) return { text: description, patchOf: (text) => ({ description: text }) };
  const key = part.slice(ATTRIBUTE.length);
  return {
    text: String(attributes[key] ?? ""),
    patchOf: (text) => ({ attributes: { ...attributes, [key]: text } }),
  };
}

async function read(storyId: string, { kind, id, part, entityId }: StaleFact): Promise<Correction> {
  const story = { projectId: storyId };
  if (kind === "entry") {
    const { data } = await readEntry({ path: { storyId, entryId: id } });
    return { text: data.content, patchOf: (content) => ({ content }) };
  }
  if (kind === "relation") {
    const wanted = { ...story, filter: { entityId }, limit: 2_000 };
    const { items } = await ask<KnowledgeRelationListResponse>("knowledge:relation:list", wanted);
    const relation = items.find((one) => one.id === id);
    return { text: relation?.description ?? "", patchOf: (description) => ({ description }) };
  }
  if (kind === "state") {
    const { items } = await ask<KnowledgeStateListResponse>("knowledge:state:list", { ...story, entityId });
    return correctionOf(items.find((one) => one.id === id) ?? { description: "", attributes: {} }, part);
  }
  return correctionOf(
    await ask<KnowledgeEntityReadResponse>("knowledge:entity:read", { ...story, id }),
    part,
  );
}

interface CorrectDialogProps {
  storyId: string;
  fact: StaleFact;
  onSave(patch: Patch): Promise<boolean>;
  onClose(): void;
}

/** Asks what a stale fact should say instead. */
export function CorrectDialog({ storyId, fact, onSave, onClose }: CorrectDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [typed, setTyped] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const correction = useQuery({
    queryKey: storyKey("correction", storyId, fact.kind, fact.id, fact.part),
    queryFn: () => read(storyId, fact),
    structuralSharing: false,
    gcTime: 0,
  });
  const { data } = correction;
  const text = typed ?? data?.text ?? "";
  const save = async () => {
    if (!data) return;
    setBusy(true);
    const isDone = await onSave(data.patchOf(text.trim()));
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={t.staleCorrectTitle(fact.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            disabled={!data || isBusy || typed === null || text.trim() === data.text}
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </>
      }
    >
      {correction.error ? (
        <Trouble error={correction.error} />
      ) : data ? (
        <TextArea label={t.staleSays} value={text} onChange={(event) => setTyped(event.target.value)} />
      ) : (
        <Loading rows={2} />
      )}
    </Dialog>
  );
}
