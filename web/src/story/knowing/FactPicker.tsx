import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KnowledgeRelationListResponse, KnowledgeStateListResponse } from "../../client/knowledge";
import type { FactRef } from "../../client/rest";
import { Select } from "../../design/Field";
import { ask } from "../../server/channel";
import { storyKey } from "../../server/server";
import { useTexts } from "../../texts/language";
import { EntityPicker, type Picked } from "../EntityPicker";
import { useRelationTypes } from "../relationTypes";
import { texts } from "./texts";

const MOST = 200;

/** A fact of the story: somebody or something, or one of its relations and states. */
export function FactPicker({ storyId, onPick }: { storyId: string; onPick(fact: FactRef | null): void }) {
  const t = useTexts(texts);
  const types = useRelationTypes(storyId);
  const [picked, setPicked] = useState<Picked | null>(null);
  const [chosen, setChosen] = useState("");
  const entityId = picked?.id ?? "";
  const { data } = useQuery({
    queryKey: storyKey("factsOf", storyId, entityId),
    enabled: picked !== null,
    queryFn: async ({ signal }) => {
      const wanted = { projectId: storyId, filter: { entityId }, limit: MOST };
      const [relations, states] = await Promise.all([
        ask<KnowledgeRelationListResponse>("knowledge:relation:list", wanted, signal),
        ask<KnowledgeStateListResponse>("knowledge:state:list", { projectId: storyId, entityId }, signal),
      ]);
      return { relations: relations.items, states: states.items };
    },
  });
  const facts: readonly { fact: FactRef; label: string }[] = [
    ...(data?.relations ?? []).map(({ id, relationType, description }) => {
      const word = types.find(({ key }) => key === relationType)?.label ?? relationType;
      const label = t.relationOf([word, description].filter(Boolean).join(" — "));
      return { fact: { kind: "relation", id } as const, label };
    }),
    ...(data?.states ?? []).map(({ id, description }) => ({
      fact: { kind: "state", id } as const,
      label: t.stateOf(description),
    })),
  ];
  return (
    <>
      <EntityPicker
        storyId={storyId}
        label={t.fact}
        value={picked}
        onPick={(who) => {
          setPicked(who);
          setChosen("");
          onPick(who && { kind: "entity", id: who.id });
        }}
      />
      {facts.length > 0 && (
        <Select
          label={t.factOf}
          value={chosen}
          onChange={(id) => {
            setChosen(id);
            onPick(facts.find(({ fact }) => fact.id === id)?.fact ?? { kind: "entity", id: entityId });
          }}
          options={[
            { value: "", label: t.itself },
            ...facts.map(({ fact, label }) => ({ value: fact.id, label })),
          ]}
        />
      )}
    </>
  );
}
