"""Threads: the only way to save, change and remove them, and to mark where they are planted and paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from fabula.canon.evidence import not_quoted, quoted_scene
from fabula.canon.step import Step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import InvalidInput, NotFound
from fabula.model.bounds import Version
from fabula.model.evidence import MAX_QUOTATION, fingerprint, occurrence_at
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.patch import Patch
from fabula.model.thread import (
    MOST_PEOPLE,
    MOST_POINTS,
    PointRole,
    Thread,
    ThreadKind,
    ThreadPoint,
)
from fabula.model.wire import Description, Id, Name, Value, safe_text
from fabula.store.reader import Reader

People = Annotated[tuple[Id, ...], Field(max_length=MOST_PEOPLE)]
ChapterCount = Annotated[int, Field(ge=0, le=100_000, strict=True)]


class PointFields(Value):
    """A quotation from a scene; `start` says which of several occurrences is meant."""

    scene_id: Id
    quotation: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_QUOTATION), AfterValidator(safe_text)
    ]
    start: Annotated[int, Field(ge=0, strict=True)] | None = None
    partial: bool = False


class ThreadFields(Value):
    """The fields of a new thread."""

    title: Name
    kind: ThreadKind = ThreadKind.PROMISE
    note: Description = ""
    people: People = ()
    due: Moment | None = None
    due_within: ChapterCount | None = None
    dropped: bool = False
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    plants: Annotated[tuple[PointFields, ...], Field(max_length=MOST_POINTS)] = ()

    @model_validator(mode="after")
    def _due_once(self) -> Self:
        if self.due is not None and self.due_within is not None:
            raise ValueError("a thread is due at a moment or within some chapters, not both")
        return self


class ThreadPatch(Patch):
    """The fields of a thread to change; `due` and `dueWithin` take the place of each other."""

    nullable: ClassVar[frozenset[str]] = frozenset({"due", "due_within", "expected_version"})

    title: Name | None = None
    kind: ThreadKind | None = None
    note: Description | None = None
    people: People | None = None
    due: Moment | None = None
    due_within: ChapterCount | None = None
    dropped: bool | None = None
    ai_context_level: AiContextLevel | None = None
    secrecy: Secrecy | None = None
    expected_version: Version | None = None

    @model_validator(mode="after")
    def _due_once(self) -> Self:
        if self.due is not None and self.due_within is not None:
            raise ValueError("a thread is due at a moment or within some chapters, not both")
        return self


def create(step: Step, fields: ThreadFields) -> Thread:
    """Save a new thread with its plants."""
    told = {name: getattr(fields, name) for name in ThreadFields.model_fields}
    thread = Thread.trusted(
        **told
        | {
            "id": step.new_id(),
            "project_id": step.project_id,
            "people": _known_people(step, fields.people),
            "plants": (),
            "advances": (),
            "payoffs": (),
            "version": 1,
            "created_at": step.now,
            "updated_at": step.now,
        }
    )
    for plant in fields.plants:
        thread = _with_point(step, thread, "plants", plant)
    step.add([thread])
    return thread


def change(step: Step, thread: Thread, patch: ThreadPatch) -> Thread:
    """Apply a patch to a thread."""
    refuse_stale_version(f"The thread '{thread.title}'", thread.version, patch.expected_version, thread)
    given = {name: value for name, value in patch.given().items() if name != "expected_version"}
    if not given:
        raise InvalidInput("The patch names nothing to change.")
    if given.get("due") is not None:
        given["due_within"] = None
    if given.get("due_within") is not None:
        given["due"] = None
    if "people" in given:
        given["people"] = _known_people(step, given["people"])
    return replace(step, thread, thread.model_copy(update=given))


def mark(step: Step, thread: Thread, role: PointRole, fields: PointFields) -> Thread:
    """Mark where a thread is planted, advanced or paid off."""
    return replace(step, thread, _with_point(step, thread, role, fields))


def unmark(step: Step, thread: Thread, point_id: str) -> Thread:
    """Remove the mark of a plant, advance or pay-off."""
    if all(point.id != point_id for point in thread.points):
        raise NotFound(
            f"The thread '{thread.title}' has no such place.", details={"id": thread.id, "pointId": point_id}
        )
    return replace(step, thread, thread.keeping(lambda point: point.id != point_id))


def replace(step: Step, before: Thread, after: Thread) -> Thread:
    """Save a changed thread, if it has changed."""
    if after == before:
        return before
    after = touched(step, after)
    step.replace([(before, after)])
    return after


def redirect_people(step: Step, heirs: Mapping[str, str]) -> None:
    """Let threads concern the entities that take the place of others."""
    for thread in step.threads.all_of(step.project_id):
        people = tuple(dict.fromkeys(heirs.get(key, key) for key in thread.people))
        replace(step, thread, thread.model_copy(update={"people": people}))


def remove(step: Step, thread: Thread) -> None:
    """Remove a thread."""
    step.remove([thread])


def existing_thread(reader: Reader, project_id: str, thread_id: str) -> Thread:
    """Return the thread; NotFound if the story has none with this id."""
    thread = reader.threads.thread(project_id, thread_id)
    if thread is None:
        reader.story(project_id)
        raise NotFound(f"There is no thread '{thread_id}' in this story.", details={"id": thread_id})
    return thread


def _with_point(step: Step, thread: Thread, role: PointRole, fields: PointFields) -> Thread:
    """Return the thread with another point, once."""
    scene = quoted_scene(step, step.project_id, fields.scene_id)
    occurrence = occurrence_at(scene.text, fields.quotation, fields.start)
    if occurrence is None:
        raise not_quoted(scene)
    known = thread.points_of(role)
    said = (scene.id, fields.quotation, occurrence)
    kept = tuple(one for one in known if (one.scene_id, one.quotation, one.occurrence) != said)
    if len(kept) >= MOST_POINTS:
        raise InvalidInput(f"A thread has at most {MOST_POINTS} {role}.", details={"field": role})
    same = [one for one in known if one not in kept]
    point = ThreadPoint.trusted(
        id=same[0].id if same else step.new_id(),
        scene_id=scene.id,
        quotation=fields.quotation,
        fingerprint=fingerprint(fields.quotation),
        occurrence=occurrence,
        partial=fields.partial and role == "payoffs",
    )
    if same == [point]:
        return thread
    return thread.model_copy(update={role: (*kept, point)})


def _known_people(step: Step, people: tuple[str, ...]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(people))
    missing = sorted(set(wanted) - step.entities(step.project_id, wanted).keys())
    if missing:
        raise NotFound(
            f"There is no entity '{missing[0]}' in this story.", details={"field": "people", "ids": missing}
        )
    return wanted
