"""Builds the roster, the graph and the chronicle, and adds rows of the change log to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.index.adjacency import Adjacency
from fabula.index.chronicle import Chronicle
from fabula.index.images import LEVELS, PRIVATE, instants, instants_of, notes_of
from fabula.index.roster import Roster
from fabula.index.world_dates import scan_dates, world_date_of
from fabula.model.moment import instant_of
from fabula.model.participation import WORD_OF_KIND
from fabula.store.event_reader import scan_levels, scan_roles
from fabula.store.kinds import ENTITY, RELATION
from fabula.store.link_reader import scan_links
from fabula.store.reader import Reader
from fabula.store.scans import scan_entities, scan_relations


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


def built_graph(reader: Reader, project_id: str, roster: Roster) -> Adjacency:
    """The adjacency lists of a story as it is stored."""
    graph, slots = Adjacency(len(roster.ids)), roster.slot_of
    for row in scan_relations(reader, project_id):
        relation_id, source, target, kind, description, properties, *period = row
        notes = notes_of(description, properties)
        graph.put(relation_id, slots[source], slots[target], kind, *instants(*period), notes=notes)
    for link in scan_links(reader, project_id):
        put_link(graph, slots, link._mapping)
    scan_dates(reader, project_id, RELATION, graph.date)
    return graph


def built_chronicle(reader: Reader, project_id: str, roster: Roster) -> Chronicle:
    """The index of the events of a story as they are stored."""
    chronicle, slots = Chronicle(roster), roster.slot_of
    put_roles(chronicle, slots, scan_roles(reader, project_id))
    for event_id, level in scan_levels(reader, project_id):
        chronicle.put_level(slots[event_id], level)
    return chronicle


def built_roster(reader: Reader, project_id: str) -> Roster:
    """The entities of a story as they are stored."""
    roster = Roster()
    for key, level, significance, secrecy, *period in scan_entities(reader, project_id):
        is_private = secrecy == PRIVATE
        roster.put(key, LEVELS[level], significance, *instants(*period), is_private=is_private)
    scan_dates(reader, project_id, ENTITY, roster.date)
    return roster


def put_entity(roster: Roster, entity_id: str, image: Mapping[str, Any]) -> int:
    """Add or update an entity, from a row of the log, and return its slot."""
    level = LEVELS[image["ai_context_level"]]
    is_private = image.get("secrecy") == PRIVATE
    slot = roster.put(entity_id, level, image["significance"], *instants_of(image), is_private=is_private)
    if (date := world_date_of(image)) is not None:
        roster.date(entity_id, date)
    return slot


def put_relation(
    graph: Adjacency, slots: Mapping[str, int], relation_id: str, image: Mapping[str, Any]
) -> None:
    """Add or update a relation, from a row of the log."""
    ends = slots[image["source_entity_id"]], slots[image["target_entity_id"]]
    notes = notes_of(image["description"], image["properties_json"])
    graph.put(relation_id, *ends, image["relation_type"], *instants_of(image), notes=notes)
    if (date := world_date_of(image)) is not None:
        graph.date(relation_id, date)


def absent_at(roster: Roster, graph: Adjacency, instant: int) -> set[str]:
    """The ids of the entities and relations that are not part of the story at an instant."""
    absent = {key for key, slot in roster.slot_of.items() if not roster.is_present(slot, instant)}
    return absent | {key for key, link in graph.slot_of.items() if not graph.is_true(link, instant)}
