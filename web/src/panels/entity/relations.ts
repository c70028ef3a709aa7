import type { Moment } from "../../client/rest";
import { holdsAt } from "../../story/places";
import type { Relation } from "./entity";

/** The relations of one type in one direction. */
export interface Group {
  readonly type: string;
  readonly isOutward: boolean;
  readonly relations: readonly Relation[];
}

/** The relations of an entity that hold at a moment, by type, its own before those towards it. */
export function groupsOf(relations: readonly Relation[], entityId: string, asOf: Moment | null): Group[] {
  const groups = new Map<string, { type: string; isOutward: boolean; relations: Relation[] }>();
  for (const relation of relations) {
    if (!holdsAt(relation, asOf)) continue;
    const isOutward = relation.sourceEntityId === entityId;
    const key = `${isOutward ? 0 : 1}${relation.relationType}`;
    const group = groups.get(key) ?? { type: relation.relationType, isOutward, relations: [] };
    group.relations.push(relation);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (one, other) =>
      Number(other.isOutward) - Number(one.isOutward) ||
      other.relations.length - one.relations.length ||
      one.type.localeCompare(other.type),
  );
}

export const otherEnd = (relation: Relation, entityId: string): string =>
  relation.sourceEntityId === entityId ? relation.targetEntityId : relation.sourceEntityId;
