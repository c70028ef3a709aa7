"""Read events: their rows, participants, pending names, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, case, exists, func, literal, or_, select

from fabula.model.entity import Entity
from fabula.model.event import EVENT, Event, EventRole, Part, PendingRelation, outcome_of
from fabula.model.moment import MAX_SCENE, Moment, first_instant, last_instant
from fabula.model.names import name_key
from fabula.store.dialect import Number, any_of
from fabula.store.event_rows import event_from_row, pending_from_row, role_from_row
from fabula.store.event_tables import kg_event_roles, kg_events, kg_pending_relations
from fabula.store.graph_rows import entity_from_row
from fabula.store.page import Page
from fabula.store.querying import Querying
from fabula.store.statement import Statement, listed, rows_by, within_story
from fabula.store.tables import kg_entities

_IN_ORDER = (
    kg_event_roles.c.event_id,
    kg_event_roles.c.kind,
    kg_event_roles.c.ordinal,
    kg_event_roles.c.id,
)
_EVENTS = rows_by(kg_events.c.id)
_ANCHORS = Statement(
    select(kg_events.c.id, kg_events.c.time_anchor).where(
        within_story(kg_events), kg_events.c.time_anchor != "", listed(kg_events.c.id)
    )
)
_ROLES = rows_by(kg_event_roles.c.event_id, *_IN_ORDER)
_ROLES_PLAYED = rows_by(kg_event_roles.c.entity_id, *_IN_ORDER)
_ROLES_WAITING = rows_by(kg_event_roles.c.name_key, *_IN_ORDER)
_EVENTS_OF = Statement(
    select(kg_event_roles.c.event_id).where(within_story(kg_event_roles), listed(kg_event_roles.c.entity_id))
)
_PENDING_OF = rows_by(kg_pending_relations.c.source_entity_id, kg_pending_relations.c.id)
_PENDING_WAITING = rows_by(kg_pending_relations.c.name_key, kg_pending_relations.c.id)
_PENDING = rows_by(kg_pending_relations.c.id, kg_pending_relations.c.id)
_PENDING_OF_TYPES = rows_by(kg_pending_relations.c.relation_type, kg_pending_relations.c.id)
_NAMES, _TEXTS = (
    Statement(select(kg_entities.c.id, column).where(within_story(kg_entities), listed(kg_entities.c.id)))
    for column in (kg_entities.c.name, kg_entities.c.prompt_text)
)
IS_WAITED_FOR = or_(
    *(
        exists().where(within_story(table), table.c.name_key >= "")
        for table in (kg_event_roles, kg_pending_relations)
    )
)
_WAITED_FOR = Statement(select(IS_WAITED_FOR.label("is_waited_for")))


@dataclass(frozen=True, slots=True)
class EventFilter:
    """The filter of a list of events; `keyword` searches all their texts.

    Unresolved roles and places are matched by `cast_name` and `place_name`.
    """

    cast_ids: frozenset[str] | None = None
    cast_name: str | None = None
    place_ids: frozenset[str] | None = None
    place_name: str | None = None
    since: Moment | None = None
    until: Moment | None = None
    level: int | None = None
    keyword: str | None = None


class EventReader(Querying):
    """Reads the events of all stories."""

    def event(self, project_id: str, event_id: str) -> Event | None:
        """Return an event's own fields, besides those of its entity."""
        return self.rows(project_id, [event_id]).get(event_id)

    def rows(self, project_id: str, ids: Iterable[str]) -> dict[str, Event]:
        """Return the fields of several events by id, without those that have no row."""
        rows = self.fetch_rows(_EVENTS, story=project_id, listed=ids)
        return {row["id"]: event_from_row(row) for row in rows}

    def anchors(self, project_id: str, ids: Iterable[str] | None = None) -> dict[str, str]:
        """Return when these events happen, or all, in the story's own words, if stated."""
        if ids is not None:
            return dict(self.fetch(_ANCHORS, story=project_id, listed=ids))
        own = kg_events.c
        query = select(own.id, own.time_anchor).where(own.project_id == project_id, own.time_anchor != "")
        return {row[0]: row[1] for row in self.connection.execute(query)}

    def all_ids(self, project_id: str) -> list[str]:
        """Return the ids of all events that have a row."""
        query = select(kg_events.c.id).where(kg_events.c.project_id == project_id)
        return list(self.connection.execute(query).scalars())

    def roles(self, project_id: str, event_ids: Iterable[str]) -> tuple[EventRole, ...]:
        """Return the participants and places of these events, in their order."""
        return self._roles(_ROLES, project_id, event_ids)

    def roles_played(self, project_id: str, entity_ids: Iterable[str]) -> tuple[EventRole, ...]:
        """Return the roles of these entities in events, as participants or places."""
        return self._roles(_ROLES_PLAYED, project_id, entity_ids)

    def bound_count(self, project_id: str) -> int:
        """Return the number of roles bound to an entity."""
        own = kg_event_roles.c
        return self.count(kg_event_roles, [own.project_id == project_id, own.entity_id.is_not(None)])

    def roles_waiting(self, project_id: str, keys: Iterable[str]) -> tuple[EventRole, ...]:
        """Return the unresolved roles with one of these folded names."""
        return self._roles(_ROLES_WAITING, project_id, keys)

    def event_ids_of(self, project_id: str, entity_ids: Iterable[str]) -> set[str]:
        """Return the events in which these entities take part, or that happen there."""
        return {row[0] for row in self.fetch(_EVENTS_OF, story=project_id, listed=entity_ids)}

    def is_waited_for(self, project_id: str) -> bool:
        """Whether any role or relation is waiting for a name."""
        return bool(self.fetch(_WAITED_FOR, story=project_id)[0][0])

    def pending_of(self, project_id: str, source_ids: Iterable[str]) -> tuple[PendingRelation, ...]:
        """Return the relations of these entities whose target is unresolved."""
        return self._pending(_PENDING_OF, project_id, source_ids)

    def pending_waiting(self, project_id: str, keys: Iterable[str]) -> tuple[PendingRelation, ...]:
        """Return the unresolved relations with one of these folded target names."""
        return self._pending(_PENDING_WAITING, project_id, keys)

    def pending(self, project_id: str, ids: Iterable[str]) -> tuple[PendingRelation, ...]:
        """Return the unresolved relations with these ids."""
        return self._pending(_PENDING, project_id, ids)

    def pending_of_types(self, project_id: str, types: Iterable[str]) -> tuple[PendingRelation, ...]:
        """Return the unresolved relations of these types."""
        return self._pending(_PENDING_OF_TYPES, project_id, types)

    def page(self, project_id: str, wanted: EventFilter, limit: int, offset: int) -> Page[Entity]:
        """Return a page of the events as entities, in story order, the most significant first."""
        entities = kg_entities
        joined = entities.outerjoin(
            kg_events,
            and_(kg_events.c.project_id == entities.c.project_id, kg_events.c.id == entities.c.id),
        )
        # Few events have a given role: the search should start with these, not with all events.
        is_linked = wanted.cast_ids is not None or wanted.place_ids is not None
        kind = entities.c.type.concat("") if is_linked else entities.c.type
        conditions = [entities.c.project_id == project_id, kind == EVENT, *_conditions(project_id, wanted)]
        total: int = self.scalar(select(func.count()).select_from(joined).where(*conditions))
        rows = self.all(
            select(entities)
            .select_from(joined)
            .where(*conditions)
            .order_by(_instant, entities.c.significance.desc(), entities.c.id)
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(map(entity_from_row, rows)), total)

    def texts(self, project_id: str, ids: Iterable[str]) -> dict[str, str]:
        """Return the prompt texts of these entities."""
        return dict(self.fetch(_TEXTS, story=project_id, listed=ids))

    def parts(
        self, project_id: str, event_ids: Iterable[str]
    ) -> dict[str, tuple[Event | None, tuple[Part, ...]]]:
        """Return each event's row, and its participants and places by their current names."""
        ids = list(event_ids)
        rows = self.rows(project_id, ids)
        roles = roles_by_event(self.roles(project_id, ids))
        players = {role.entity_id for own in roles.values() for role in own if role.entity_id is not None}
        names = self.names(project_id, players)
        return {
            event_id: (
                rows.get(event_id),
                tuple(
                    Part(
                        role.kind,
                        names.get(role.entity_id or "", role.name),
                        role.role,
                        outcome_of(role),
                        role.since,
                    )
                    for role in roles.get(event_id, ())
                ),
            )
            for event_id in ids
        }

    def names(self, project_id: str, ids: Iterable[str]) -> dict[str, str]:
        """Return the names of these entities."""
        return dict(self.fetch(_NAMES, story=project_id, listed=ids))

    def _roles(self, chosen: Statement, project_id: str, values: Iterable[str]) -> tuple[EventRole, ...]:
        return tuple(map(role_from_row, self.fetch_rows(chosen, story=project_id, listed=values)))

    def _pending(
        self, chosen: Statement, project_id: str, values: Iterable[str]
    ) -> tuple[PendingRelation, ...]:
        return tuple(map(pending_from_row, self.fetch_rows(chosen, story=project_id, listed=values)))


