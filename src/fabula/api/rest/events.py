"""`/stories/{storyId}/events`: what happened, and who took part."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from fabula.api.rest.route import Route, routes
from fabula.canon.event_values import EventPatch, StoryEvent
from fabula.operations.events import events


class EventChange(EventPatch):
    """The changes to an event; with `expectedVersion`, they are refused if it was changed meanwhile."""

    nullable = EventPatch.nullable | {"expected_version"}

    expected_version: int | None = None


def _version(_: Request, fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "expected_version": fields["patch"].expected_version}


_ONE = "/events/{eventId}"
_ID = {"eventId": "id"}

router = routes(
    "/stories/{storyId}",
    "events",
    (
        Route("GET", "/events", events.list_events, pages=StoryEvent),
        Route("POST", "/events", events.create_event, status=201, answers=StoryEvent),
        Route("GET", _ONE, events.read_event, renamed=_ID, answers=StoryEvent),
        Route(
            "PUT",
            _ONE,
            events.update_event,
            renamed=_ID,
            body="patch",
            body_type=EventChange,
            hidden=frozenset({"expected_version"}),
            reads=_version,
            answers=StoryEvent,
        ),
        Route(
            "DELETE",
            _ONE,
            events.delete_event,
            status=204,
            renamed=_ID,
            hidden=frozenset({"expected_version"}),
        ),
        Route("GET", "/entities/{entityId}/companions", events.event_companions, name="companions"),
    ),
)
