"""Merging entities, and the impact of deleting one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from fabula.call import Call
from fabula.canon.entity import refuse_stale
from fabula.canon.merge import merge
from fabula.canon.scope import existing_entity
from fabula.canon.step import Step, in_step
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.entity import Entity
from fabula.model.fact import FactKind, FactRef
from fabula.model.relation import Relation
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation
from fabula.store.event_rows import facts_in
from fabula.store.log import MERGE
from fabula.store.reader import Reader

SHOWN_RELATIONS = 100


class KnowledgeEntityMergeResponse(Value):
    """The remaining entity, and what happened to the relations of the others."""

    entity: Entity
    merged_entity_ids: tuple[str, ...]
    redirected_relation_count: int
    dropped_relation_count: int


class KnowledgeEntityMergeRequest(Request[KnowledgeEntityMergeResponse]):
    """Entities to merge into another one."""

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


class ImpactOnKnowledge(Value):
    """How much of who knows what would go along with an entity.

    `as_fact` are knowings of it, its states and its relations, `as_knower` what it knows itself. `reveals`
    join it with another, `tellings` are events that tell it or them, and `known_names` and `known_reveals`
    are those that it would be missing from.
    """

    as_fact: int
    as_knower: int
    states: int
    names: int
    reveals: int
    tellings: int
    known_names: int
    known_reveals: int


class KnowledgeEntityImpactResponse(Value):
    """What deleting an entity would affect; `toldSceneCount` scenes would lose their point of view."""

    entity: Entity
    relation_count: int
    incoming_relation_count: int
    outgoing_relation_count: int
    relations: tuple[Relation, ...]
    neighbours: tuple[ImpactNeighbour, ...]
    knowings: ImpactOnKnowledge
    told_scene_count: int
    severity: Literal["low", "medium", "high", "critical"]


class KnowledgeEntityImpactRequest(Request[KnowledgeEntityImpactResponse]):
    """An entity that might be deleted."""

    id: Id


@operation("entity.merge", role=Role.EDITOR, channel="knowledge:entity:merge")
@in_step(MERGE)
def merge_entities(step: Step, request: KnowledgeEntityMergeRequest) -> KnowledgeEntityMergeResponse:
    """Merge several entities into one: names become aliases, relations are redirected, nothing is lost."""
    target = existing_entity(step, request.project_id, request.target_entity_id)
    sources = [existing_entity(step, request.project_id, key) for key in request.source_entity_ids]
    refuse_stale(target, request.expected_version)
    done = merge(step, target, sources)
    return KnowledgeEntityMergeResponse(
        entity=done.entity,
        merged_entity_ids=request.source_entity_ids,
        redirected_relation_count=done.redirected,
        dropped_relation_count=done.dropped,
    )


@operation("entity.impact", role=Role.READER, channel="knowledge:entity:impact")
def entity_impact(call: Call, request: KnowledgeEntityImpactRequest) -> KnowledgeEntityImpactResponse:
    """Report what deleting an entity would affect, without deleting anything."""
    project_id = request.project_id
    with call.store.read() as reader:
        entity = existing_entity(reader, project_id, request.id)
        relations = reader.relations_of(project_id, [entity.id])
        shared: dict[str, int] = {}
        for relation in relations:
            other = _other_end(relation, entity.id)
            shared[other] = shared.get(other, 0) + 1
        names = reader.entities(project_id, shared)
        knowledge = _on_knowledge(reader, entity, relations)
        told = reader.manuscript.scenes_of_povs(project_id, [entity.id])
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
        knowings=knowledge,
        told_scene_count=len(told),
        severity=_severity(len(relations)),
    )


def _on_knowledge(reader: Reader, entity: Entity, relations: Sequence[Relation]) -> ImpactOnKnowledge:
    project_id, key = entity.project_id, entity.id
    gone: dict[FactKind, list[str]] = {
        FactKind.ENTITY: [key],
        FactKind.STATE: [state.id for state in reader.states_of(project_id, [key])],
        FactKind.RELATION: [relation.id for relation in relations],
    }
    facts = {FactRef.trusted(kind=kind, id=one) for kind, ids in gone.items() for one in ids}
    known = {
        one.id
        for kind, ids in gone.items()
        for one in (reader.knowings.of_facts(project_id, kind, ids) if ids else ())
    }
    own = {one.id for one in reader.knowings.of_knowers(project_id, [key])}
    tellings = reader.knowings.telling(project_id)
    reveals = reader.reveals.all_of(project_id)
    bearers = [one for one in reader.dated.named_for_periods(project_id) if one.id != key]
    return ImpactOnKnowledge(
        as_fact=len(known - own),
        as_knower=len(own),
        states=len(gone[FactKind.STATE]),
        names=len(entity.names),
        reveals=sum(key in one.entity_ids for one in reveals),
        tellings=sum(
            not facts.isdisjoint(facts_in(told)) for event, told in tellings.items() if event != key
        ),
        known_names=sum(key in (name.known_to or ()) for one in bearers for name in one.names),
        known_reveals=sum(key not in one.entity_ids and key in (one.known_to or ()) for one in reveals),
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
