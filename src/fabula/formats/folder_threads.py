"""The threads in a story folder: each has a file that quotes scenes by their ids."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, cast

from pydantic import Field, StrictBool, StringConstraints

from fabula.formats.folder_names import thread_path
from fabula.formats.folder_shapes import Count, Prose, usual_id
from fabula.formats.folder_text import FactLine, FactLines, document
from fabula.formats.folder_write import File
from fabula.model.evidence import fingerprint
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.thread import POINT_ROLES, PointRole, Thread, ThreadKind, ThreadPoint
from fabula.model.wire import Id, Name, Value


class PointRow(Value):
    """A quotation from a scene in a thread's file."""

    scene: Id
    quotation: Annotated[Prose, StringConstraints(min_length=1)]
    occurrence: Count = 0
    partial: StrictBool = False
    id: Id | None = None


class ThreadFile(Value):
    """`threads/….yaml`: a thread."""

    id: Id
    title: Name
    kind: ThreadKind = ThreadKind.PROMISE
    note: Prose = ""
    people: tuple[Id, ...] = ()
    due: Moment | None = None
    due_within: Annotated[int, Field(ge=0, le=100_000, strict=True)] | None = None
    dropped: StrictBool = False
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    plants: tuple[PointRow, ...] = ()
    advances: tuple[PointRow, ...] = ()
    payoffs: tuple[PointRow, ...] = ()


def thread_file(thread: Thread) -> File:
    """The file of a thread."""
    fields: dict[str, Any] = {"id": thread.id, "title": thread.title, "kind": thread.kind.value}
    due = None if thread.due is None else thread.due.model_dump(exclude_none=True)
    told: dict[str, Any] = {
        "note": thread.note,
        "people": list(thread.people),
        "due": due and FactLine(due),
        "dropped": thread.dropped,
        **{role: FactLines(map(_line, thread.points_of(role))) for role in POINT_ROLES},
    }
    fields |= {name: value for name, value in told.items() if value}
    if thread.due_within is not None:
        fields["dueWithin"] = thread.due_within
    if thread.ai_context_level is not AiContextLevel.WHEN_DETECTED:
        fields["aiContextLevel"] = thread.ai_context_level.value
    if thread.secrecy is Secrecy.PRIVATE:
        fields["secrecy"] = thread.secrecy.value
    return File(thread_path(thread.id), document(fields))


def _line(point: ThreadPoint) -> dict[str, Any]:
    told = {"occurrence": point.occurrence, "partial": point.partial}
    kept = {name: value for name, value in told.items() if value}
    return {"scene": point.scene_id, "quotation": point.quotation, **kept, "id": point.id}


def folder_threads(
    files: Collection[tuple[str, ThreadFile]],
    people: Collection[str],
    scenes: Collection[str],
    new: Mapping[str, Any],
) -> Iterator[tuple[str, Thread | str]]:
    """Yield the path and the thread, or what is wrong with it; `new` has the story, version and times."""
    for path, shape in files:
        missing = [key for key in shape.people if key not in people]
        rows = [
            (role, row) for role in POINT_ROLES for row in cast(tuple[PointRow, ...], getattr(shape, role))
        ]
        lost = [row.scene for _, row in rows if row.scene not in scenes]
        if missing or lost:
            what = f"entity '{missing[0]}'" if missing else f"scene '{lost[0]}'"
            yield path, f"there is no {what} in this folder"
        elif shape.due is not None and shape.due_within is not None:
            yield path, "a thread is due at a moment or within some chapters, not both"
        else:
            points: dict[PointRole, list[ThreadPoint]] = {role: [] for role in POINT_ROLES}
            for number, (role, row) in enumerate(rows):
                points[role].append(_point(row, usual_id("point", shape.id, number)))
            own = {name: value for name, value in shape if name not in POINT_ROLES}
            yield path, Thread.trusted(**own, **{role: tuple(points[role]) for role in POINT_ROLES}, **new)


def _point(row: PointRow, usual: str) -> ThreadPoint:
    return ThreadPoint.trusted(
        id=row.id or usual,
        scene_id=row.scene,
        quotation=row.quotation,
        fingerprint=fingerprint(row.quotation),
        occurrence=row.occurrence,
        partial=row.partial,
    )
