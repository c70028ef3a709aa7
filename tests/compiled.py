"""Statements compiled once for all the databases of a run, of which tests open hundreds."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, event


class SharedStatements(dict[tuple[Any, ...], Any]):
    """What was compiled for one database, found again by the others of its engine: all are set up alike."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """What was compiled, whichever database it was for."""
        return super().get(_of_the_engine(key), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(_of_the_engine(key), compiled)


def _of_the_engine(key: tuple[Any, ...]) -> tuple[Any, ...]:
    dialect, *statement = key
    return (dialect.name, *statement)


_SHARED = SharedStatements()


def share_compiled_statements() -> None:
    """Let every database that this process opens from now on use one store of compiled statements."""

    @event.listens_for(Engine, "engine_connect")
    def _share(connection: Connection) -> None:
        connection.execution_options(compiled_cache=_SHARED)
