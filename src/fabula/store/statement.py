"""Statements that are made once and run by the driver itself.

To build an expression costs about twenty times as much as to run it, to pass a finished one through
SQLAlchemy still six times as much. So the statements of frequent reads and of writes are constants, compiled
once for each engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Column, ColumnElement, Connection, Dialect, Table, bindparam, select
from sqlalchemy.sql.selectable import SelectBase

from fabula.store.dialect import ListOfText, any_listed, as_list
from fabula.store.driver import drive, drive_many

STORY = "story"
LISTED = "listed"


class _Form(NamedTuple):
    """A statement as one engine takes it."""

    text: str
    names: tuple[str, ...]
    constants: Mapping[str, Any]
    lists: frozenset[str]
    is_positional: bool

    def values(self, given: Mapping[str, Any]) -> Any:
        """Return the parameters as the driver takes them."""
        if self.constants:
            given = {**self.constants, **given}
        if self.is_positional:
            if self.lists:
                return [as_list(given[name]) if name in self.lists else given[name] for name in self.names]
            return [given[name] for name in self.names]
        return {**given, **{name: list(given[name]) for name in self.lists}} if self.lists else given


class Statement:
    """A statement with named parameters, compiled when an engine first runs it."""

    def __init__(self, made: ClauseElement) -> None:
        self._made = made
        self._forms: dict[str, _Form] = {}
        selected = made.selected_columns if isinstance(made, SelectBase) else ()
        self.columns: tuple[str, ...] = tuple(str(column.name) for column in selected)

    def form(self, dialect: Dialect) -> _Form:
        """Return its text and parameters for an engine."""
        form = self._forms.get(dialect.name)
        return self._compiled(dialect) if form is None else form

    def _compiled(self, dialect: Dialect) -> _Form:
        compiled: Any = self._made.compile(dialect=dialect)
        names = tuple(compiled.positiontup or compiled.params)
        is_positional = compiled.positiontup is not None
        form = self._forms[dialect.name] = _Form(
            compiled.string,
            names,
            {name: value for name, value in compiled.params.items() if value is not None},
            frozenset(name for name in names if isinstance(compiled.binds[name].type, ListOfText)),
            is_positional,
        )
        return form


def run(connection: Connection, statement: Statement, given: Mapping[str, Any]) -> list[Any]:
    """Run a statement inside the connection's transaction and return its rows, if it has any."""
    form = statement.form(connection.dialect)
    return drive(connection, form.text, form.values(given), given)


def run_many(connection: Connection, statement: Statement, given: Sequence[Mapping[str, Any]]) -> None:
    """Run a statement that returns nothing for each of several sets of parameters."""
    form = statement.form(connection.dialect)
    drive_many(connection, form.text, [form.values(one) for one in given], given)


# The forms that most statements have


def within_story(table: Table) -> ColumnElement[bool]:
    """Match the rows of one story."""
    return table.c.project_id == bindparam(STORY)


def in_story(table: Table, *conditions: ColumnElement[bool]) -> Statement:
    """Make the statement that selects the rows of a story with some conditions."""
    return Statement(select(table).where(within_story(table), *conditions))


def listed(column: Column[Any]) -> ColumnElement[bool]:
    """Match a column against any number of values."""
    return any_listed(column, LISTED)


def rows_by(column: Column[Any], *order: Any) -> Statement:
    """Make the statement that selects the rows of a story where a column has one of the listed values."""
    table: Table = column.table
    return Statement(select(table).where(within_story(table), listed(column)).order_by(*order))
