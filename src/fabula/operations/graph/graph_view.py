"""The graph for display: nodes and edges with upper-case types, and a description for models."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from pydantic import Field

from fabula.assembly.sentences import RelationCandidate, sentences
from fabula.call import Call
from fabula.canon.relation_fields import RelationPatch
from fabula.context.audience import ModelView
from fabula.context.candidates.gathering import stage
from fabula.context.candidates.relations import MOST_RELATIONS, relation_candidates
from fabula.context.point_of_view import Pov, seen_by
from fabula.context.seen_graph import author_view, seen_entities, seen_relations
from fabula.errors import InvalidInput, NotFound
from fabula.index.walks import neighbourhood
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.graph import GraphEdge, GraphNode, edge_of, nodes_of
from fabula.model.moment import MAX_CHAPTER, Moment, first_instant
from fabula.model.names import name_key
from fabula.model.parsing import parsed
from fabula.model.wire import Description, Id, OpenJson, RelationWord, Value
from fabula.model.world_time import WorldTimeGiven
from fabula.operations.graph.queries import query_subgraph, refuse_far
from fabula.operations.graph.relations import (
    create_relation,
    delete_relation,
    update_relation,
)
from fabula.operations.table import StoryRequest, operation
from fabula.projections.mirror_questions import MirrorGraph, around, whole_graph
from fabula.store.node_facts import node_facts
from fabula.store.reader import Reader


class GraphStats(Value):
    """The size of the graph."""

    total_nodes: int
    total_edges: int
    nodes_by_type: dict[str, int]


class FullGraphResponse(Value):
    """The whole graph of a story."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    stats: GraphStats


class CenterNode(Value):
    """The entity that a query was about."""

    id: str
    name: str
    type: str


class GraphAroundResponse(Value):
    """The surroundings of an entity; the text respects context levels, the graph shows everything."""

    center_node: CenterNode
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool
    natural_language_description: str


class CreateRelationshipRequest(StoryRequest):
    """A new relation between two nodes, each given by id or by name."""

    source_id: Id | None = None
    target_id: Id | None = None
    source: Annotated[Id | None, Field(default=None)]
    target: Annotated[Id | None, Field(default=None)]
    type: RelationWord
    description: Description = ""
    properties: OpenJson = Field(default_factory=dict)
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None


class RelationshipPatch(Value):
    """The fields of a relation to change."""

    type: RelationWord | None = None
    description: Description | None = None
    properties: OpenJson | None = None
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None
    expected_version: int | None = None


# An id, a name or an alias, as a person types it.
CalledBy = Annotated[str, Field(max_length=256)]

LAST_MOMENT = Moment(chapter=MAX_CHAPTER, scene=None)


class FullGraphRequest(StoryRequest):
    """A story, and from whose point of view to show it as of which moment."""

    as_of: Moment | None = None
    pov: Pov = None


@operation("graph.read", role=Role.READER)
def full_graph(call: Call, request: FullGraphRequest) -> FullGraphResponse:
    """Show all entities and relations of a story, or those that somebody knows."""
    project_id = request.project_id
    if request.pov is not None:
        nodes, edges = _seen_graph(call, request)
    elif call.mirror is not None:
        found = call.mirror.answer(project_id, lambda run: whole_graph(run, project_id))
        nodes, edges = found.nodes, found.edges
    else:
        nodes, edges = _whole_index(call, project_id)
    return FullGraphResponse.trusted(
        nodes=nodes,
        edges=edges,
        stats=GraphStats(
            total_nodes=len(nodes),
            total_edges=len(edges),
            nodes_by_type=dict(sorted(Counter(node.type for node in nodes).items())),
        ),
    )


def _whole_index(call: Call, project_id: str) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            entities = index.entities(reader, index.roster.slot_of.values())
            relations = index.relations(reader, index.graph(reader).slot_of.values())
        return nodes_of(entities, node_facts(reader, project_id)), tuple(map(edge_of, relations))


