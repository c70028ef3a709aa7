"""`/stories/{storyId}/graph`: the graph, queries on it, and its relations under both addresses."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Response

from fabula.api.rest.route import JSON, Route, routes
from fabula.model.graph import GraphEdge, edge_of
from fabula.operations.graph import graph_layout, graph_patterns, graph_picture, graph_sync, graph_view
from fabula.operations.graph.graph_picture import GraphPictureResponse
from fabula.operations.graph.relations import KnowledgeRelationListResponse, list_relations
from fabula.store.page import Page

ADDRESSES = ("/graph/relationships", "/knowledge-graph/relationships")


def _drawn(picture: GraphPictureResponse) -> Response:
    # The columns of a large graph are lists of another type than declared; checking each is not worth it.
    return Response(picture.model_dump_json(by_alias=True, warnings=False), media_type=JSON)


def _edges(found: KnowledgeRelationListResponse) -> Page[GraphEdge]:
    return Page(tuple(map(edge_of, found.items)), found.total_count)


def _relationships(address: str) -> Iterator[Route]:
    one, hidden = address + "/{relationshipId}", frozenset({"filter"})
    yield Route("POST", address, graph_view.create_relationship, status=201)
    yield Route(
        "GET",
        address,
        list_relations,
        pages=GraphEdge,
        gives=_edges,
        hidden=hidden,
        name="list_relationships",
    )
    yield Route("PUT", one, graph_view.update_relationship, body="patch")
    yield Route("DELETE", one, graph_view.delete_relationship)


router = routes(
    "/stories/{storyId}",
    "graph",
    (
        Route("GET", "/graph", graph_view.full_graph),
        Route("GET", "/graph/query", graph_view.graph_around, name="query_graph"),
        Route("GET", "/graph/chapters/{chapter}", graph_patterns.chapter_graph, name="graph_of_chapter"),
        Route("GET", "/graph/consequences", graph_patterns.consequences, name="graph_of_consequences"),
        Route("GET", "/graph/timeline", graph_patterns.timeline, name="graph_timeline"),
        Route("GET", "/graph/mirror", graph_sync.verify_mirror),
        Route("DELETE", "/graph/mirror", graph_sync.delete_story_graph),
        Route("GET", "/graph/picture", graph_picture.graph_picture, gives=_drawn, name="draw_graph"),
        Route("POST", "/graph/layout", graph_layout.lay_out, name="lay_out_graph"),
        Route("POST", "/graph/sync", graph_sync.sync_graph, status=202, optional_body=True),
        *(route for address in ADDRESSES for route in _relationships(address)),
    ),
)
