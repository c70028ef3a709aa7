"""Four server processes on one database, on each engine, for all tests of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from endpoints import completion, connected
from fabula.store.place import DatabasePlace, PostgresPlace
from neighbours import Neighbours
from postgres import SERVER, ask, binaries, running
from required import missing

PROCESSES = 4


def _place(engine: str, folder: Path, opened: ExitStack) -> DatabasePlace:
    if engine == "sqlite":
        return folder / "fabula.db"
    if binaries() is None:
        missing("There is no PostgreSQL here: make postgresql")
    address = os.environ.get(SERVER) or opened.enter_context(running())
    name = f"service_{os.getpid()}"
    ask(f"{address}/postgres", f"CREATE DATABASE {name}")
    return PostgresPlace(f"{address}/{name}")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def four(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbours]:
    """They open a blank database together, and share a played model."""
    folder = tmp_path_factory.mktemp("service")
    with ExitStack() as opened:
        model = opened.enter_context(connected()).played
        model.plays(completion("[]"))
        place = _place(request.param, folder, opened)
        neighbours = opened.enter_context(Neighbours(folder, place, model, PROCESSES))
        yield neighbours
