"""What tests share: a fresh memory on a real database, and one story in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from compiled import share_compiled_statements
from doors import Server, serving
from effort import examples
from fabula.memory import Memory
from fabula.story_memory import StoryMemory
from lasting import wait_for_no_disk
from postgres import ON_POSTGRESQL, SERVER, databases, place_at, running_with_template

# A busy machine is no reason to fail.
settings.register_profile(
    "fabula", max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# Rules about all inputs are tried on SQLite; on another engine it is enough to see that they hold there, too.
settings.register_profile("postgresql", settings.get_profile("fabula"), max_examples=10)
settings.load_profile("postgresql" if ON_POSTGRESQL else "fabula")

wait_for_no_disk()
share_compiled_statements()

_session = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Start the server before the workers, which find it in their environment."""
    if ON_POSTGRESQL and SERVER not in os.environ:
        os.environ[SERVER] = _session.enter_context(running_with_template())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop it if it was started here."""
    _session.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes comes first; on another engine, what is about SQLite's file is passed over."""
    # Whoever is ready takes work from the others: at the end there should be small things to take.
    items.sort(key=lambda item: item.path.parent.name != "browser")
    if not ON_POSTGRESQL:
        return
    for item in items:
        mark = item.get_closest_marker("sqlite_only")
        if mark is not None:
            item.add_marker(pytest.mark.skip(reason=f"sqlite only: {mark.kwargs['reason']}"))


@pytest.fixture(autouse=True)
def _databases_come_back(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test kept in its folder is gone after it, in a database as in a file."""
    folder: Path | None = request.getfixturevalue("tmp_path") if ON_POSTGRESQL else None
    yield
    if folder is not None:
        databases().come_back(folder)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db")) as opened:
        yield opened


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("测试", language="zh")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One `fabula serve` for all tests of a worker; each test begins a story of its own."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def told(server: Server) -> str:
    """The id of a fresh story on the server."""
    return server.new_story()


# What differs between engines is not in the graph server: there one is enough.
@pytest.fixture(scope="session", params=["neo4j"] if ON_POSTGRESQL else ["neo4j", "arcadedb"])
def graph_uri(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a real graph server that all tests of a run share; each works on stories of its own."""
    from graph_server import shared_server

    own = tmp_path_factory.getbasetemp()
    return shared_server(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own, request.param)
