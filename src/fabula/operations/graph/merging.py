"""Two entities that turn out to be one, and what would go with an entity."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from fabula.call import Call
from fabula.canon.entry_links import merge_entries
from fabula.canon.event_links import merge_events
from fabula.canon.scope import existing_entity
from fabula.canon.versions import touched
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.entity import (
    MAX_ALIASES,
    Entity,
    aliases_beside,
    check_attribute_count,
)
from fabula.model.event import EVENT
from fabula.model.level import stricter
from fabula.model.moment import first_instant, last_instant
from fabula.model.participation import Participation
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation
from fabula.model.wire import Id, Value
from fabula.operations.graph.entities import refuse_stale
from fabula.operations.graph.relations import relation_identity
from fabula.operations.table import Request, operation
from fabula.store.failures import repeatable
from fabula.store.log import MERGE
from fabula.store.writer import Writer

MAX_DESCRIPTION = 65_536
SHOWN_RELATIONS = 100


class KnowledgeEntityMergeResponse(Value):
    """The entity that stayed, and what happened to the rest."""

    entity: Entity
    merged_entity_ids: tuple[str, ...]
    redirected_relation_count: int
    dropped_relation_count: int


class KnowledgeEntityMergeRequest(Request[KnowledgeEntityMergeResponse]):
    """Entities that are to become part of another one."""

    target_entity_id: Id
    source_entity_ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=100)]
    expected_version: Annotated[Version | None, Field(default=None)]

    @model_validator(mode="after")
    def _different(self) -> KnowledgeEntityMergeRequest:
        if len({self.target_entity_id, *self.source_entity_ids}) <= len(self.source_entity_ids):
            raise ValueError("an entity cannot be merged with itself; name each one once")
        return self


class ImpactNeighbour(Value):
    """An entity that would lose relations; `isolated` if it would have none left."""

    id: str
    name: str
    type: str
    relation_count: int
    isolated: bool


class KnowledgeEntityImpactResponse(Value):
    """What a deletion would take along."""

    entity: Entity
    relation_count: int
    incoming_relation_count: int
    outgoing_relation_count: int
    relations: tuple[Relation, ...]
    neighbours: tuple[ImpactNeighbour, ...]
    severity: Literal["low", "medium", "high", "critical"]


class KnowledgeEntityImpactRequest(Request[KnowledgeEntityImpactResponse]):
    """An entity that somebody thinks of deleting."""

    id: Id


@operation("entity.merge", role=Role.EDITOR, channel="knowledge:entity:merge")
@repeatable
def merge_entities(call: Call, request: KnowledgeEntityMergeRequest) -> KnowledgeEntityMergeResponse:
    """Make one entity of several: names become aliases, relations are redirected, nothing is lost."""
    project_id = request.project_id
    with call.store.write(project_id, action=MERGE, actor=call.actor) as writer:
        before = existing_entity(writer, project_id, request.target_entity_id)
        sources = [existing_entity(writer, project_id, key) for key in request.source_entity_ids]
        if request.expected_version is not None:
            refuse_stale(before, request.expected_version)
        after = before
        for source in sources:
            after = united(after, source)
        check_attribute_count(after.attributes, call.limits.max_attribute_keys)
        _refuse_overlong(after)
        redirected, dropped = _redirect(writer, after.id, {source.id for source in sources})
        merge_entries(writer, after, sources)
        turned = merge_events(writer, after, sources)
        writer.remove(sources)
        after = touched(writer, after)
        writer.replace([(before, after)])
    return KnowledgeEntityMergeResponse(
        entity=after,
        merged_entity_ids=tuple(source.id for source in sources),
        redirected_relation_count=redirected + turned.redirected,
        dropped_relation_count=dropped + turned.dropped,
    )


@operation("entity.impact", role=Role.READER, channel="knowledge:entity:impact")
def entity_impact(call: Call, request: KnowledgeEntityImpactRequest) -> KnowledgeEntityImpactResponse:
    """Say what deleting an entity would take along, without deleting anything."""
    project_id = request.project_id
    with call.store.read() as reader:
        entity = existing_entity(reader, project_id, request.id)
        relations = reader.relations_of(project_id, [entity.id])
        shared: dict[str, int] = {}
        for relation in relations:
            other = _other_end(relation, entity.id)
            shared[other] = shared.get(other, 0) + 1
        names = reader.entities(project_id, shared)
        with call.indexes.lease(reader, project_id) as index:
            graph, slots = index.graph(reader), index.roster.slot_of
            left = {key: graph.degree(slots[key]) - count for key, count in shared.items()}
    neighbours = sorted(
        (
            ImpactNeighbour(
                id=key,
                name=names[key].name,
                type=names[key].type,
                relation_count=count,
                isolated=left[key] == 0,
            )
            for key, count in shared.items()
        ),
        key=lambda neighbour: (not neighbour.isolated, -neighbour.relation_count, neighbour.id),
    )
    outgoing = sum(relation.source_entity_id == entity.id for relation in relations)
    return KnowledgeEntityImpactResponse(
        entity=entity,
        relation_count=len(relations),
        incoming_relation_count=len(relations) - outgoing,
        outgoing_relation_count=outgoing,
        relations=relations[:SHOWN_RELATIONS],
        neighbours=tuple(neighbours[:SHOWN_RELATIONS]),
        severity=_severity(len(relations)),
    )


def united(kept: Entity, other: Entity) -> Entity:
    """One entity out of two: the kept one's word counts, the other's is added where there is room.

    Where both say something different under the same key, the other's value is kept beside it
    under the key with the other's name. A secret stays as secret as it was.
    """
    attributes = _side_by_side(kept.attributes, other.attributes, other.name)
    description = kept.description
    if other.description.strip() and other.description.strip() not in description:
        description = f"{description.rstrip()}\n\n{other.description.strip()}".strip()
    return kept.model_copy(
        update={
            "aliases": aliases_beside(kept.name, (*kept.aliases, other.name, *other.aliases)),
            "attributes": attributes,
            "description": description,
            "prompt_text": prompt_text(description, attributes),
            "significance": max(kept.significance, other.significance),
            # What is told of two events holds the later one, which must not be told before it happens.
            "since": (max if kept.type == other.type == EVENT else min)(
                kept.since, other.since, key=first_instant
            ),
            "until": max(kept.until, other.until, key=last_instant),
            "ai_context_level": stricter(kept.ai_context_level, other.ai_context_level),
        }
    )


def _side_by_side(kept: dict[str, Any], other: dict[str, Any], name: str) -> dict[str, Any]:
    """Both, and where they differ the other's value under the key with the other's name."""
    both = dict(kept)
    for key, value in other.items():
        if key not in both:
            both[key] = value
        elif both[key] != value:
            both[_beside(key, name, both)] = value
    return both


def _beside(key: str, name: str, taken: dict[str, Any]) -> str:
    fresh, count = f"{key} ({name})"[:256], 2
    while fresh in taken:
        fresh, count = f"{key} ({name} {count})"[-256:], count + 1
    return fresh


def _refuse_overlong(entity: Entity) -> None:
    _refuse_overlong_text(entity.description)
    if len(entity.aliases) > MAX_ALIASES:
        raise InvalidInput(
            f"Together the entities would have more than {MAX_ALIASES} aliases.",
            details={"aliasCount": len(entity.aliases)},
            suggestion="Remove aliases before merging.",
        )


def _refuse_overlong_text(description: str) -> None:
    if len(description) > MAX_DESCRIPTION:
        raise InvalidInput(
            f"Together the descriptions would have more than {MAX_DESCRIPTION:,} characters.",
            details={"descriptionLength": len(description)},
            suggestion="Shorten the descriptions before merging.",
        )


def _redirect(writer: Writer, target: str, gone: set[str]) -> tuple[int, int]:
    """Turn the relations of those who go to the one who stays; how many were turned and dropped.

    A relation among the merged says nothing any more; one that the target has already is taken up by it.
    Roles in events are turned with the events.
    """
    relations = [
        relation
        for relation in writer.relations_of(writer.project_id, [target, *sorted(gone)])
        if not isinstance(relation, Participation)
    ]
    affected = [r for r in relations if gone & {r.source_entity_id, r.target_entity_id}]
    present = {relation_identity(r): (r, r) for r in relations if r not in affected}
    dropped: list[Relation] = []
    for relation in affected:
        after = _turned(relation, target, gone)
        identity = relation_identity(after)
        if after.source_entity_id == after.target_entity_id:
            dropped.append(relation)
        elif identity in present:
            before, kept = present[identity]
            present[identity] = (before, _taking_up(kept, after))
            dropped.append(relation)
        else:
            present[identity] = (relation, after)
    writer.remove(dropped)
    writer.replace(
        [(before, touched(writer, after)) for before, after in present.values() if after != before]
    )
    return len(affected) - len(dropped), len(dropped)


def _turned(relation: Relation, target: str, gone: set[str]) -> Relation:
    source_end, target_end = relation.source_entity_id, relation.target_entity_id
    return relation.model_copy(
        update={
            "source_entity_id": target if source_end in gone else source_end,
            "target_entity_id": target if target_end in gone else target_end,
        }
    )


def _taking_up(kept: Relation, other: Relation) -> Relation:
    description = kept.description
    if other.description and other.description not in description:
        description = f"{description}\n{other.description}".strip()
        _refuse_overlong_text(description)
    longer = max(kept, other, key=lambda relation: last_instant(relation.until))
    return kept.model_copy(
        update={
            "description": description,
            "properties": _side_by_side(kept.properties, other.properties, "2"),
            "until": longer.until,
        }
    )


def _other_end(relation: Relation, entity_id: str) -> str:
    ends = (relation.source_entity_id, relation.target_entity_id)
    return ends[1] if ends[0] == entity_id else ends[0]


def _severity(relations: int) -> Literal["low", "medium", "high", "critical"]:
    if relations >= 10:
        return "critical"
    if relations >= 5:
        return "high"
    return "medium" if relations >= 2 else "low"
