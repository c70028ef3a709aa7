"""Operations on events: create, read, update, delete, list, and find companions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.entity import remove
from fabula.canon.event import existing_event, kept, save
from fabula.canon.event_values import (
    EventFields,
    EventLevel,
    EventPatch,
    StoryEvent,
    shown_event,
    shown_events,
)
from fabula.canon.scope import existing_entity, refuse_foreign
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.errors import NotFound
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.entity import Entity
from fabula.model.moment import MAX_SCENE, Moment, first_instant
from fabula.model.names import name_key
from fabula.model.relation import Period
from fabula.model.wire import Id, Name, Text, Value
from fabula.operations.table import Request, operation
from fabula.store.event_reader import EventFilter
from fabula.store.naming import ids_called
from fabula.store.reader import Reader


class KnowledgeEventCreateResponse(StoryEvent):
    """The new event."""


class KnowledgeEventCreateRequest(EventFields, Request[KnowledgeEventCreateResponse]):
    """A new event of a story."""


class KnowledgeEventReadResponse(StoryEvent):
    """The event."""


class KnowledgeEventReadRequest(Request[KnowledgeEventReadResponse]):
    """One event by its id."""

    id: Id


class KnowledgeEventUpdateResponse(StoryEvent):
    """The event after the change."""


class KnowledgeEventUpdateRequest(Request[KnowledgeEventUpdateResponse]):
    """A change to an event; with `expectedVersion` it is refused if the event has changed meanwhile."""

    id: Id
    expected_version: Version | None = None
    patch: EventPatch


class KnowledgeEventDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True
    deleted_relation_count: int


class KnowledgeEventDeleteRequest(Request[KnowledgeEventDeleteResponse]):
    """An event to delete, with its roles and relations; its participants stay."""

    id: Id
    expected_version: Version | None = None


class KnowledgeEventListResponse(Value):
    """A page of events in story order, the most significant first within a moment."""

    items: tuple[StoryEvent, ...]
    total_count: int


class EventListFilter(Period):
    """Which events to list; `entityId` and `location` are an id, a name or an alias."""

    entity_id: Name | None = None
    location: Name | None = None
    level: EventLevel | None = None
    keyword: Annotated[Text, Field(max_length=256)] | None = None


class KnowledgeEventListRequest(Request[KnowledgeEventListResponse]):
    """A page of the events of a story."""

    filter: EventListFilter = EventListFilter()
    limit: Limit = 1000
    offset: Offset = 0


class EventCompanion(Value):
    """An entity with shared events: how many, when last, and their combined weight."""

    entity_id: str
    name: str
    type: str
    event_count: int
    last_moment: Moment | None
    weight: float


class KnowledgeEventCompanionsResponse(Value):
    """The entities that share events with a given one, the closest first."""

    items: tuple[EventCompanion, ...]


class KnowledgeEventCompanionsRequest(Request[KnowledgeEventCompanionsResponse]):
    """The entity whose companions to find, as of a moment if one is given."""

    entity_id: Id
    as_of: Annotated[Moment | None, Field(default=None)]
    limit: Annotated[int, Field(ge=1, le=1000, strict=True)] = 20


@operation("event.create", role=Role.EDITOR, channel="knowledge:event:create")
def create_event(call: Call, request: KnowledgeEventCreateRequest) -> KnowledgeEventCreateResponse:
    """Create an event; unknown participants and places stay pending by name."""
    event = add_event(call, request.project_id, request)
    return KnowledgeEventCreateResponse.trusted(**dict(event))


@operation("event.read", role=Role.READER, channel="knowledge:event:read")
def read_event(call: Call, request: KnowledgeEventReadRequest) -> KnowledgeEventReadResponse:
    """Read an event with its participants."""
    with call.store.read() as reader:
        event = shown_event(reader, existing_event(reader, request.project_id, request.id))
    return KnowledgeEventReadResponse.trusted(**dict(event))


@operation("event.update", role=Role.EDITOR, channel="knowledge:event:update")
@in_step("knowledge:event:update")
def update_event(step: Step, request: KnowledgeEventUpdateRequest) -> KnowledgeEventUpdateResponse:
    """Change an event; `roles` and `locations` are replaced as a whole."""
    before = existing_event(step, request.project_id, request.id)
    _refuse_stale(step, before, request.expected_version)
    save(step, before, request.patch)
    return KnowledgeEventUpdateResponse.trusted(**dict(kept(step, before.id)))


@operation("event.delete", role=Role.EDITOR, channel="knowledge:event:delete")
@in_step("knowledge:event:delete")
def delete_event(step: Step, request: KnowledgeEventDeleteRequest) -> KnowledgeEventDeleteResponse:
    """Delete an event with its roles and relations; its participants and places stay."""
    entity = existing_event(step, request.project_id, request.id)
    _refuse_stale(step, entity, request.expected_version)
    return KnowledgeEventDeleteResponse(deleted_relation_count=len(remove(step, [entity])))


@operation("event.list", role=Role.READER, channel="knowledge:event:list")
def list_events(call: Call, request: KnowledgeEventListRequest) -> KnowledgeEventListResponse:
    """List events in story order, the most significant first within a moment."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        wanted = _filter(reader, request.project_id, request.filter)
        page = reader.events.page(request.project_id, wanted, request.limit, request.offset)
        items = shown_events(reader, page.items)
    return KnowledgeEventListResponse.trusted(items=items, total_count=page.total)


