"""What tests share: a fresh memory on a real SQLite file, and one story in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from doors import Server, serving
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

# A busy machine is no reason to fail.
settings.register_profile("fabula", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fabula")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "fabula.db") as opened:
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
