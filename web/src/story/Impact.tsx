import { queryOptions, useQuery } from "@tanstack/react-query";
import type { KnowledgeEntityImpactResponse } from "../client/knowledge";
import { Loading } from "../design/states";
import { ask } from "../server/channel";
import { storyKey } from "../server/server";
import { inBoth, useTexts } from "../texts/language";
import styles from "./Impact.module.css";

const texts = inBoth({
  none: ["No relation goes with it.", "没有关系会随之删除。"],
  relations: [
    (relations: number, others: number) =>
      `${relations === 1 ? "1 relation" : `${relations} relations`} with ${others === 1 ? "1 other" : `${others} others`} ${relations === 1 ? "goes" : "go"}, too.`,
    (relations: number, others: number) => `与 ${others} 个实体的 ${relations} 条关系会一并删除。`,
  ],
  alone: [
    (names: string) => `Without any relation from then on: ${names}`,
    (names: string) => `删除后将没有任何关系：${names}`,
  ],
});

export const impactOptions = (storyId: string, id: string) =>
  queryOptions({
    queryKey: storyKey("impact", storyId, id),
    queryFn: ({ signal }) =>
      ask<KnowledgeEntityImpactResponse>("knowledge:entity:impact", { projectId: storyId, id }, signal),
  });

/** Exactly what goes with an entity that is deleted. */
export function Impact({ storyId, id }: { storyId: string; id: string }) {
  const t = useTexts(texts);
  const impact = useQuery(impactOptions(storyId, id));
  if (impact.error) return null;
  if (!impact.data) return <Loading rows={1} />;
  const { relationCount, neighbours, severity } = impact.data;
  if (relationCount === 0) return <p>{t.none}</p>;
  const alone = neighbours.filter(({ isolated }) => isolated).map(({ name }) => name);
  return (
    <ul className={styles.impact} data-severity={severity}>
      <li>{t.relations(relationCount, neighbours.length)}</li>
      {alone.length > 0 && <li>{t.alone(alone.join(", "))}</li>}
    </ul>
  );
}
