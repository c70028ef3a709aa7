"""The graph as columns: what a page needs to draw fifty thousand nodes, and no more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fabula.index.images import instants
from fabula.model.moment import Moment, first_instant
from fabula.model.wire import Value
from fabula.operations.table import Call
from fabula.store.event_reader import scan_roles
from fabula.store.reader import Reader
from fabula.store.scans import scan_arrows, scan_places

TAKES_PART, HAPPENS_AT = "participates_in", "occurs_at"
OPEN = (None, None, None, None)


class PictureNodes(Value):
    """Nodes, one list for each thing that is said of them; `types` are places in the list of types."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[int, ...]
    x: tuple[float | None, ...]
    y: tuple[float | None, ...]
    degrees: tuple[int, ...]


class PictureEdges(Value):
    """Edges in the same way; `sources` and `targets` are places in the lists of nodes."""

    ids: tuple[str, ...]
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    types: tuple[int, ...]


class GraphPicture(Value):
    """A whole graph, or what of it is there at a moment.

    The first `relationCount` edges are relations; those after them say who takes part in which event and
    where it is. `totalNodes` and `totalEdges` count the story at all times.
    """

    revision: int
    types: tuple[str, ...]
    edge_types: tuple[str, ...]
    nodes: PictureNodes
    edges: PictureEdges
    relation_count: int
    total_nodes: int
    total_edges: int
    unplaced: int


def graph_picture(call: Call, project_id: str, moment: Moment | None) -> GraphPicture:
    """Show the graph as columns, at all times or as of a moment."""
    with call.store.read() as reader:
        story = reader.story(project_id)
        rows = list(scan_places(reader, project_id))
        arrows = arrows_of(reader, project_id)
    instant = None if moment is None else first_instant(moment)
    shown = rows if instant is None else [row for row in rows if _is_at(row[5:], instant)]
    place = {row[0]: number for number, row in enumerate(shown)}
    edges: list[tuple[str, int, int, str]] = []
    relation_count = 0
    for edge_id, source, target, kind, is_role, *period in arrows:
        if source in place and target in place and (instant is None or _is_at(period, instant)):
            edges.append((edge_id, place[source], place[target], kind))
            relation_count += not is_role
    types, kinds = _numbered(row[1] for row in shown), _numbered(edge[3] for edge in edges)
    return GraphPicture.trusted(
        revision=story.revision,
        types=tuple(types),
        edge_types=tuple(kinds),
        nodes=PictureNodes.trusted(
            ids=[row[0] for row in shown],
            names=[row[2] for row in shown],
            types=[types[row[1]] for row in shown],
            x=[_rounded(row[3]) for row in shown],
            y=[_rounded(row[4]) for row in shown],
            degrees=_degrees(len(shown), edges),
        ),
        edges=PictureEdges.trusted(
            ids=[edge[0] for edge in edges],
            sources=[edge[1] for edge in edges],
            targets=[edge[2] for edge in edges],
            types=[kinds[edge[3]] for edge in edges],
        ),
        relation_count=relation_count,
        total_nodes=len(rows),
        total_edges=len(arrows),
        unplaced=sum(row[3] is None or row[4] is None for row in shown),
    )


def arrows_of(reader: Reader, project_id: str) -> list[tuple[Any, ...]]:
    """(id, source, target, type, whether it is a role, since and until with their scenes) of every edge.

    What a relation says already is not drawn twice.
    """
    arrows = [(*row[:4], False, *row[4:]) for row in scan_arrows(reader, project_id)]
    roles = sorted(scan_roles(reader, project_id))
    drawn = {arrow[1:4] for arrow in arrows} if roles else set()
    for role_id, event_id, entity_id, kind in roles:
        ends = (event_id, entity_id, HAPPENS_AT) if kind == "place" else (entity_id, event_id, TAKES_PART)
        if ends not in drawn:
            drawn.add(ends)
            arrows.append((role_id, *ends, True, *OPEN))
    return arrows


def _is_at(period: Any, instant: int) -> bool:
    if tuple(period) == OPEN:
        return True
    since, until = instants(*period)
    return since <= instant <= until


def _numbered(words: Iterable[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(sorted(set(words)))}


def _rounded(place: float | None) -> float | None:
    return None if place is None else round(place, 1)


def _degrees(size: int, edges: list[tuple[str, int, int, str]]) -> list[int]:
    ends = np.array([end for edge in edges for end in edge[1:3]], dtype=np.int64)
    degrees: list[int] = np.bincount(ends, minlength=size).tolist()
    return degrees
