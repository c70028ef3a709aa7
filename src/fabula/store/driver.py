"""Texts of statements, run by the driver itself inside a transaction of SQLAlchemy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

# The option under which listeners find the parameters by name, where the driver takes them by position.
NAMED = "named"


def drive(connection: Connection, text: str, values: Any, named: Any = None) -> list[Any]:
    """Let the driver run the text of a statement; who listens to statements hears its `named` parameters."""
    if connection.dispatch.before_cursor_execute:
        given = tuple(values) if isinstance(values, list) else values
        result = connection.exec_driver_sql(text, given, execution_options={NAMED: [named or {}]})
        return list(map(tuple, result)) if result.returns_rows else []
    driver: Any = connection.connection.driver_connection
    try:
        cursor = driver.execute(text, values)
        return list(cursor.fetchall()) if cursor.description else []
    except connection.dialect.loaded_dbapi.Error as error:
        raise _told(connection, driver, text, error) from error


def drive_counting(connection: Connection, text: str, values: Any) -> int:
    """Let the driver run the text of a statement, and return how many rows it has written."""
    if connection.dispatch.before_cursor_execute:
        counted = {"preserve_rowcount": True}
        return connection.exec_driver_sql(text, values, execution_options=counted).rowcount
    driver: Any = connection.connection.driver_connection
    try:
        return int(driver.execute(text, values).rowcount)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _told(connection, driver, text, error) from error


def drive_many(connection: Connection, text: str, values: Sequence[Any], named: Any = ()) -> None:
    """Let the driver run the text of a statement for each of several sets of parameters."""
    if len(values) == 1:
        drive(connection, text, values[0], *named)
        return
    if connection.dispatch.before_cursor_execute:
        given = [tuple(one) if isinstance(one, list) else one for one in values]
        connection.exec_driver_sql(text, given, execution_options={NAMED: named})
        return
    driver: Any = connection.connection.driver_connection
    try:
        driver.cursor().executemany(text, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _told(connection, driver, text, error) from error


def _told(connection: Connection, driver: Any, text: str, error: Any) -> Any:
    """Return the driver's error as SQLAlchemy would raise it; a connection that is lost is given up."""
    dialect = connection.dialect
    is_lost = dialect.is_disconnect(error, driver, None)
    if is_lost and not connection.invalidated:
        connection.invalidate(error)
    return DBAPIError.instance(
        text, None, error, dialect.loaded_dbapi.Error, connection_invalidated=is_lost, dialect=dialect
    )
