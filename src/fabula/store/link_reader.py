"""Read participations in events, and their places, as relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select

from fabula.model.event import EVENT
from fabula.model.participation import KIND_OF_WORD, Participation
from fabula.store.event_rows import participation_from_row
from fabula.store.event_tables import kg_event_roles
from fabula.store.querying import Querying
from fabula.store.statement import Statement, listed, within_story
from fabula.store.tables import kg_entities

_ROLES = kg_event_roles.c
_EVENTS = kg_entities.c
_JOINED = kg_event_roles.join(
    kg_entities, and_(_EVENTS.project_id == _ROLES.project_id, _EVENTS.id == _ROLES.event_id)
)
_ROW = (*_ROLES, _EVENTS.version, _EVENTS.created_at, _EVENTS.updated_at)
AT_A_TIME = 1_000


def _links(*conditions: ColumnElement[bool]) -> Statement:
    bound = (within_story(kg_event_roles), _ROLES.entity_id.is_not(None))
    return Statement(select(*_ROW).select_from(_JOINED).where(*bound, *conditions))


_BY_ID = _links(listed(_ROLES.id))
_OF_PLAYER = _links(listed(_ROLES.entity_id))
_OF_EVENT = _links(listed(_ROLES.event_id))
_ROLES_OF_PLAYER = _links(listed(_ROLES.entity_id), _ROLES.kind == "role")
_PLACES_OF_EVENT = _links(listed(_ROLES.event_id), _ROLES.kind == "place")
_BETWEEN = _links(
    or_(
        *(
            and_(
                _ROLES.event_id == bindparam(event),
                _ROLES.entity_id == bindparam(player),
                _ROLES.kind == kind,
            )
            for event, player, kind in (("target", "source", "role"), ("source", "target", "place"))
        )
    )
)
_EVENTS_AMONG = Statement(
    select(_EVENTS.id).where(within_story(kg_entities), _EVENTS.type == EVENT, listed(_EVENTS.id))
)


class LinkReader(Querying):
    """Reads the roles bound to entities, in all stories."""

    def of_ids(self, project_id: str, ids: Iterable[str]) -> dict[str, Participation]:
        """Return the participations with these ids."""
        found = self._found(_BY_ID, project_id, listed=ids)
        return {one.id: one for one in found}

    def at(self, project_id: str, entity_ids: Iterable[str]) -> list[Participation]:
        """Return the participations that start or end at one of the entities."""
        wanted = list(entity_ids)
        sides = (self._found(side, project_id, listed=wanted) for side in (_OF_PLAYER, _OF_EVENT))
        found = {one.id: one for side in sides for one in side}
        return list(found.values())

    def beginning_at(self, project_id: str, sources: Iterable[str]) -> list[Participation]:
        """Return the participations that start at one of the entities."""
        wanted = list(sources)
        people = self._found(_ROLES_OF_PLAYER, project_id, listed=wanted)
        places = self._found(_PLACES_OF_EVENT, project_id, listed=wanted)
        return people + places

    def between(self, project_id: str, source: str, target: str) -> list[Participation]:
        """Return the participations from one entity to another."""
        return self._found(_BETWEEN, project_id, source=source, target=target)

    def newest(
        self, project_id: str, word: str | None, source: str | None, target: str | None, limit: int
    ) -> tuple[list[tuple[str, str]], int]:
        """Return (time of the event's last change, id), newest first, up to the limit, and the total."""
        conditions = [*_bound(project_id), *_kind(word), *_ends(source, target)]
        query = select(_EVENTS.updated_at, _ROLES.id).select_from(_JOINED).where(*conditions)
        ordered = query.order_by(_EVENTS.updated_at.desc(), _ROLES.id).limit(limit)
        found = [(row[0], row[1]) for row in self.connection.execute(ordered)]
        total: int = self.scalar(select(func.count()).select_from(kg_event_roles).where(*conditions))
        return found, total

    def every(self, project_id: str) -> Iterator[Participation]:
        """Yield all participations of a story, in batches."""
        query = select(*_ROW).select_from(_JOINED).where(*_bound(project_id)).order_by(_ROLES.id)
        with self.connection.execute(query, execution_options={"yield_per": AT_A_TIME}) as result:
            names = tuple(result.keys())
            for row in result:
                yield participation_from_row(dict(zip(names, row, strict=True)))

    def events_among(self, project_id: str, ids: Iterable[str]) -> set[str]:
        """Return which of the entities are events."""
        return {row[0] for row in self.fetch(_EVENTS_AMONG, story=project_id, listed=ids)}

    def _found(self, chosen: Statement, project_id: str, **given: Any) -> list[Participation]:
        return list(map(participation_from_row, self.fetch_rows(chosen, story=project_id, **given)))


def scan_links(reader: Querying, project_id: str) -> Iterable[Any]:
    """Return every role bound to an entity, with all columns the graph needs."""
    names = ("id", "event_id", "entity_id", "kind", "role", "description", "properties_json")
    period = ("since_chapter", "since_scene", "until_chapter", "until_scene")
    return reader.connection.execute(
        select(*(_ROLES[name] for name in (*names, *period))).where(*_bound(project_id))
    )


def _bound(project_id: str) -> tuple[ColumnElement[bool], ...]:
    return _ROLES.project_id == project_id, _ROLES.entity_id.is_not(None)


def _kind(word: str | None) -> list[ColumnElement[bool]]:
    return [] if word is None else [_ROLES.kind == KIND_OF_WORD[word]]


def _ends(source: str | None, target: str | None) -> Iterator[ColumnElement[bool]]:
    for end, first, second in ((source, "role", "place"), (target, "place", "role")):
        if end is not None:
            yield or_(
                and_(_ROLES.kind == first, _ROLES.entity_id == end),
                and_(_ROLES.kind == second, _ROLES.event_id == end),
            )
