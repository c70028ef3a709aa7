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
  known: [
    (facts: number, own: number) =>
      `Who knows what goes, too: ${facts} about it, ${own} of what it knows itself.`,
    (facts: number, own: number) => `知情记录会一并删除：关于它的 ${facts} 条，它自己所知的 ${own} 条。`,
  ],
  reveals: [
    (count: number) => (count === 1 ? "1 reveal goes, too." : `${count} reveals go, too.`),
    (count: number) => `${count} 处身份揭晓会一并删除。`,
  ],
  told: [
    (scenes: number) =>
      scenes === 1 ? "1 scene loses its point of view." : `${scenes} scenes lose their point of view.`,
    (scenes: number) => `${scenes} 个场景将失去视角人物。`,
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
  const { relationCount, neighbours, severity, toldSceneCount, knowings } = impact.data;
  const { asFact, asKnower, reveals } = knowings;
  if (relationCount + toldSceneCount + asFact + asKnower + reveals === 0) return <p>{t.none}</p>;
  const alone = neighbours.filter(({ isolated }) => isolated).map(({ name }) => name);
  return (
    <ul className={styles.impact} data-severity={severity}>
      <li>{relationCount === 0 ? t.none : t.relations(relationCount, neighbours.length)}</li>
      {asFact + asKnower > 0 && <li>{t.known(asFact, asKnower)}</li>}
      {reveals > 0 && <li>{t.reveals(reveals)}</li>}
      {toldSceneCount > 0 && <li>{t.told(toldSceneCount)}</li>}
      {alone.length > 0 && <li>{t.alone(alone.join(", "))}</li>}
    </ul>
  );
}
