"""The steps of a story's change log."""

from __future__ import annotations

from typing import Any

from fabula.model.wire import Value


class RowChange(Value):
    """One row before and after a step."""

    kind: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Step(Value):
    """One transaction: who did what, and whether it has been undone."""

    revision: int
    at: str
    actor: str
    action: str
    reverts: int | None
    reverted_by: int | None
    change_count: int
    changes: tuple[RowChange, ...]
