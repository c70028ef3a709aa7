"""What happened to a story: the steps of its change log."""

from __future__ import annotations

from typing import Any

from fabula.model.wire import Value


class RowChange(Value):
    """One row before and after one step."""

    kind: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Step(Value):
    """One transaction: who did what, and whether it still counts."""

    revision: int
    at: str
    actor: str
    action: str
    reverts: int | None
    reverted_by: int | None
    change_count: int
    changes: tuple[RowChange, ...]
