import { useRef, useState } from "react";
import type {
  Entity,
  EntityPatch,
  KnowledgeBatchUpsertResponse,
  KnowledgeEntityCreateResponse,
  KnowledgeEntityReadResponse,
  KnowledgeEntityUpdateResponse,
  Relation,
} from "../../client/knowledge";
import { tellTrouble } from "../../design/toasts";
import { ask } from "../../server/channel";
import { problemOf } from "../../server/problem";
import { revisionOf } from "../../server/revision";
import { refreshStory } from "../../server/server";
import { tellDone } from "../../story/story";
import { useTexts } from "../../texts/language";
import {
  type Change,
  showChange,
  withEdge,
  withEdgeType,
  withFields,
  withNode,
  withoutEdge,
  withoutNode,
  withPlace,
} from "./picture";
import { texts } from "./texts";

export interface Pair {
  readonly sourceId: string;
  readonly targetId: string;
}

/** Changes to the graph: seen at once, taken back if the server refuses. */
export function useChanges(storyId: string) {
  const t = useTexts(texts);
  const [fresh, setFresh] = useState<ReadonlyMap<string, number>>(new Map());
  const count = useRef(0);

  /** Shows a change, sends it, and takes it back when that fails; the problem if there was one. */
  const attempt = async <T>(change: Change, send: () => Promise<T>, done: string | null): Promise<T> => {
    const rollBack = showChange(storyId, change);
    let answer: T;
    try {
      answer = await send();
    } catch (error) {
      rollBack();
      throw problemOf(error);
    }
    await refreshStory(storyId);
    if (done !== null) tellDone(storyId, done, revisionOf(answer));
    return answer;
  };

  const quietly = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      tellTrouble(error);
      return false;
    }
  };

  const update = (id: string, expectedVersion: number, patch: EntityPatch) =>
    ask<KnowledgeEntityUpdateResponse>("knowledge:entity:update", {
      projectId: storyId,
      id,
      expectedVersion,
      patch,
    });

  /** A change that does not depend on what else is said of a node: on a conflict it is tried with the newest version. */
  const place = async (id: string, layoutX: number | null, layoutY: number | null) => {
    const { version } = await ask<KnowledgeEntityReadResponse>("knowledge:entity:read", {
      projectId: storyId,
      id,
    });
    return await update(id, version, { layoutX, layoutY });
  };

  return {
    fresh,

    create: (fields: {
      name: string;
      type: string;
      description: string;
      x: number | null;
      y: number | null;
    }) => {
      const { name, type, description, x, y } = fields;
      count.current += 1;
      const shown = withNode({ id: `new:${count.current}`, name, type, x, y });
      return attempt(
        shown,
        () =>
          ask<KnowledgeEntityCreateResponse>("knowledge:entity:create", {
            projectId: storyId,
            name,
            type,
            description,
            layoutX: x,
            layoutY: y,
          }),
        t.created(name),
      );
    },

    save: (before: Entity, version: number, patch: EntityPatch) =>
      attempt(
        withFields(before.id, { name: patch.name ?? before.name, type: patch.type ?? before.type }),
        () => update(before.id, version, patch),
        t.savedNode(patch.name ?? before.name),
      ),

    move: (id: string, name: string, x: number, y: number) =>
      quietly(attempt(withPlace(id, x, y), () => place(id, x, y), t.movedNode(name))),

    letGo: (id: string) => quietly(attempt(withPlace(id, null, null), () => place(id, null, null), null)),

    remove: (id: string, name: string) =>
      quietly(
        attempt(
          withoutNode(id),
          () => ask("knowledge:entity:delete", { projectId: storyId, id }),
          t.deletedNode(name),
        ),
      ),

    relate: async (pairs: readonly Pair[], type: string, done: string): Promise<boolean> => {
      count.current += 1;
      const shown = pairs.map((pair, place) => ({ ...pair, id: `new:${count.current}:${place}`, type }));
      const change: Change = (picture) => shown.reduce((all, edge) => withEdge(edge)(all), picture);
      const send = async () => {
        const relations = pairs.map(({ sourceId, targetId }) => ({
          sourceEntityId: sourceId,
          targetEntityId: targetId,
          relationType: type,
        }));
        // Both ways are two relations and one step.
        const answer = await (relations.length === 1
          ? ask<Relation>("knowledge:relation:create", { projectId: storyId, ...relations[0] })
          : ask<KnowledgeBatchUpsertResponse>("knowledge:batch:upsert", {
              projectId: storyId,
              mode: "create",
              relations,
            }));
        const now = performance.now();
        setFresh(new Map(("id" in answer ? [answer.id] : answer.relationIds).map((id) => [id, now])));
        return answer;
      };
      setFresh(new Map(shown.map(({ id }) => [id, performance.now()])));
      return quietly(attempt(change, send, done));
    },

    retype: (id: string, type: string) =>
      quietly(
        attempt(
          withEdgeType(id, type),
          () => ask("knowledge:relation:update", { projectId: storyId, id, patch: { relationType: type } }),
          t.changedEdge,
        ),
      ),

    unrelate: (id: string) =>
      quietly(
        attempt(
          withoutEdge(id),
          () => ask("knowledge:relation:delete", { projectId: storyId, id }),
          t.deletedEdge,
        ),
      ),
  };
}

export type Changes = ReturnType<typeof useChanges>;
