"""`/stories/{storyId}/events`: what happened, and who shares it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from fabula.api.rest.caller import Caller
from fabula.api.rest.graph import ChapterQuery, SceneQuery
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.canon.event_values import EventFields, EventPatch, StoryEvent
from fabula.model.moment import Moment
from fabula.operations.events import events
from fabula.operations.events.events import (
    EventListFilter,
    KnowledgeEventCompanionsRequest,
    KnowledgeEventCompanionsResponse,
    KnowledgeEventDeleteRequest,
    KnowledgeEventListRequest,
    KnowledgeEventReadRequest,
    KnowledgeEventUpdateRequest,
)
from fabula.store.page import Page

router = APIRouter(prefix="/stories/{storyId}", tags=["events"])

Word = Annotated[str | None, Query(max_length=256)]


class EventChange(EventPatch):
    """What is to change of an event; with `expectedVersion` a change by somebody else stops it."""

    nullable = EventPatch.nullable | {"expected_version"}

    expected_version: int | None = None


@router.get("/events")
def list_events(
    call: Caller,
    storyId: str,
    entityId: Annotated[str | None, Query(min_length=1, max_length=256)] = None,
    location: Word = None,
    sinceChapter: ChapterQuery = None,
    sinceScene: SceneQuery = None,
    untilChapter: ChapterQuery = None,
    untilScene: SceneQuery = None,
    level: Annotated[int | None, Query(ge=0, le=1)] = None,
    keyword: Word = None,
    page: PageNumber = 0,
    size: PageSize = 20,
) -> RestPage[StoryEvent]:
    """List events in the order of the story."""
    wanted = EventListFilter(
        entity_id=entityId,
        location=location,
        since=_moment(sinceChapter, sinceScene),
        until=_moment(untilChapter, untilScene),
        level=level,
        keyword=keyword,
    )
    found = events.list_events.run(
        call,
        KnowledgeEventListRequest(project_id=storyId, filter=wanted, limit=size, offset=page * size),
    )
    return rest_page(Page(found.items, found.total_count), page, size)


@router.post("/events", status_code=201)
def create_event(call: Caller, storyId: str, request: EventFields) -> StoryEvent:
    """Add an event; people and places that are not there yet are waited for by name."""
    return events.add_event(call, storyId, request)


@router.get("/events/{eventId}")
def read_event(call: Caller, storyId: str, eventId: str) -> StoryEvent:
    """Read an event with those who take part."""
    return events.read_event.run(call, KnowledgeEventReadRequest(project_id=storyId, id=eventId))


@router.put("/events/{eventId}")
def update_event(call: Caller, storyId: str, eventId: str, patch: EventChange) -> StoryEvent:
    """Change an event."""
    wanted = KnowledgeEventUpdateRequest(
        project_id=storyId, id=eventId, expected_version=patch.expected_version, patch=patch
    )
    return events.update_event.run(call, wanted)


@router.delete("/events/{eventId}", status_code=204)
def delete_event(call: Caller, storyId: str, eventId: str) -> Response:
    """Delete an event with its roles and relations; its people stay."""
    events.delete_event.run(call, KnowledgeEventDeleteRequest(project_id=storyId, id=eventId))
    return Response(status_code=204)


@router.get("/entities/{entityId}/companions")
def companions(
    call: Caller,
    storyId: str,
    entityId: str,
    chapter: ChapterQuery = None,
    scene: SceneQuery = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 20,
) -> KnowledgeEventCompanionsResponse:
    """Show who shares events with an entity, the closest first, as of a chapter if one is given."""
    wanted = KnowledgeEventCompanionsRequest(
        project_id=storyId, entity_id=entityId, as_of=_moment(chapter, scene), limit=limit
    )
    return events.event_companions.run(call, wanted)


def _moment(chapter: int | None, scene: int | None) -> Moment | None:
    return None if chapter is None else Moment(chapter=chapter, scene=scene)
