"""Resolve a name to the entity that has it as its name or alias."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import and_, select

from fabula.store.event_tables import kg_entity_aliases
from fabula.store.querying import Querying
from fabula.store.statement import Statement, listed, within_story
from fabula.store.tables import kg_entities

_ENTITIES, _ALIASES = kg_entities.c, kg_entity_aliases.c
_NAMED = Statement(
    select(_ENTITIES.name_key, _ENTITIES.id, _ENTITIES.type).where(
        within_story(kg_entities), listed(_ENTITIES.name_key)
    )
)
_SAME = and_(_ENTITIES.project_id == _ALIASES.project_id, _ENTITIES.id == _ALIASES.entity_id)
_CALLED = Statement(
    select(_ALIASES.name_key, _ENTITIES.id, _ENTITIES.type)
    .select_from(kg_entity_aliases.join(kg_entities, _SAME))
    .where(within_story(kg_entity_aliases), listed(_ALIASES.name_key))
)


class Bearer(NamedTuple):
    """An entity a name may refer to."""

    id: str
    type: str
    is_name: bool


class Bearers(dict[str, list[Bearer]]):
    """The entities names may refer to, by folded name."""

    def meant_by(self, key: str, *, preferred: str, but_not: str) -> str | None:
        """Return the entity a name refers to unambiguously, or None.

        Names take precedence over aliases; among several matches, the only one of the preferred type counts.
        """
        bearers = [bearer for bearer in self.get(key, ()) if bearer.id != but_not]
        named = [bearer for bearer in bearers if bearer.is_name]
        bearers = named or bearers
        if len(bearers) > 1:
            bearers = [bearer for bearer in bearers if bearer.type == preferred]
        return bearers[0].id if len(bearers) == 1 else None


def bearers_of(reader: Querying, project_id: str, keys: Collection[str]) -> Bearers:
    """Return the entities with one of these folded names as name or alias."""
    found = Bearers()
    if not keys:
        return found
    for statement, is_name in ((_NAMED, True), (_CALLED, False)):
        for key, entity_id, kind in reader.fetch(statement, story=project_id, listed=keys):
            found.setdefault(key, []).append(Bearer(entity_id, kind, is_name))
    return found


def ids_named(reader: Querying, project_id: str, keys: Collection[str]) -> dict[tuple[str, str], str]:
    """Return the entities with these folded names, by type and folded name; aliases do not count."""
    found = reader.fetch(_NAMED, story=project_id, listed=keys)
    return {(kind, key): entity_id for key, entity_id, kind in found}


def ids_called(reader: Querying, project_id: str, keys: Iterable[str]) -> set[str]:
    """Return the ids of all entities with one of these folded names or aliases."""
    found = bearers_of(reader, project_id, set(keys))
    return {bearer.id for bearers in found.values() for bearer in bearers}