def _seen_graph(call: Call, request: FullGraphRequest) -> tuple[tuple[GraphNode, ...], tuple[GraphEdge, ...]]:
    """Return what somebody knows of the graph at a moment, by default at the end."""
    instant = None if request.as_of is None else first_instant(request.as_of)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        view = author_view(reader, index, instant, request.pov, call.deadline())
        slots = [slot for slot in index.roster.slot_of.values() if view.may_be_told(slot)]
        entities = seen_entities(view, slots)
        here = {entity.id for entity in entities}
        links = [
            link
            for link in view.graph.slot_of.values()
            if instant is None or view.graph.since[link] <= instant <= view.graph.until[link]
        ]
        relations = [
            one
            for one in seen_relations(view, links)
            if one.source_entity_id in here and one.target_entity_id in here
        ]
    return nodes_of(entities, {}), tuple(map(edge_of, relations))


class GraphAroundRequest(StoryRequest):
    """The entity whose surroundings to show, how far they extend, and as of which moment."""

    entity: CalledBy = ""
    depth: Annotated[int, Field(ge=1)] = 2
    as_of: Moment | None = None
    pov: Pov = None


@operation("graph.around", role=Role.READER)
def graph_around(call: Call, request: GraphAroundRequest) -> GraphAroundResponse:
    """Show the surroundings of an entity given by id, name or alias."""
    project_id, name, depth, moment = request.project_id, request.entity, request.depth, request.as_of
    with call.store.read() as reader:
        center = entity_called(reader, call, project_id, name)
    found = _around(call, center, depth, moment, request.pov)
    return GraphAroundResponse.trusted(
        center_node=center_node(center),
        nodes=found.nodes,
        edges=found.edges,
        truncated=found.truncated,
        natural_language_description=described(call, project_id, center.id, depth, moment, request.pov),
    )


def _around(call: Call, center: Entity, depth: int, moment: Moment | None, pov: str | None) -> MirrorGraph:
    project_id = center.project_id
    if call.mirror is not None and pov is None:
        refuse_far(call, depth)
        most, instant = call.limits.max_subgraph_nodes, None if moment is None else first_instant(moment)
        return call.mirror.answer(
            project_id, lambda run: around(run, project_id, center.id, depth, most, instant)
        )
    found = query_subgraph(
        call, project_id=project_id, center_entity_id=center.id, k=depth, as_of=moment, pov=pov
    )
    with call.store.read() as reader:
        facts = {} if pov else node_facts(reader, project_id, [entity.id for entity in found.entities])
    return MirrorGraph(nodes_of(found.entities, facts), tuple(map(edge_of, found.relations)), found.truncated)


def center_node(entity: Entity) -> CenterNode:
    """Return the entity that a query was about."""
    return CenterNode(id=entity.id, name=entity.name, type=entity.type.capitalize())


def described(
    call: Call, project_id: str, entity_id: str, depth: int, moment: Moment | None, pov: str | None = None
) -> str:
    """Describe the surroundings of an entity in sentences for a model, its own relations first.

    Entities hidden from the model are left out, and paths do not lead through them.
    """
    with call.store.read() as reader:
        story = reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            seen = seen_by(reader, index, pov, first_instant(moment or LAST_MOMENT))
            view = stage(reader, index, moment or LAST_MOMENT, "", (), pov=seen)
            slot = index.roster.slot_of[entity_id]
            if not view.may_be_told(slot):
                return ""
            own = relation_candidates(view, {slot}, MOST_RELATIONS, with_roles=True)
            others = _farther(call, view, slot, depth - 1, MOST_RELATIONS - len(own))
    told = {relation.id for relation in own}
    rest = [relation for relation in others if relation.id not in told]
    joiner = "" if story.language == "zh" else " "
    parts = (*sentences(own, story.language), *sentences(rest, story.language))
    return joiner.join(sentence.text for sentence in parts)


