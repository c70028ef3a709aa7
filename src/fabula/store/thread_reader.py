"""Read threads, and convert them to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.thread import POINT_ROLES, Thread, ThreadKind, ThreadPoint
from fabula.store.querying import Querying
from fabula.store.rowkind import Row, json_text, moment_of
from fabula.store.statement import Statement, in_story, within_story
from fabula.store.tables import scenes
from fabula.store.thread_tables import story_threads

_SAME = ("id", "project_id", "title", "note", "due_within", "version", "created_at", "updated_at")
_THREAD = in_story(story_threads, story_threads.c.id == bindparam("id"))
_ALL = Statement(
    select(story_threads)
    .where(within_story(story_threads))
    .order_by(story_threads.c.created_at, story_threads.c.id)
)
_SCENES = Statement(
    select(scenes.c.id, scenes.c.chapter_index, scenes.c.scene_index).where(within_story(scenes))
)


def thread_row(thread: Thread) -> Row:
    """Convert a thread to a row."""
    points = {role: [dict(point) for point in thread.points_of(role)] for role in POINT_ROLES}
    return {
        **{name: getattr(thread, name) for name in _SAME},
        "kind": thread.kind.value,
        "people_json": json_text(thread.people),
        "points_json": json_text(points),
        "due_chapter": thread.due.chapter if thread.due else None,
        "due_scene": thread.due.scene if thread.due else None,
        "dropped": int(thread.dropped),
        "ai_context_level": thread.ai_context_level.value,
        "secrecy": thread.secrecy.value,
    }


def thread_from_row(row: Mapping[str, Any]) -> Thread:
    """Convert a row to a thread."""
    points = orjson.loads(row["points_json"])
    return Thread.trusted(
        **{name: row[name] for name in _SAME},
        kind=ThreadKind(row["kind"]),
        people=tuple(orjson.loads(row["people_json"])),
        **{role: tuple(ThreadPoint.trusted(**point) for point in points[role]) for role in POINT_ROLES},
        due=moment_of(row["due_chapter"], row["due_scene"]),
        dropped=bool(row["dropped"]),
        ai_context_level=AiContextLevel(row["ai_context_level"]),
        secrecy=Secrecy(row["secrecy"]),
    )


class ThreadReader(Querying):
    """Reads the threads of all stories."""

    def thread(self, project_id: str, thread_id: str) -> Thread | None:
        """Return the thread with this id."""
        row = self.fetch_row(_THREAD, story=project_id, id=thread_id)
        return None if row is None else thread_from_row(row)

    def all_of(self, project_id: str) -> tuple[Thread, ...]:
        """Return the threads of a story, the oldest first."""
        return tuple(map(thread_from_row, self.fetch_rows(_ALL, story=project_id)))

    def scene_places(self, project_id: str) -> dict[str, tuple[int, int]]:
        """Return where each scene of a story stands, by id."""
        return {key: (chapter, scene) for key, chapter, scene in self.fetch(_SCENES, story=project_id)}
