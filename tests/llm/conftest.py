"""A played endpoint for every test that wants one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from endpoints import Connected, connected


@pytest.fixture
def house() -> Iterator[Connected]:
    with connected() as running:
        yield running
