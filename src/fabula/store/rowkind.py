"""A kind of row that the change log follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
from sqlalchemy import Table

from fabula.model.moment import Moment
from fabula.model.wire import Value

Row = dict[str, Any]


@dataclass(frozen=True)
class RowKind:
    """One table under the log: its rows as values, as images, and what follows from an image."""

    name: str
    table: Table
    to_row: Callable[[Any], Row]
    to_value: Callable[[Mapping[str, Any]], Value]
    id_column: str = "id"
    derive: Callable[[Row], Row] = lambda image: {}
    unlogged: frozenset[str] = frozenset()
    counter: str | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order of the table."""
        return tuple(str(column.name) for column in self.table.columns)

    @cached_property
    def image_columns(self) -> tuple[str, ...]:
        """The columns that the log remembers: neither the story nor what follows from the others."""
        return tuple(name for name in self.columns if name != "project_id" and name not in self.unlogged)

    def image(self, row: Mapping[str, Any]) -> Row:
        """What the log remembers of a row."""
        return {name: row[name] for name in self.image_columns}

    def remembered(self, text: str | None) -> Row | None:
        """The image in a log entry; columns that are younger than the entry are empty."""
        return None if text is None else {**dict.fromkeys(self.image_columns), **orjson.loads(text)}

    def row(self, project_id: str, image: Row) -> Row:
        """The whole row again from what the log remembers."""
        return {"project_id": project_id, **image, **self.derive(image)}

    def value(self, project_id: str, image: Row) -> Value:
        """The image as the value people know."""
        return self.to_value(self.row(project_id, image))


def json_text(value: Any) -> str:
    """JSON as it is kept in a column."""
    return orjson.dumps(value).decode()


def moment_of(chapter: int | None, scene: int | None) -> Moment | None:
    """The moment kept in two columns."""
    return None if chapter is None else Moment.trusted(chapter=chapter, scene=scene)


def period_columns(since: Moment | None, until: Moment | None) -> Row:
    """A period in its four columns."""
    return {
        "since_chapter": since.chapter if since else None,
        "since_scene": since.scene if since else None,
        "until_chapter": until.chapter if until else None,
        "until_scene": until.scene if until else None,
    }


def period_of(row: Mapping[str, Any]) -> Row:
    """The period kept in four columns, as fields."""
    return {
        "since": moment_of(row["since_chapter"], row["since_scene"]),
        "until": moment_of(row["until_chapter"], row["until_scene"]),
    }
