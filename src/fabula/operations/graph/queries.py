"""Graph queries: subgraphs, paths, cycles, and entities by id."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon.scope import refuse_foreign
from fabula.context.point_of_view import Pov
from fabula.context.seen_graph import author_view, refuse_unknown, seen_entities, seen_relations
from fabula.errors import NotFound, SubgraphKExceeded
from fabula.index.roster import Roster
from fabula.index.walks import find_cycles, neighbourhood, route
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.moment import Moment, first_instant
from fabula.model.ontology import relation_type
from fabula.model.relation import Relation
from fabula.model.wire import Id, RelationWord, Value
from fabula.operations.table import Request, operation
from fabula.store.reader import Reader

MAX_CYCLES = 1000


class KnowledgeQuerySubgraphResponse(Value):
    """The entities within k hops, nearest first, and the relations among them."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    node_count: int
    edge_count: int
    query_cost_ms: float
    truncated: bool


class KnowledgeQuerySubgraphRequest(Request[KnowledgeQuerySubgraphResponse]):
    """The surroundings of an entity; with `asOf` only what is true at that moment."""

    center_entity_id: Id
    k: Annotated[int, Field(ge=1, strict=True)] = 1
    max_nodes: Annotated[int | None, Field(default=None, ge=1, le=50_000, strict=True)]
    as_of: Annotated[Moment | None, Field(default=None)]
    pov: Pov = None


class KnowledgeQueryPathResponse(Value):
    """The entities on a shortest path, both ends included; empty if there is none or if `degraded`."""

    path_entity_ids: tuple[str, ...]
    expansions: int
    degraded: bool
    query_cost_ms: float


class KnowledgeQueryPathRequest(Request[KnowledgeQueryPathResponse]):
    """The two ends of a path; relations count in both directions unless `directed`."""

    source_entity_id: Id
    target_entity_id: Id
    directed: Annotated[bool, Field(strict=True)] = False
    as_of: Annotated[Moment | None, Field(default=None)]
    pov: Pov = None


class KnowledgeQueryValidateResponse(Value):
    """One cycle per strongly connected component: ids along the relations, the first repeated at the end."""

    cycles: tuple[tuple[str, ...], ...]
    component_count: int
    truncated: bool
    entity_count: int
    relation_count: int
    query_cost_ms: float


class KnowledgeQueryValidateRequest(Request[KnowledgeQueryValidateResponse]):
    """Which cycles to find: of all relation types or of some."""

    relation_types: Annotated[tuple[RelationWord, ...] | None, Field(default=None, max_length=1000)]


class KnowledgeQueryByIdsResponse(Value):
    """The entities in request order; unknown ids are left out."""

    items: tuple[Entity, ...]


class KnowledgeQueryByIdsRequest(Request[KnowledgeQueryByIdsResponse]):
    """Entities by their ids."""

    entity_ids: Annotated[tuple[Id, ...], Field(max_length=1000)]


@operation("query.subgraph", role=Role.READER, channel="knowledge:query:subgraph")
def query_subgraph(call: Call, request: KnowledgeQuerySubgraphRequest) -> KnowledgeQuerySubgraphResponse:
    """Show all entities within k hops of a given one, in either direction."""
    refuse_far(call, request.k)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        center = _slot(reader, index.roster, request.project_id, request.center_entity_id)
        deadline = call.deadline()
        view = author_view(reader, index, _instant(request.as_of), request.pov, deadline)
        refuse_unknown(view, center, request.center_entity_id)
        found = neighbourhood(
            index.roster,
            view.graph,
            center,
            hops=request.k,
            max_nodes=request.max_nodes or call.limits.max_subgraph_nodes,
            instant=view.instant,
            deadline=deadline,
            admits=None if view.pov is None else view.may_be_told,
        )
        entities = seen_entities(view, found.nodes)
        relations = seen_relations(view, found.links)
    deadline.check(len(entities))
    return KnowledgeQuerySubgraphResponse.trusted(
        entities=tuple(entities),
        relations=tuple(relations),
        node_count=len(entities),
        edge_count=len(relations),
        query_cost_ms=deadline.elapsed_ms(),
        truncated=found.truncated,
    )


