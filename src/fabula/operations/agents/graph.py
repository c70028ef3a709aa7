"""Graph queries for agents: the surroundings of an entity, and paths between two."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.open_types import open_type
from fabula.context.told_relations import ToldRelation, told_relations
from fabula.errors import SubgraphKExceeded
from fabula.index.walks import neighbourhood, route
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.entity import Entity
from fabula.model.wire import Id, Name, Value
from fabula.operations.agents.audience import asked_for, heard_of, listening, told_aliases
from fabula.operations.table import StoryRequest, operation

MOST_NODES = 500

EntityRef = Annotated[Id | Name, Field(description="An id, a name or an alias.")]


class ToldNode(Value):
    """An entity in short form."""

    id: str
    type: str
    name: str
    aliases: tuple[str, ...]


class TellSubgraphRequest(AsOf, StoryRequest):
    """The entity whose surroundings to show, and how far they extend."""

    entity: EntityRef
    depth: Annotated[int, Field(ge=1, description="Hops to go; a story has its limit, usually 3.")] = 1
    max_nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] = 50


class TellSubgraphResponse(Value):
    """The entities around a given one, nearest first; `truncated` if there are more than requested."""

    center: ToldNode
    nodes: tuple[ToldNode, ...]
    relations: tuple[ToldRelation, ...]
    truncated: bool


class TellPathRequest(AsOf, StoryRequest):
    """The two ends of a path."""

    source: EntityRef
    target: EntityRef


class PathStep(Value):
    """One step of a path, with the relations between its two entities."""

    source: ToldNode
    target: ToldNode
    relations: tuple[ToldRelation, ...]


class TellPathResponse(Value):
    """A shortest path; `found` is false if there is none, `degraded` if the search was abandoned."""

    found: bool
    length: int
    steps: tuple[PathStep, ...]
    degraded: bool


@operation("agent.graph.subgraph", role=Role.READER, audience="model")
def told_subgraph(call: Call, request: TellSubgraphRequest) -> TellSubgraphResponse:
    """Show the entities around a given one, following only what an agent may see."""
    project_id = request.project_id
    if request.depth > call.limits.max_subgraph_k:
        raise SubgraphKExceeded(
            f"A subgraph may reach {call.limits.max_subgraph_k} hops, not {request.depth}.",
            details={"maxK": call.limits.max_subgraph_k, "requestedK": request.depth},
        )
    with listening(call, project_id, request.moment) as at:
        view, slot, center = asked_for(at, request.entity)
        deadline = call.deadline()
        found = neighbourhood(
            view.index.roster,
            view.graph,
            slot,
            hops=request.depth,
            max_nodes=request.max_nodes,
            instant=view.instant,
            deadline=deadline,
            admits=_admits(view),
        )
        people = heard_of(view, list(found.nodes))
        relations = told_relations(view, found.links, people)
        leaders = heard_of(view, list(dict.fromkeys(map(view.leader, people))))
        nodes = tuple(told_node(view, entity) for entity in leaders.values())
        middle = told_node(view, center)
    deadline.check(len(nodes))
    return TellSubgraphResponse(center=middle, nodes=nodes, relations=relations, truncated=found.truncated)


@operation("agent.graph.path", role=Role.READER, audience="model")
def told_path(call: Call, request: TellPathRequest) -> TellPathResponse:
    """Find a shortest path between two entities, following only what an agent may see."""
    project_id = request.project_id
    with listening(call, project_id, request.moment) as at:
        view, source, _ = asked_for(at, request.source)
        view, target, _ = asked_for(view, request.target)
        graph = view.graph
        found = route(
            view.index.roster,
            graph,
            source,
            target,
            directed=False,
            max_expansions=call.limits.max_path_expansions,
            instant=view.instant,
            deadline=call.deadline(),
            admits=_admits(view),
        )
        people = heard_of(view, list(found.nodes))
        steps = []
        for one, other in pairwise(found.nodes):
            links = sorted({link for peer, link in graph.steps(one, view.instant) if peer == other})
            between = told_relations(view, links, people)
            ends = (told_node(view, people[end]) for end in (one, other))
            steps.append(PathStep(**dict(zip(("source", "target"), ends, strict=True)), relations=between))
    return TellPathResponse(
        found=bool(found.nodes), length=len(steps), steps=tuple(steps), degraded=found.degraded
    )


def _admits(view: ModelView) -> Callable[[int], bool]:
    """Return a cached predicate that says whether a traversal may visit an entity."""
    tellable = view.tellable()
    known: dict[int, bool] = {}

    def admits(slot: int) -> bool:
        if slot not in known:
            known[slot] = bool(tellable[slot]) and bool(heard_of(view, [slot]))
        return known[slot]

    return admits


def told_node(view: ModelView, entity: Entity) -> ToldNode:
    """Return an entity in short form, with its open names only."""
    return ToldNode(
        id=entity.id, type=open_type(view, entity.type), name=entity.name, aliases=told_aliases(view, entity)
    )
