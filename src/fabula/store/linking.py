"""Separate relations that are roles or places of events from the others when they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fabula.model.event import EventRole
from fabula.model.participation import (
    KIND_OF_WORD,
    Participation,
    event_of,
    is_place,
    player_of,
    role_of,
)
from fabula.model.relation import Relation
from fabula.store.reader import Reader

Pair = tuple[Relation, Relation]
_FIELDS = tuple(Relation.model_fields)


class Homes(NamedTuple):
    """Where relations are stored: in rows of their own, as new roles, or merged into existing roles."""

    relations: list[Relation]
    roles: list[EventRole]
    united: list[tuple[EventRole, EventRole]]


def told_apart(reader: Reader, project_id: str, relations: Sequence[Relation]) -> Homes:
    """Decide how new relations are stored.

    An entity that already takes part in an event in the same or an unspecified role is not added twice.
    """
    links = [relation for relation in relations if relation.relation_type in KIND_OF_WORD]
    events = _events_of(reader, project_id, links)
    links = [relation for relation in links if event_of(relation) in events]
    if not links:
        return Homes(list(relations), [], [])
    ids = {relation.id for relation in links}
    casts = _Casts(reader, project_id, links)
    for relation in links:
        casts.take(relation)
    rest = [relation for relation in relations if relation.id not in ids]
    return Homes(rest, casts.fresh, list(casts.united.values()))


def moving_house(reader: Reader, project_id: str, pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Separate pairs that keep their kind from those that become a role or cease to be one."""
    words = [after for _, after in pairs if after.relation_type in KIND_OF_WORD]
    events = _events_of(reader, project_id, words)
    staying: list[Pair] = []
    moving: list[Pair] = []
    for before, after in pairs:
        is_link = after.relation_type in KIND_OF_WORD and event_of(after) in events
        is_same = isinstance(before, Participation) == is_link and (
            not is_link or before.relation_type == after.relation_type
        )
        (staying if is_same else moving).append((before, after))
    return staying, [(before, _plain(after)) for before, after in moving]


def _plain(relation: Relation) -> Relation:
    return Relation.trusted(**{name: getattr(relation, name) for name in _FIELDS})


def _events_of(reader: Reader, project_id: str, links: Iterable[Relation]) -> set[str]:
    ids = {event_of(relation) for relation in links}
    return reader.links.events_among(project_id, ids) if ids else set()


class _Casts:
    """The casts of some events, and additions to them."""

    def __init__(self, reader: Reader, project_id: str, links: Sequence[Relation]) -> None:
        self.fresh: list[EventRole] = []
        self.united: dict[str, tuple[EventRole, EventRole]] = {}
        self._names = reader.events.names(project_id, {player_of(link) for link in links})
        self._next: dict[tuple[str, str], int] = {}
        self._roles: dict[tuple[str, str, str], list[EventRole]] = {}
        for role in reader.events.roles(project_id, {event_of(link) for link in links}):
            self._enter(role)

    def _enter(self, role: EventRole) -> None:
        place = (role.event_id, role.kind)
        self._next[place] = max(self._next.get(place, 0), role.ordinal + 1)
        if role.entity_id is not None:
            self._roles.setdefault((*place, role.entity_id), []).append(role)

    def take(self, relation: Relation) -> None:
        """Add a participant or a place to an event."""
        player, event = player_of(relation), event_of(relation)
        place = (event, "place" if is_place(relation) else "role")
        role = role_of(relation, self._names[player], self._next.get(place, 0))
        own = self._roles.get((*place, player), [])
        same = next((known for known in own if _say_the_same(known, role)), None)
        if same is None:
            self._enter(role)
            self.fresh.append(role)
        else:
            self._unite(own, same, role)

    def _unite(self, own: list[EventRole], known: EventRole, other: EventRole) -> None:
        after = united(known, other)
        own[own.index(known)] = after
        if known in self.fresh:
            self.fresh[self.fresh.index(known)] = after
        else:
            before = self.united[known.id][0] if known.id in self.united else known
            self.united[known.id] = (before, after)


def _say_the_same(known: EventRole, other: EventRole) -> bool:
    return known.since == other.since and (known.role == other.role or not (known.role and other.role))


def united(kept: EventRole, other: EventRole) -> EventRole:
    """Merge two roles; the kept one takes precedence."""
    description = kept.description
    if other.description and other.description not in description:
        description = f"{description}\n{other.description}".strip()
    return kept.model_copy(
        update={
            "role": kept.role or other.role,
            "description": description,
            "properties": {**other.properties, **kept.properties},
        }
    )