@operation("query.path", role=Role.READER, channel="knowledge:query:path")
def query_path(call: Call, request: KnowledgeQueryPathRequest) -> KnowledgeQueryPathResponse:
    """Find a shortest path from one entity to another."""
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        source = _slot(reader, index.roster, request.project_id, request.source_entity_id)
        target = _slot(reader, index.roster, request.project_id, request.target_entity_id)
        deadline = call.deadline()
        view = author_view(reader, index, _instant(request.as_of), request.pov, deadline)
        refuse_unknown(view, source, request.source_entity_id)
        refuse_unknown(view, target, request.target_entity_id)
        found = route(
            index.roster,
            view.graph,
            source,
            target,
            directed=request.directed,
            max_expansions=call.limits.max_path_expansions,
            instant=view.instant,
            deadline=deadline,
            admits=None if view.pov is None else view.may_be_told,
        )
        ids = tuple(index.roster.ids[node] for node in found.nodes)
    return KnowledgeQueryPathResponse(
        path_entity_ids=ids,
        expansions=found.expansions,
        degraded=found.degraded,
        query_cost_ms=deadline.elapsed_ms(),
    )


@operation("query.validate", role=Role.READER, channel="knowledge:query:validate")
def query_validate(call: Call, request: KnowledgeQueryValidateRequest) -> KnowledgeQueryValidateResponse:
    """Find the cycles in the graph; a cycle is a result, never an error."""
    types = None if request.relation_types is None else {relation_type(w) for w in request.relation_types}
    with call.store.read() as reader:
        reader.story(request.project_id)
        with call.indexes.lease(reader, request.project_id) as index:
            graph = index.graph(reader)
            deadline = call.deadline()
            found = find_cycles(index.roster, graph, types=types, limit=MAX_CYCLES, deadline=deadline)
            ids = index.roster.ids
            cycles = tuple(tuple(ids[node] for node in cycle) for cycle in found.cycles)
            entity_count, relation_count = len(index.roster), len(graph)
    return KnowledgeQueryValidateResponse(
        cycles=cycles,
        component_count=found.components,
        truncated=found.components > len(cycles),
        entity_count=entity_count,
        relation_count=relation_count,
        query_cost_ms=deadline.elapsed_ms(),
    )


@operation("query.byids", role=Role.READER, channel="knowledge:query:byids")
def query_byids(call: Call, request: KnowledgeQueryByIdsRequest) -> KnowledgeQueryByIdsResponse:
    """Read several entities at once; ids of another story are refused."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        found = reader.entities(request.project_id, request.entity_ids)
        refuse_foreign(reader, request.project_id, [key for key in request.entity_ids if key not in found])
    items = tuple(found[key] for key in dict.fromkeys(request.entity_ids) if key in found)
    return KnowledgeQueryByIdsResponse.trusted(items=items)


def refuse_far(call: Call, hops: int) -> None:
    """Refuse a subgraph of more hops than the settings allow."""
    if hops > call.limits.max_subgraph_k:
        raise SubgraphKExceeded(
            f"A subgraph may reach {call.limits.max_subgraph_k} hops, not {hops}.",
            details={"maxK": call.limits.max_subgraph_k, "requestedK": hops},
        )


def _instant(moment: Moment | None) -> int | None:
    return None if moment is None else first_instant(moment)


def _slot(reader: Reader, roster: Roster, project_id: str, entity_id: str) -> int:
    slot = roster.slot_of.get(entity_id)
    if slot is None:
        reader.story(project_id)
        refuse_foreign(reader, project_id, [entity_id])
        raise NotFound(f"There is no entity '{entity_id}' in this story.", details={"id": entity_id})
    return slot
