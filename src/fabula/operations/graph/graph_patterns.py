"""Common graph queries: the characters of a chapter, the consequences of an event, a timeline."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.call import Call
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.graph import (
    GraphEdge,
    GraphNode,
    chapter_of_event,
    chapter_of_relation,
    edge_of,
    nodes_of,
)
from fabula.model.relation import Relation
from fabula.model.wire import Value
from fabula.operations.graph.graph_view import CalledBy, CenterNode, center_node, entity_called
from fabula.operations.table import StoryRequest, operation
from fabula.projections import mirror_questions
from fabula.projections.mirror_questions import MirrorGraph, TimelineTurn
from fabula.store.node_facts import node_facts
from fabula.store.reader import Reader

# The maximum length of a chain of events.
MOST_STEPS = 5


class ChapterGraphResponse(Value):
    """The characters located somewhere in a chapter, where they are, and whom they know."""

    chapter: int
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


class ConsequencesResponse(Value):
    """The events that follow an event, the next first, and the relations between them."""

    center_node: CenterNode
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


class TimelineItem(Value):
    """An outgoing relation of an entity and its target; `chapter` is 0 if unknown."""

    chapter: int
    rel_type: str
    edge: GraphEdge
    target: GraphNode


class TimelineResponse(Value):
    """All outgoing relations of an entity, in chapter order."""

    center_node: CenterNode
    items: tuple[TimelineItem, ...]


class ChapterGraphRequest(StoryRequest):
    """The chapter whose graph to show."""

    chapter: ChapterIndex


@operation("graph.chapter", role=Role.READER)
def chapter_graph(call: Call, request: ChapterGraphRequest) -> ChapterGraphResponse:
    """Show who is where in a chapter, and whom they know."""
    project_id, chapter = request.project_id, request.chapter
    if call.mirror is not None:
        found = call.mirror.answer(
            project_id, lambda run: mirror_questions.in_chapter(run, project_id, chapter)
        )
    else:
        with call.store.read() as reader:
            reader.story(project_id)
            with call.indexes.lease(reader, project_id) as index:
                found = _in_chapter(reader, index, chapter)
    return ChapterGraphResponse.trusted(chapter=chapter, nodes=found.nodes, edges=found.edges)


class ConsequencesRequest(StoryRequest):
    """An event, by id, name or alias."""

    event: CalledBy = ""


@operation("graph.consequences", role=Role.READER)
def consequences(call: Call, request: ConsequencesRequest) -> ConsequencesResponse:
    """Show the events that follow a given event, up to five in a chain."""
    project_id, name = request.project_id, request.event
    with call.store.read() as reader:
        event = entity_called(reader, call, project_id, name)
        if call.mirror is None:
            with call.indexes.lease(reader, project_id) as index:
                found = _consequences(reader, index, event)
    if call.mirror is not None:
        found = call.mirror.answer(
            project_id, lambda run: mirror_questions.consequences(run, project_id, event.id, MOST_STEPS)
        )
    return ConsequencesResponse.trusted(center_node=center_node(event), nodes=found.nodes, edges=found.edges)


class TimelineRequest(StoryRequest):
    """An entity, by id, name or alias."""

    entity: CalledBy = ""


@operation("graph.timeline", role=Role.READER)
def timeline(call: Call, request: TimelineRequest) -> TimelineResponse:
    """Show all outgoing relations of an entity in chapter order."""
    project_id, name = request.project_id, request.entity
    with call.store.read() as reader:
        entity = entity_called(reader, call, project_id, name)
        turns = _timeline(reader, entity) if call.mirror is None else ()
    if call.mirror is not None:
        turns = call.mirror.answer(
            project_id, lambda run: mirror_questions.timeline(run, project_id, entity.id)
        )
    items = tuple(
        TimelineItem.trusted(
            chapter=turn.chapter, rel_type=turn.edge.type, edge=turn.edge, target=turn.target
        )
        for turn in turns
    )
    return TimelineResponse.trusted(center_node=center_node(entity), items=items)


def _in_chapter(reader: Reader, index: StoryIndex, chapter: int) -> MirrorGraph:
    stays = _relations(reader, index, "located_at")
    people = _of_type(reader, index, (stay.source_entity_id for stay in stays), "character")
    places = _of_type(reader, index, (stay.target_entity_id for stay in stays), "location")
    stays = [
        stay
        for stay in stays
        if stay.source_entity_id in people
        and stay.target_entity_id in places
        and chapter_of_relation(stay) == chapter
    ]
    present = dict.fromkeys(stay.source_entity_id for stay in stays)
    bonds = [
        bond
        for bond in _relations(reader, index, "knows")
        if bond.source_entity_id in present or bond.target_entity_id in present
    ]
    ends = [end for bond in bonds for end in (bond.source_entity_id, bond.target_entity_id)]
    acquainted = _of_type(reader, index, ends, "character")
    known = [bond for bond in bonds if {bond.source_entity_id, bond.target_entity_id} <= acquainted.keys()]
    return _joined(reader, index, [*stays, *known], present)


def _consequences(reader: Reader, index: StoryIndex, event: Entity) -> MirrorGraph:
    after: dict[str, list[Relation]] = {}
    for relation in _relations(reader, index, "follows"):
        after.setdefault(relation.source_entity_id, []).append(relation)
    walked: dict[str, Relation] = {}
    seen, frontier = {event.id}, [event.id]
    for _ in range(MOST_STEPS):
        steps = [step for key in frontier for step in after.get(key, ())]
        events = _of_type(reader, index, (step.target_entity_id for step in steps), EVENT)
        steps = [step for step in steps if step.target_entity_id in events]
        walked |= {step.id: step for step in steps}
        frontier = [key for key in dict.fromkeys(step.target_entity_id for step in steps) if key not in seen]
        seen.update(frontier)
    return _joined(reader, index, list(walked.values()), [event.id])


def _timeline(reader: Reader, entity: Entity) -> tuple[TimelineTurn, ...]:
    project_id = entity.project_id
    relations = reader.relations_from(project_id, [entity.id])
    targets = reader.entities(project_id, {one.target_entity_id for one in relations})
    nodes = {node.id: node for node in nodes_of(targets.values(), node_facts(reader, project_id, targets))}
    turns = [
        TimelineTurn(_first(one, targets[one.target_entity_id]), edge_of(one), nodes[one.target_entity_id])
        for one in relations
    ]
    return tuple(sorted(turns, key=lambda turn: (turn.chapter, turn.edge.id)))


def _first(relation: Relation, target: Entity) -> int:
    if relation.since is not None:
        return relation.since.chapter
    own = chapter_of_relation(relation)
    if own is None and target.type == EVENT:
        own = chapter_of_event(target)
    return own or 0


def _relations(reader: Reader, index: StoryIndex, kind: str) -> list[Relation]:
    graph = index.graph(reader)
    return index.relations(reader, [link for link in graph.slot_of.values() if graph.types[link] == kind])


def _of_type(reader: Reader, index: StoryIndex, ids: Iterable[str], kind: str) -> dict[str, Entity]:
    slots = dict.fromkeys(index.roster.slot_of[key] for key in ids)
    return {entity.id: entity for entity in index.entities(reader, slots) if entity.type == kind}


def _joined(
    reader: Reader, index: StoryIndex, relations: list[Relation], first: Iterable[str]
) -> MirrorGraph:
    ends = [end for one in relations for end in (one.source_entity_id, one.target_entity_id)]
    slots = [index.roster.slot_of[key] for key in dict.fromkeys([*first, *ends])]
    entities = index.entities(reader, slots)
    facts = node_facts(reader, index.project_id, [entity.id for entity in entities])
    return MirrorGraph(nodes_of(entities, facts), tuple(map(edge_of, relations)))