def scan_roles(reader: Querying, project_id: str) -> Iterable[Any]:
    """Return (id, event_id, entity_id, kind, since and its scene) of every role bound to an entity."""
    columns = kg_event_roles.c
    since = columns.since_chapter, columns.since_scene
    return reader.connection.execute(
        select(columns.id, columns.event_id, columns.entity_id, columns.kind, *since).where(
            columns.project_id == project_id, columns.entity_id.is_not(None)
        )
    )


def scan_levels(reader: Querying, project_id: str) -> Iterable[Any]:
    """Return (id, level) of every event above the lowest level."""
    columns = kg_events.c
    query = select(columns.id, columns.level).where(columns.project_id == project_id, columns.level > 0)
    return reader.connection.execute(query)


_instant: ColumnElement[int] = case(
    (kg_entities.c.since_chapter.is_(None), literal(-1, Number)),
    else_=kg_entities.c.since_chapter * (MAX_SCENE + 1) + func.coalesce(kg_entities.c.since_scene, 0),
)


def _conditions(project_id: str, wanted: EventFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.cast_ids is not None:
        conditions.append(_linked(project_id, _is_one_of(wanted.cast_ids, wanted.cast_name)))
    if wanted.place_ids is not None:
        here = _is_one_of(wanted.place_ids, wanted.place_name)
        conditions.append(_linked(project_id, kg_event_roles.c.kind == "place", here))
    if wanted.since is not None:
        conditions.append(_instant >= first_instant(wanted.since))
    if wanted.until is not None:
        conditions.append(_instant <= last_instant(wanted.until))
    if wanted.level is not None:
        conditions.append(func.coalesce(kg_events.c.level, 0) == wanted.level)
    if wanted.keyword:
        folded = name_key(wanted.keyword)
        conditions.append(
            or_(
                kg_entities.c.search_fold.contains(folded, autoescape=True),
                kg_events.c.search_fold.contains(folded, autoescape=True),
            )
        )
    return conditions


def _is_one_of(ids: frozenset[str], name: str | None) -> ColumnElement[bool]:
    """Match roles bound to one of these entities or waiting for the name."""
    bound = any_of(kg_event_roles.c.entity_id, ids)
    return bound if name is None else or_(bound, kg_event_roles.c.name_key == name_key(name))


def _linked(project_id: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Match events that have a role with these conditions."""
    return kg_entities.c.id.in_(
        select(kg_event_roles.c.event_id).where(kg_event_roles.c.project_id == project_id, *conditions)
    )


def roles_by_event(roles: Iterable[EventRole]) -> Mapping[str, list[EventRole]]:
    """Group the roles by event, in their order."""
    found: dict[str, list[EventRole]] = {}
    for role in roles:
        found.setdefault(role.event_id, []).append(role)
    return found
