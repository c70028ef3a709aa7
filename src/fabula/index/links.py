"""Adds roles and places of events to the chronicle, and to the graph as relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.index.adjacency import Adjacency
from fabula.index.chronicle import Chronicle
from fabula.index.images import instants_of, notes_of
from fabula.index.roster import Roster
from fabula.model.moment import instant_of
from fabula.model.participation import WORD_OF_KIND


def put_link(graph: Adjacency, slots: Mapping[str, int], image: Mapping[str, Any]) -> None:
    """Add a role or place to the graph, from a row of the log or a scan."""
    event, player = slots[image["event_id"]], slots[image["entity_id"]]
    ends = (event, player) if image["kind"] == "place" else (player, event)
    description, properties = image.get("description") or "", image.get("properties_json") or "{}"
    since, until = instants_of(image)
    graph.put(
        image["id"],
        *ends,
        WORD_OF_KIND[image["kind"]],
        since,
        until,
        notes=tuple(word for word in (image["role"], *notes_of(description, properties)) if word),
        is_worded_role=bool(description) or properties != "{}",
    )


def is_plain_role(graph: Adjacency, roster: Roster, link: int) -> bool:
    """Whether a relation is a role or place that adds nothing to the text of its event."""
    is_worded = graph.roles.get(link)
    if is_worded is None or is_worded:
        return False
    is_place = graph.types[link] == WORD_OF_KIND["place"]
    event = graph.sources[link] if is_place else graph.targets[link]
    return graph.since[link] <= roster.since[event]


def put_roles(chronicle: Chronicle, slots: Mapping[str, int], rows: Iterable[Any]) -> None:
    """Add all roles and places to the chronicle: (id, event, entity, kind, start chapter, start scene)."""
    dated: dict[str, int] = {}
    known = []
    for role_id, event_id, entity_id, kind, chapter, scene in rows:
        known.append((role_id, slots[event_id], slots[entity_id], kind == "place"))
        if chapter is not None:
            dated[role_id] = instant_of(chapter, scene or 0)
    chronicle.put_all(known)
    for role_id, since in dated.items():
        chronicle.date(role_id, since)


def put_role(chronicle: Chronicle, slots: Mapping[str, int], image: Mapping[str, Any]) -> None:
    """Add a role or place to the chronicle, from a row of the log."""
    event, slot = slots[image["event_id"]], slots[image["entity_id"]]
    chronicle.put(image["id"], event, slot, is_place=image["kind"] == "place")
    since, _ = instants_of(image)
    if since >= 0:
        chronicle.date(image["id"], since)
