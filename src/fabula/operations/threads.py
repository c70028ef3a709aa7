"""Threads: what the reader was promised, and where it is planted, advanced and paid off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from fabula.call import Call
from fabula.canon import thread as threads
from fabula.canon.step import Step, in_step
from fabula.canon.thread import PointFields, ThreadFields, ThreadPatch, existing_thread
from fabula.model.account import Role
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.manuscript import Scene
from fabula.model.moment import Moment, instant_of, last_instant
from fabula.model.thread import (
    UNSETTLED,
    PointRole,
    Thread,
    ThreadKind,
    ThreadPoint,
    ThreadStanding,
    ThreadStatus,
    standing,
)
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation
from fabula.store.reader import Reader

StatusFilter = Literal["unsettled"] | ThreadStatus


class PlacedPoint(Value):
    """Where a thread is planted, advanced or paid off; without a span, the words no longer stand there."""

    id: str
    scene_id: str
    chapter: int
    scene: int
    quotation: str
    occurrence: int
    partial: bool
    start: int | None
    end: int | None


class StoryThread(Value):
    """A thread as it stands at a moment: points of later scenes do not exist then.

    `dueAt` is the moment it is due, also if it is due within some chapters.
    """

    id: str
    project_id: str
    title: str
    kind: ThreadKind
    note: str
    people: tuple[str, ...]
    due: Moment | None
    due_within: int | None
    dropped: bool
    ai_context_level: AiContextLevel
    secrecy: Secrecy
    status: ThreadStatus
    due_at: Moment | None
    plants: tuple[PlacedPoint, ...]
    advances: tuple[PlacedPoint, ...]
    payoffs: tuple[PlacedPoint, ...]
    version: int
    created_at: str
    updated_at: str


class KnowledgeThreadListResponse(Value):
    """The threads of a story, the most pressing first."""

    items: tuple[StoryThread, ...]
    total_count: int


class KnowledgeThreadListRequest(Request[KnowledgeThreadListResponse]):
    """The threads as of a moment, by default at the end of the manuscript; `unsettled` are all to be paid."""

    as_of: Moment | None = None
    status: StatusFilter | None = None


class KnowledgeThreadCreateResponse(StoryThread):
    """The new thread."""


class KnowledgeThreadCreateRequest(ThreadFields, Request[KnowledgeThreadCreateResponse]):
    """A new thread; one without plants is planned."""


class KnowledgeThreadUpdateResponse(StoryThread):
    """The thread after the change."""


class KnowledgeThreadUpdateRequest(Request[KnowledgeThreadUpdateResponse]):
    """A change to a thread."""

    id: Id
    patch: ThreadPatch


class KnowledgeThreadDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeThreadDeleteRequest(Request[KnowledgeThreadDeleteResponse]):
    """A thread to delete."""

    id: Id


class KnowledgeThreadMarkResponse(StoryThread):
    """The thread with the new point."""


class KnowledgeThreadMarkRequest(PointFields, Request[KnowledgeThreadMarkResponse]):
    """Words of a scene that plant, advance or pay off a thread."""

    id: Id
    role: PointRole


class KnowledgeThreadUnmarkResponse(StoryThread):
    """The thread without the point."""


class KnowledgeThreadUnmarkRequest(Request[KnowledgeThreadUnmarkResponse]):
    """A plant, advance or pay-off to remove."""

    id: Id
    point_id: Id


@operation("thread.list", role=Role.READER, channel="knowledge:thread:list")
def list_threads(call: Call, request: KnowledgeThreadListRequest) -> KnowledgeThreadListResponse:
    """List the threads of a story as of a moment, the most pressing first."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        found = reader.threads.all_of(request.project_id)
        shown = _shown_as_of(reader, request.project_id, found, request.as_of)
    items = tuple(one for one in shown if _is_wanted(one.status, request.status))
    return KnowledgeThreadListResponse.trusted(items=items, total_count=len(items))


@operation("thread.create", role=Role.EDITOR, channel="knowledge:thread:create")
@in_step("knowledge:thread:create")
def create_thread(step: Step, request: KnowledgeThreadCreateRequest) -> KnowledgeThreadCreateResponse:
    """Create a thread, with its plants if there are any."""
    return KnowledgeThreadCreateResponse.trusted(**_shown(step, threads.create(step, request)))


