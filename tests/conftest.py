"""What tests share: a fresh memory on a real SQLite file, and one story in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabula.memory import Memory, StoryMemory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "fabula.db") as opened:
        yield opened


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("测试", language="zh")
