"""Threads for agents: what is open by a moment, and noting where one is planted, advanced or paid off."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from fabula.call import Call
from fabula.canon import thread as threads
from fabula.canon.step import Step, write
from fabula.canon.thread import PointFields, ThreadFields
from fabula.context.audience import ModelView
from fabula.context.candidates.threads import heard_threads
from fabula.errors import InvalidInput, NotFound
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.evidence import MAX_QUOTATION
from fabula.model.moment import Moment, first_instant, instant_of
from fabula.model.thread import UNSETTLED, PointRole, Thread, ThreadKind, ThreadStatus
from fabula.model.wire import Id, Name, Value, safe_text
from fabula.operations.agents.audience import asked_for, listening
from fabula.operations.manuscript.manuscript import no_scene
from fabula.operations.table import StoryRequest, operation

PointWord = Literal["plant", "advance", "payoff"]
_ROLES: dict[PointWord, PointRole] = {"plant": "plants", "advance": "advances", "payoff": "payoffs"}
_WORDS: dict[PointRole, PointWord] = {role: word for word, role in _ROLES.items()}


class ToldPoint(Value):
    """Words that were told of a thread, and where."""

    role: PointWord
    chapter: int
    scene: int
    quotation: str


class ToldThread(Value):
    """A thread as an agent may hear of it."""

    id: str
    title: str
    kind: ThreadKind
    status: ThreadStatus
    people: tuple[str, ...]
    due_at: Moment | None
    points: tuple[ToldPoint, ...]


class TellThreadsRequest(AsOf, StoryRequest):
    """The threads of a story; without `all`, only those that are to be paid."""

    all: bool = False


class TellThreadsResponse(Value):
    """The threads, the most pressing first."""

    threads: tuple[ToldThread, ...]


class NoteThreadRequest(StoryRequest):
    """Words of a saved scene that plant, advance or pay off a thread: a known one by `id`, or a new one."""

    id: Annotated[Id, Field(description="A known thread; leave it out for a new one.")] | None = None
    title: Name | None = None
    kind: ThreadKind = ThreadKind.PROMISE
    people: Annotated[tuple[Id | Name, ...], Field(max_length=50)] = ()
    role: PointWord = "plant"
    chapter: ChapterIndex
    scene: SceneIndex
    quotation: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_QUOTATION), AfterValidator(safe_text)
    ]
    partial: bool = False


@operation("agent.thread.list", role=Role.READER, audience="model")
def told_threads(call: Call, request: TellThreadsRequest) -> TellThreadsResponse:
    """List the threads as of a moment, as far as an agent may hear of them."""
    with listening(call, request.project_id, request.moment) as view:
        told = _told(view, request.moment)
    return TellThreadsResponse(threads=tuple(one for one in told if request.all or one.status in UNSETTLED))


@operation("agent.thread.note", role=Role.EDITOR, audience="model")
def note_thread(call: Call, request: NoteThreadRequest) -> ToldThread:
    """Note where a thread is planted, advanced or paid off, in a new one or one the agent may hear of."""
    project_id = request.project_id
    with listening(call, project_id, None) as view:
        scene = view.reader.manuscript.scene(project_id, request.chapter, request.scene)
        if scene is None:
            raise no_scene(request.chapter, request.scene)
        people = tuple(asked_for(view, whom)[2].id for whom in request.people)
        # Words that an agent may not read are to it as if they did not stand there.
        at = view.at(instant_of(request.chapter, request.scene))
        if request.quotation not in at.prose(scene.text):
            raise InvalidInput(
                "The quotation does not stand in the scene.",
                details={"field": "quotation", "chapter": request.chapter, "scene": request.scene},
                suggestion="Quote the saved scene exactly.",
            )
        if request.id is not None and all(one.id != request.id for one in _told(view, None)):
            raise _no_thread(request.id)
    point = PointFields(scene_id=scene.id, quotation=request.quotation, partial=request.partial)
    thread = write(call, project_id, "thread:note", lambda step: _noted(step, request, people, point))
    with listening(call, project_id, None) as view:
        told = next((one for one in _told(view, None) if one.id == thread.id), None)
    return told or _as_noted(request, thread)


def _as_noted(request: NoteThreadRequest, thread: Thread) -> ToldThread:
    """What an agent noted and may not read again, in its own words; a title may name a secret."""
    return ToldThread(
        id=thread.id,
        title=request.title or "",
        kind=request.kind,
        status=ThreadStatus.OPEN,
        people=request.people,
        due_at=None,
        points=(
            ToldPoint(
                role=request.role, chapter=request.chapter, scene=request.scene, quotation=request.quotation
            ),
        ),
    )


def _noted(step: Step, request: NoteThreadRequest, people: tuple[str, ...], point: PointFields) -> Thread:
    if request.id is not None:
        known = threads.existing_thread(step, step.project_id, request.id)
    elif request.title is None:
        raise InvalidInput("A new thread needs a title.", details={"field": "title"})
    else:
        known = threads.create(step, ThreadFields(title=request.title, kind=request.kind, people=people))
    return threads.mark(step, known, _ROLES[request.role], point)


def _told(view: ModelView, moment: Moment | None) -> list[ToldThread]:
    now = None if moment is None else first_instant(moment)
    return [
        ToldThread(
            id=heard.thread.id,
            title=heard.title,
            kind=heard.thread.kind,
            status=heard.stands.status,
            people=heard.people,
            due_at=heard.stands.due,
            points=tuple(
                ToldPoint(role=_WORDS[role], chapter=at.chapter, scene=at.scene or 0, quotation=text)
                for role, at, text in heard.points
                if text
            ),
        )
        for heard in heard_threads(view, now)
        if heard.title and heard.stands.status is not ThreadStatus.PLANNED
    ]


def _no_thread(thread_id: str) -> NotFound:
    return NotFound(
        f"There is no thread '{thread_id}' that you may be told of here.",
        details={"id": thread_id},
        suggestion="List the threads, or note a new one.",
    )
