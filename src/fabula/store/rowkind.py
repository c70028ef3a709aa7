"""A kind of row that is recorded in the change log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Table, bindparam, delete, update

from fabula.model.moment import Moment
from fabula.model.validity import DatedFact
from fabula.model.wire import Value
from fabula.model.world_time import WorldTime
from fabula.store.statement import Statement, rows_by, within_story

Row = dict[str, Any]


@dataclass(frozen=True)
class RowKind:
    """A table recorded in the log: how its rows become values and images, and what is derived from them."""

    name: str
    table: Table
    to_row: Callable[[Any], Row]
    to_value: Callable[[Mapping[str, Any]], Value]
    id_column: str = "id"
    derive: Callable[[Row], Row] = lambda image: {}
    unlogged: frozenset[str] = frozenset()
    counter: str | None = None
    # The values of columns that older entries of the log do not have.
    added: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns, in table order."""
        return tuple(str(column.name) for column in self.table.columns)

    @cached_property
    def image_columns(self) -> tuple[str, ...]:
        """The columns recorded in the log: all but the story's id and derived ones."""
        return tuple(name for name in self.columns if name != "project_id" and name not in self.unlogged)

    def update_of(self, names: tuple[str, ...]) -> Statement:
        """Return the statement that writes these columns of one row anew."""
        made = self._statements.get(names)
        if made is None:
            values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
            made = Statement(update(self.table).where(*self._own_row()).values(values))
            self._statements[names] = made
        return made

    @cached_property
    def delete(self) -> Statement:
        """The statement that deletes one row."""
        return Statement(delete(self.table).where(*self._own_row()))

    @cached_property
    def select_by_id(self) -> Statement:
        """The statement that selects the rows with the listed ids."""
        return rows_by(self.table.c[self.id_column])

    @cached_property
    def _statements(self) -> dict[tuple[str, ...], Statement]:
        return {}

    def _own_row(self) -> list[ColumnElement[bool]]:
        own = [within_story(self.table)]
        if self.id_column != "project_id":
            own.append(self.table.c[self.id_column] == bindparam("row_id"))
        return own

    def image(self, row: Mapping[str, Any]) -> Row:
        """Return the image of a row that the log records."""
        return {name: row[name] for name in self.image_columns}

    def remembered(self, text: str | None) -> Row | None:
        """Parse the image in a log entry; columns newer than the entry have the value of `added`, or null."""
        if text is None:
            return None
        return {**dict.fromkeys(self.image_columns), **self.added, **orjson.loads(text)}

    def row(self, project_id: str, image: Row) -> Row:
        """Rebuild the whole row from its image."""
        return {"project_id": project_id, **image, **self.derive(image)}

    def value(self, project_id: str, image: Row) -> Value:
        """Convert an image to a value."""
        return self.to_value(self.row(project_id, image))


def json_text(value: Any) -> str:
    """Encode a value as JSON for a column."""
    return orjson.dumps(value).decode()


def moment_of(chapter: int | None, scene: int | None) -> Moment | None:
    """Return the moment stored in two columns."""
    return None if chapter is None else Moment.trusted(chapter=chapter, scene=scene)


def period_columns(since: Moment | None, until: Moment | None) -> Row:
    """Return the four columns of a period."""
    return {
        "since_chapter": since.chapter if since else None,
        "since_scene": since.scene if since else None,
        "until_chapter": until.chapter if until else None,
        "until_scene": until.scene if until else None,
    }


def validity_columns(fact: DatedFact) -> Row:
    """Return the six columns of a validity in world time and of the moment at which a fact is told."""
    start, end, told = fact.valid_from, fact.valid_to, fact.told
    return {
        "valid_from_day": start.day if start else None,
        "valid_from_label": start.label if start else None,
        "valid_to_day": end.day if end else None,
        "valid_to_label": end.label if end else None,
        "told_chapter": told.chapter if told else None,
        "told_scene": told.scene if told else None,
    }


def validity_of(row: Mapping[str, Any]) -> Row:
    """Return the fields stored in six columns."""
    return {
        "valid_from": world_time_of(row["valid_from_day"], row["valid_from_label"]),
        "valid_to": world_time_of(row["valid_to_day"], row["valid_to_label"]),
        "told": moment_of(row["told_chapter"], row["told_scene"]),
    }


def world_time_of(day: float | None, label: str | None) -> WorldTime | None:
    """Return the world time stored in two columns."""
    return None if day is None else WorldTime.trusted(day=day, label=label or "")


def period_of(row: Mapping[str, Any]) -> Row:
    """Return the fields of a period stored in four columns."""
    return {
        "since": moment_of(row["since_chapter"], row["since_scene"]),
        "until": moment_of(row["until_chapter"], row["until_scene"]),
    }