@operation("thread.update", role=Role.EDITOR, channel="knowledge:thread:update")
@in_step("knowledge:thread:update")
def update_thread(step: Step, request: KnowledgeThreadUpdateRequest) -> KnowledgeThreadUpdateResponse:
    """Change a thread: its title, kind, note, people, when it is due, or whether it is dropped."""
    thread = existing_thread(step, request.project_id, request.id)
    return KnowledgeThreadUpdateResponse.trusted(**_shown(step, threads.change(step, thread, request.patch)))


@operation("thread.delete", role=Role.EDITOR, channel="knowledge:thread:delete")
@in_step("knowledge:thread:delete")
def delete_thread(step: Step, request: KnowledgeThreadDeleteRequest) -> KnowledgeThreadDeleteResponse:
    """Delete a thread."""
    threads.remove(step, existing_thread(step, request.project_id, request.id))
    return KnowledgeThreadDeleteResponse()


@operation("thread.mark", role=Role.EDITOR, channel="knowledge:thread:mark")
@in_step("knowledge:thread:mark")
def mark_thread(step: Step, request: KnowledgeThreadMarkRequest) -> KnowledgeThreadMarkResponse:
    """Mark the words of a scene that plant, advance or pay off a thread."""
    thread = existing_thread(step, request.project_id, request.id)
    return KnowledgeThreadMarkResponse.trusted(
        **_shown(step, threads.mark(step, thread, request.role, request))
    )


@operation("thread.unmark", role=Role.EDITOR, channel="knowledge:thread:unmark")
@in_step("knowledge:thread:unmark")
def unmark_thread(step: Step, request: KnowledgeThreadUnmarkRequest) -> KnowledgeThreadUnmarkResponse:
    """Remove a plant, advance or pay-off of a thread."""
    thread = existing_thread(step, request.project_id, request.id)
    return KnowledgeThreadUnmarkResponse.trusted(
        **_shown(step, threads.unmark(step, thread, request.point_id))
    )


def _is_wanted(status: ThreadStatus, wanted: StatusFilter | None) -> bool:
    return wanted is None or (status in UNSETTLED if wanted == "unsettled" else status == wanted)


def _shown(reader: Reader, thread: Thread) -> dict[str, object]:
    """Return the fields of a thread as it stands at the end of the manuscript."""
    (shown,) = _shown_as_of(reader, thread.project_id, (thread,), None)
    return dict(shown)


def _shown_as_of(
    reader: Reader, project_id: str, found: Iterable[Thread], moment: Moment | None
) -> list[StoryThread]:
    places = reader.threads.scene_places(project_id)
    instants = {key: instant_of(*place) for key, place in places.items()}
    now = max(instants.values(), default=0) if moment is None else last_instant(moment)
    standings = [(thread, standing(thread, instants, now, now)) for thread in found]
    quoted = {point.scene_id for _, stands in standings for own in stands.told.values() for point in own}
    scenes = reader.manuscript.scenes_of_ids(project_id, quoted)
    standings.sort(key=lambda pair: (*pair[1].urgency, pair[0].id))
    return [_as_shown(thread, stands, scenes) for thread, stands in standings]


def _as_shown(thread: Thread, stands: ThreadStanding, scenes: Mapping[str, Scene]) -> StoryThread:
    fields = {name: value for name, value in thread if name not in stands.told}
    points = {
        role: tuple(_placed(point, scenes[point.scene_id]) for point in own)
        for role, own in stands.told.items()
    }
    return StoryThread.trusted(**fields, **points, status=stands.status, due_at=stands.due)


def _placed(point: ThreadPoint, scene: Scene) -> PlacedPoint:
    start, end = point.place_in(scene.text) or (None, None)
    return PlacedPoint.trusted(
        id=point.id,
        scene_id=scene.id,
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        quotation=point.quotation,
        occurrence=point.occurrence,
        partial=point.partial,
        start=start,
        end=end,
    )
