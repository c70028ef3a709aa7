"""The few forms of queries that every reader uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, select

from fabula.store.page import Page
from fabula.store.rowkind import Row
from fabula.store.statement import Statement, run


class Querying:
    """Runs queries inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def fetch(self, statement: Statement, **given: Any) -> list[Any]:
        """Return the rows of a statement that is made once, as tuples."""
        return run(self.connection, statement, given)

    def fetch_rows(self, statement: Statement, **given: Any) -> list[Row]:
        """Return the rows of such a statement by column."""
        names = statement.columns
        return [dict(zip(names, row, strict=True)) for row in run(self.connection, statement, given)]

    def fetch_row(self, statement: Statement, **given: Any) -> Row | None:
        """Return the only row of such a statement by column, or None."""
        rows = self.fetch_rows(statement, **given)
        return rows[0] if rows else None

    def one(self, query: Any) -> Mapping[Any, Any] | None:
        """Return the only row, or None."""
        return self.connection.execute(query).mappings().one_or_none()

    def all(self, query: Any) -> list[Row]:
        """Return all rows."""
        result = self.connection.execute(query)
        names = tuple(result.keys())
        return [dict(zip(names, row, strict=True)) for row in result.all()]

    def scalar(self, query: Any) -> Any:
        """Return the only value."""
        return self.connection.execute(query).scalar_one()

    def count(self, table: Table, conditions: Sequence[ColumnElement[bool]]) -> int:
        """Return the number of rows."""
        counted: int = self.scalar(select(func.count()).select_from(table).where(*conditions))
        return counted

    def newest_first(
        self,
        table: Table,
        conditions: Sequence[ColumnElement[bool]],
        limit: int,
        offset: int,
        total: int | None = None,
    ) -> Page[Row]:
        """Return a page of the rows, newest change first, ties by id; counts unless `total` is given."""
        rows = self.all(
            select(table)
            .where(*conditions)
            .order_by(table.c.updated_at.desc(), table.c.id)
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(rows), self.count(table, conditions) if total is None else total)


def of_story(table: Table, project_id: str) -> Any:
    """Select all rows of one story."""
    return select(table).where(table.c.project_id == project_id)
