"""Append a step to the change log: its row, its changes, and the story's new revision and counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, update

from fabula.store.change import Change
from fabula.store.dialect import LOG_AT_ONCE, insert_rows, log_at_once
from fabula.store.rowkind import Row, json_text
from fabula.store.statement import Statement, run, within_story
from fabula.store.tables import stories, story_changes, story_steps


class LoggedStep(NamedTuple):
    """A step as the log records it, and by how much it makes the story grow."""

    project_id: str
    revision: int
    at: str
    actor: str
    action: str
    reverts: int | None
    change_count: int
    entities: int
    relations: int


_STEP = Statement(
    insert(story_steps).values(
        {name: bindparam(name) for name in LoggedStep._fields if name in story_steps.columns}
    )
)
_STORY = Statement(
    update(stories)
    .where(within_story(stories))
    .values(
        revision=bindparam("revision"),
        updated_at=bindparam("at"),
        entity_count=stories.c.entity_count + bindparam("entities"),
        relation_count=stories.c.relation_count + bindparam("relations"),
    )
)


def append_step(connection: Connection, step: LoggedStep, changes: Sequence[Change]) -> None:
    """Append a step with its changes, and move the story on to its revision."""
    given, rows = step._asdict(), _change_rows(step, changes)
    if len(rows) <= LOG_AT_ONCE:
        log_at_once(connection, given, rows)
        return
    run(connection, _STEP, given)
    insert_rows(connection, story_changes, rows)
    run(connection, _STORY, {"story": step.project_id, **given})


def _change_rows(step: LoggedStep, changes: Sequence[Change]) -> list[Row]:
    return [
        {
            "project_id": step.project_id,
            "revision": step.revision,
            "seq": seq,
            "kind": change.kind.name,
            "row_id": change.row_id,
            "before_json": None if change.before is None else json_text(change.before),
            "after_json": None if change.after is None else json_text(change.after),
        }
        for seq, change in enumerate(changes)
    ]