@operation("event.companions", role=Role.READER, channel="knowledge:event:companions")
def event_companions(
    call: Call, request: KnowledgeEventCompanionsRequest
) -> KnowledgeEventCompanionsResponse:
    """Find the entities that share events with a given one: how often, how recently, how significant."""
    with call.store.read() as reader:
        entity = existing_entity(reader, request.project_id, request.entity_id)
        with call.indexes.lease(reader, request.project_id) as index:
            instant = None if request.as_of is None else first_instant(request.as_of)
            slot = index.roster.slot_of[entity.id]
            found = index.chronicle(reader).companions(slot, instant, request.limit)
            others = index.entities(reader, [one.slot for one in found])
    return KnowledgeEventCompanionsResponse(
        items=tuple(
            EventCompanion(
                entity_id=other.id,
                name=other.name,
                type=other.type,
                event_count=one.count,
                last_moment=_moment(one.last_instant),
                weight=round(one.weight, 6),
            )
            for one, other in zip(found, others, strict=True)
        )
    )


@in_step("knowledge:event:create")
def add_event(step: Step, project_id: str, fields: EventFields) -> StoryEvent:
    """Save a new event in a step of its own."""
    return kept(step, save(step, None, fields).id)


def _refuse_stale(reader: Reader, entity: Entity, expected: int | None) -> None:
    if expected is not None and expected != entity.version:
        latest = shown_event(reader, entity)
        refuse_stale_version(f"The event '{entity.name}'", entity.version, expected, latest)


def _filter(reader: Reader, project_id: str, wanted: EventListFilter) -> EventFilter:
    places = None
    if wanted.location is not None:
        called = ids_called(reader, project_id, [name_key(wanted.location)])
        places = frozenset({wanted.location, *called})
    return EventFilter(
        cast_ids=None if wanted.entity_id is None else _called(reader, project_id, wanted.entity_id),
        cast_name=wanted.entity_id,
        place_ids=places,
        place_name=wanted.location,
        since=wanted.since,
        until=wanted.until,
        level=wanted.level,
        keyword=wanted.keyword,
    )


def _called(reader: Reader, project_id: str, whom: str) -> frozenset[str]:
    """Return the ids that an id, name or alias refers to; NotFound if nothing has or awaits that name."""
    if reader.entity(project_id, whom) is not None:
        return frozenset({whom})
    key = name_key(whom)
    found = ids_called(reader, project_id, [key])
    if not found and not reader.events.roles_waiting(project_id, [key]):
        refuse_foreign(reader, project_id, [whom])
        raise NotFound(
            f"Nobody and nothing in this story is called '{whom}'.",
            details={"entityId": whom},
            suggestion="Give the id, the name or an alias of an entity.",
        )
    return frozenset(found)


def _moment(instant: int) -> Moment | None:
    return None if instant < 0 else Moment(chapter=instant // (MAX_SCENE + 1), scene=instant & MAX_SCENE)
