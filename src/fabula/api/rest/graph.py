"""`/stories/{storyId}/graph`: the picture, questions to it, and its relations under both addresses."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Response

from fabula.api.rest.caller import OWNING, Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.model.graph import GraphEdge, edge_of
from fabula.model.job import TaskAccepted
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE, Moment
from fabula.operations.graph import graph_layout, graph_patterns, graph_picture, graph_sync, graph_view
from fabula.operations.graph.graph_layout import GraphLaidOut
from fabula.operations.graph.graph_patterns import GraphOfChapter, GraphOfConsequences, GraphTimeline
from fabula.operations.graph.graph_picture import GraphPicture
from fabula.operations.graph.graph_sync import GraphSyncRequest
from fabula.operations.graph.graph_view import (
    FullGraph,
    GraphAround,
    RelationshipCreate,
    RelationshipPatch,
)
from fabula.operations.graph.relations import KnowledgeRelationListRequest, list_relations
from fabula.projections.mirror import MirrorReport
from fabula.store.page import Page

router = APIRouter(prefix="/stories/{storyId}", tags=["graph"])

ADDRESSES = ("/graph/relationships", "/knowledge-graph/relationships")

ChapterQuery = Annotated[int | None, Query(ge=0, le=MAX_CHAPTER)]
SceneQuery = Annotated[int | None, Query(ge=0, le=MAX_SCENE)]


@router.get("/graph")
def full_graph(call: Caller, storyId: str) -> FullGraph:
    """Show all entities and relations of a story."""
    return graph_view.full_graph(call, storyId)


@router.get("/graph/query")
def query_graph(
    call: Caller,
    storyId: str,
    entity: Annotated[str, Query(max_length=256)] = "",
    depth: Annotated[int, Query(ge=1)] = 2,
    chapter: ChapterQuery = None,
    scene: SceneQuery = None,
) -> GraphAround:
    """Show what is around the entity of a name or alias, as of a chapter if one is given."""
    moment = None if chapter is None else Moment(chapter=chapter, scene=scene)
    return graph_view.graph_around(call, storyId, entity, depth, moment)


@router.get("/graph/chapters/{chapter}")
def graph_of_chapter(
    call: Caller, storyId: str, chapter: Annotated[int, Path(ge=0, le=MAX_CHAPTER)]
) -> GraphOfChapter:
    """Show who is where in a chapter, and whom they know."""
    return graph_patterns.chapter_graph(call, storyId, chapter)


@router.get("/graph/consequences")
def graph_of_consequences(
    call: Caller, storyId: str, event: Annotated[str, Query(max_length=256)] = ""
) -> GraphOfConsequences:
    """Show the events that follow the event of a name, up to five after one another."""
    return graph_patterns.consequences(call, storyId, event)


@router.get("/graph/timeline")
def graph_timeline(
    call: Caller, storyId: str, entity: Annotated[str, Query(max_length=256)] = ""
) -> GraphTimeline:
    """Show everything that begins at the entity of a name, in the order of the chapters."""
    return graph_patterns.timeline(call, storyId, entity)


@router.get("/graph/mirror")
def verify_mirror(call: Caller, storyId: str) -> MirrorReport:
    """Hold the story against its mirror in the graph server, by a sum over everything in both."""
    return graph_sync.verify_mirror(call, storyId)


@router.delete("/graph/mirror", status_code=204, dependencies=[OWNING])
def delete_story_graph(call: Caller, storyId: str) -> Response:
    """Remove the story's mirror from the graph server; the story stays."""
    graph_sync.delete_story_graph(call, storyId)
    return Response(status_code=204)


@router.get("/graph/picture", response_model=GraphPicture)
def draw_graph(
    call: Caller, storyId: str, chapter: ChapterQuery = None, scene: SceneQuery = None
) -> Response:
    """Show the graph as columns, to be drawn: at all times, or as of a chapter if one is given."""
    moment = None if chapter is None else Moment(chapter=chapter, scene=scene)
    picture = graph_picture.graph_picture(call, storyId, moment)
    # A large picture would be checked for a second on its way out, and it was made here.
    return Response(picture.model_dump_json(by_alias=True, warnings=False), media_type="application/json")


@router.post("/graph/layout")
def lay_out_graph(call: Caller, storyId: str) -> GraphLaidOut:
    """Give every entity a place in the picture that has none; the others keep theirs."""
    return graph_layout.lay_out(call, storyId)


@router.post("/graph/sync", status_code=202)
def sync_graph(
    call: Caller, storyId: str, request: Annotated[GraphSyncRequest, Body()] = GraphSyncRequest()
) -> TaskAccepted:
    """Bring the graph up to date in the background."""
    return graph_sync.sync_graph(call, storyId, request)


def create_relationship(call: Caller, storyId: str, request: RelationshipCreate) -> GraphEdge:
    """Relate two nodes."""
    return graph_view.create_relationship(call, storyId, request)


def list_relationships(
    call: Caller, storyId: str, page: PageNumber = 0, size: PageSize = 20
) -> RestPage[GraphEdge]:
    """List relations, the one changed last first."""
    found = list_relations.run(
        call, KnowledgeRelationListRequest(project_id=storyId, limit=size, offset=page * size)
    )
    edges = tuple(map(edge_of, found.items))
    return rest_page(Page(edges, found.total_count), page, size)


def update_relationship(
    call: Caller, storyId: str, relationshipId: str, patch: RelationshipPatch
) -> GraphEdge:
    """Change what is said of a relation."""
    return graph_view.update_relationship(call, storyId, relationshipId, patch)


def delete_relationship(call: Caller, storyId: str, relationshipId: str) -> Response:
    """Delete a relation; its nodes stay."""
    graph_view.delete_relationship(call, storyId, relationshipId)
    return Response(status_code=204)


for _address in ADDRESSES:
    _one = _address + "/{relationshipId}"
    router.add_api_route(_address, create_relationship, methods=["POST"], status_code=201)
    router.add_api_route(_address, list_relationships, methods=["GET"])
    router.add_api_route(_one, update_relationship, methods=["PUT"])
    router.add_api_route(_one, delete_relationship, methods=["DELETE"], status_code=204)
