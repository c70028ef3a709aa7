import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KnowledgeRelationListResponse, KnowledgeStateListResponse } from "../../../client/knowledge";
import { attachEvidence } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Select } from "../../../design/Field";
import { ask } from "../../../server/channel";
import { storyKey } from "../../../server/server";
import { act } from "../../../story/act";
import { EntityPicker, type Picked } from "../../../story/EntityPicker";
import { usePlaces } from "../../../story/places";
import { namesOptions } from "../../../story/threads/threads";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Popups.module.css";
import type { Part } from "./selection";

interface EstablishDialogProps {
  storyId: string;
  sceneId: string;
  part: Part;
  /** Saves the scene, so that the server knows the words. */
  save(): Promise<void>;
  onClose(): void;
}

interface Fact {
  readonly kind: "entity" | "relation" | "state";
  readonly id: string;
  readonly label: string;
}

/** Asks which fact some words establish, and attaches them to it. */
export default function EstablishDialog({ storyId, sceneId, part, save, onClose }: EstablishDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [who, setWho] = useState<Picked | null>(null);
  const [chosen, setChosen] = useState("");
  const [isBusy, setBusy] = useState(false);
  const facts = useFacts(storyId, who);
  const fact = facts.find(({ id }) => id === chosen) ?? facts[0];
  const attach = async () => {
    if (!fact || !who) return;
    setBusy(true);
    const isDone = await act(storyId, t.established(who.name), async () => {
      await save();
      const body = { kind: fact.kind, id: fact.id, sceneId, ...part };
      return await attachEvidence({ path: { storyId }, body });
    });
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={t.establish}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!fact || isBusy} onClick={() => void attach()}>
            {t.attach}
          </Button>
        </>
      }
    >
      <blockquote className={styles.quotation}>{part.quotation}</blockquote>
      <p>{t.establishWhy}</p>
      <EntityPicker storyId={storyId} label={t.aboutWhom} value={who} onPick={setWho} />
      {facts.length > 0 && (
        <Select
          label={t.whichFact}
          value={fact?.id ?? ""}
          onChange={setChosen}
          options={facts.map(({ id, label }) => ({ value: id, label }))}
        />
      )}
    </Dialog>
  );
}

/** What is known about somebody, as facts that words can establish. */
function useFacts(storyId: string, who: Picked | null): Fact[] {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const { data } = useQuery({
    queryKey: storyKey("factsOf", storyId, who?.id),
    enabled: who !== null,
    queryFn: async ({ signal }) => {
      const entityId = who?.id;
      const [relations, states] = await Promise.all([
        ask<KnowledgeRelationListResponse>(
          "knowledge:relation:list",
          { projectId: storyId, filter: { entityId }, limit: 500 },
          signal,
        ),
        ask<KnowledgeStateListResponse>("knowledge:state:list", { projectId: storyId, entityId }, signal),
      ]);
      return { relations: relations.items, states: states.items };
    },
  });
  const others = [
    ...new Set(
      (data?.relations ?? []).flatMap(({ sourceEntityId, targetEntityId }) => [
        sourceEntityId,
        targetEntityId,
      ]),
    ),
  ];
  const names = useQuery(namesOptions(storyId, others)).data;
  if (who === null) return [];
  return [
    { kind: "entity", id: who.id, label: t.wholeOf(who.name) },
    ...(data?.states ?? []).map(
      ({ id, description, attributes, since }): Fact => ({
        kind: "state",
        id,
        label: [
          description ||
            Object.entries(attributes)
              .map(([key, value]) => `${key}: ${value}`)
              .join(", "),
          since ? `(${places.momentName(since)})` : "",
        ].join(" "),
      }),
    ),
    ...(data?.relations ?? []).map(
      ({ id, sourceEntityId, targetEntityId, relationType }): Fact => ({
        kind: "relation",
        id,
        label: `${names?.get(sourceEntityId) ?? "…"} — ${relationType} → ${names?.get(targetEntityId) ?? "…"}`,
      }),
    ),
  ];
}
