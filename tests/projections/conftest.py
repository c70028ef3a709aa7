"""What the tests of the mirror share."""

from __future__ import annotations

import pytest


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stories of a hundred people are large ones."""
    monkeypatch.setattr("fabula.projections.mirror.AT_ONCE", 50)
    monkeypatch.setattr("fabula.projections.mirror_changes.BATCH", 40)
    monkeypatch.setattr("fabula.projections.mirror.REMOVED_AT_ONCE", 70)