def _farther(call: Call, view: ModelView, center: int, hops: int, limit: int) -> list[RelationCandidate]:
    """Return the relations of the visible entities around a given one."""
    if hops < 1 or limit < 1:
        return []
    around = neighbourhood(
        view.index.roster,
        view.graph,
        center,
        hops=hops,
        max_nodes=call.limits.max_subgraph_nodes,
        instant=view.instant,
        deadline=call.deadline(),
        admits=view.may_be_told,
    )
    return relation_candidates(view, set(around.nodes) - {center}, limit, with_roles=True)


def entity_called(reader: Reader, call: Call, project_id: str, name: str) -> Entity:
    """Return the entity with this id, name or alias; NotFound if there is none."""
    reader.story(project_id)
    if not name.strip():
        raise InvalidInput("entity must not be blank.", details={"field": "entity"})
    known = reader.entity(project_id, name)
    named = [known] if known else list(reader.entities_named(project_id, [name_key(name)]))
    if not named:
        with call.indexes.lease(reader, project_id) as index:
            owners = {
                str(hit.owner)
                for hit in index.names(reader).find_all(name)
                if hit.kind == "alias" and name_key(hit.term) == name_key(name)
            }
        named = list(reader.entities(project_id, sorted(owners)).values())
    if not named:
        raise NotFound(f"Nobody and nothing in the graph is called '{name}'.", details={"entity": name})
    return named[0]


@operation("graph.relationship.create", role=Role.EDITOR)
def create_relationship(call: Call, request: CreateRelationshipRequest) -> GraphEdge:
    """Create a relation between two nodes."""
    project_id = request.project_id
    with call.store.read() as reader:
        source = _end(reader, call, project_id, request.source_id or request.source, "sourceId")
        target = _end(reader, call, project_id, request.target_id or request.target, "targetId")
    relation = create_relation(
        call,
        project_id=project_id,
        source_entity_id=source,
        target_entity_id=target,
        relation_type=request.type,
        description=request.description,
        properties=_unversioned(request.properties),
        since=request.since,
        until=request.until,
        valid_from=request.valid_from,
        valid_to=request.valid_to,
        told=request.told,
    )
    return edge_of(relation)


class UpdateRelationshipRequest(StoryRequest):
    """A change to a relation."""

    relationship_id: str
    patch: RelationshipPatch


@operation("graph.relationship.update", role=Role.EDITOR)
def update_relationship(call: Call, request: UpdateRelationshipRequest) -> GraphEdge:
    """Change a relation."""
    project_id, relation_id, patch = request.project_id, request.relationship_id, request.patch
    names = {"type": "relation_type"}
    given = {
        names.get(name, name): getattr(patch, name) for name in patch.model_fields_set - {"expected_version"}
    }
    if "properties" in given and patch.properties is not None:
        given["properties"] = _unversioned(patch.properties)
    changed = update_relation(
        call,
        project_id=project_id,
        id=relation_id,
        expected_version=patch.expected_version,
        patch=parsed(RelationPatch, given),
    )
    return edge_of(changed)


class RelationshipRequest(StoryRequest):
    """One relation."""

    relationship_id: str


@operation("graph.relationship.delete", role=Role.EDITOR)
def delete_relationship(call: Call, request: RelationshipRequest) -> None:
    """Delete a relation; its nodes stay."""
    delete_relation(call, project_id=request.project_id, id=request.relationship_id)


def _unversioned(properties: dict[str, Any]) -> dict[str, Any]:
    """Return properties without the version, which is read-only, so that an edge can be sent back as is."""
    return {key: value for key, value in properties.items() if key != "version"}


def _end(reader: Reader, call: Call, project_id: str, given: str | None, field: str) -> str:
    if given is None:
        raise InvalidInput(f"{field} is required.", details={"field": field})
    if reader.entity(project_id, given) is not None:
        return given
    try:
        return entity_called(reader, call, project_id, given).id
    except NotFound:
        return given
