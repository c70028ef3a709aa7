"""The graph in columns: just what a page needs to draw fifty thousand nodes."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

import numpy as np

from fabula.call import Call
from fabula.index.images import instants
from fabula.index.links import absent_at
from fabula.index.world_dates import is_world_dated
from fabula.model.account import Role
from fabula.model.moment import Moment, first_instant
from fabula.model.participation import WORD_OF_KIND
from fabula.model.wire import Value
from fabula.operations.graph.implicit_ties import ImplicitTie, implicit_ties
from fabula.operations.graph.namings import PictureNamings, namings
from fabula.operations.table import StoryRequest, operation
from fabula.store.event_reader import scan_roles
from fabula.store.reader import Reader
from fabula.store.scans import Plain, scan_arrows, scan_periods, scan_places


class PictureNodes(Value):
    """Nodes in columns; `types` are indexes into the list of types."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[int, ...]
    x: tuple[float | None, ...]
    y: tuple[float | None, ...]
    degrees: tuple[int, ...]


class PictureEdges(Value):
    """Edges in columns; `sources` and `targets` are indexes into the node columns."""

    ids: tuple[str, ...]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    types: tuple[int, ...]


class GraphPictureResponse(Value):
    """The whole graph, or the part of it that exists at a moment.

    `totalNodes` and `totalEdges` count the whole story. `implicit` has ties that
    nobody states: characters who share scenes; `named` says how the manuscript names the nodes.
    """

    revision: int
    types: tuple[str, ...]
    edge_types: tuple[str, ...]
    nodes: PictureNodes
    edges: PictureEdges
    total_nodes: int
    total_edges: int
    unplaced: int
    implicit: tuple[ImplicitTie, ...] = ()
    named: PictureNamings | None = None


class GraphPictureRequest(StoryRequest):
    """The moment to show, or none for all times; with `implicit` also what only the manuscript says."""

    as_of: Moment | None = None
    implicit: bool = False


@operation("graph.picture", role=Role.READER)
def graph_picture(call: Call, request: GraphPictureRequest) -> GraphPictureResponse:
    """Show the graph in columns, at all times or as of a moment."""
    project_id, moment = request.project_id, request.as_of
    with call.store.read() as reader:
        story = reader.story(project_id)
        rows = scan_places(reader, project_id)
        arrows = arrows_of(reader, project_id)
        absent = set() if moment is None else _absent(call, reader, project_id, moment)
        instant = None if moment is None else first_instant(moment)
        shared = implicit_ties(call, reader, project_id, instant) if request.implicit else ()
        rows, found = [row for row in rows if row[0] not in absent], len(rows)
        nodes = [(row[0], row[1]) for row in rows]
        named = namings(call, reader, project_id, instant, nodes) if request.implicit else None
    totals = found, len(arrows)
    if absent:
        arrows = [arrow for arrow in arrows if absent.isdisjoint(arrow[:3])]
    place = {row[0]: number for number, row in enumerate(rows)}
    types, kinds = _numbered(row[1] for row in rows), _numbered(arrow[3] for arrow in arrows)
    sources, targets = [place[arrow[1]] for arrow in arrows], [place[arrow[2]] for arrow in arrows]
    return GraphPictureResponse.trusted(
        revision=story.revision,
        types=tuple(types),
        edge_types=tuple(kinds),
        nodes=PictureNodes.trusted(
            ids=[row[0] for row in rows],
            names=[row[2] for row in rows],
            types=[types[row[1]] for row in rows],
            x=[row[3] for row in rows],
            y=[row[4] for row in rows],
            degrees=_degrees(len(rows), sources, targets),
        ),
        edges=PictureEdges.trusted(
            ids=[arrow[0] for arrow in arrows],
            sources=sources,
            targets=targets,
            types=[kinds[arrow[3]] for arrow in arrows],
        ),
        total_nodes=totals[0],
        total_edges=totals[1],
        unplaced=sum(row[3] is None or row[4] is None for row in rows),
        implicit=[tie for tie in shared if tie.source_id in place and tie.target_id in place],
        named=named,
    )


def arrows_of(reader: Reader, project_id: str) -> Plain:
    """Return (id, source, target, type) of every edge, including roles in events and their places."""
    arrows = scan_arrows(reader, project_id)
    for role_id, event_id, entity_id, kind, *_ in sorted(scan_roles(reader, project_id), key=itemgetter(0)):
        ends = (event_id, entity_id) if kind == "place" else (entity_id, event_id)
        arrows.append((role_id, *ends, WORD_OF_KIND[kind]))
    return arrows


def _absent(call: Call, reader: Reader, project_id: str, moment: Moment) -> set[str]:
    """Return the entities and relations that do not exist yet or no longer exist at a moment."""
    instant, absent = first_instant(moment), set()
    if is_world_dated(reader, project_id):
        with call.indexes.lease(reader, project_id) as index:
            return absent_at(index.roster, index.graph(reader), instant)
    for key, *period in scan_periods(reader, project_id):
        since, until = instants(*period)
        if not since <= instant <= until:
            absent.add(key)
    return absent


def _numbered(words: Iterable[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(sorted(set(words)))}


def _degrees(size: int, sources: list[int], targets: list[int]) -> list[int]:
    degrees: list[int] = np.bincount(np.array(sources + targets, dtype=np.int64), minlength=size).tolist()
    return degrees
