"""Versions of stored values."""

from __future__ import annotations

from typing import Any, TypeVar

from fabula.errors import Conflict, FabulaError
from fabula.model.wire import Value
from fabula.store.writer import Writer

ValueT = TypeVar("ValueT", bound=Value)


def touched(writer: Writer, value: ValueT, **changes: Any) -> ValueT:
    """Return the value with its changes and the next version."""
    version: int = value.version + 1  # type: ignore[attr-defined]
    return value.model_copy(update={**changes, "version": version, "updated_at": writer.now})


def refuse_stale_version(
    name: str, version: int, expected: int | None, latest: Value, refusal: type[FabulaError] = Conflict
) -> None:
    """Refuse a change to something that has changed since it was read."""
    if expected is not None and expected != version:
        raise refusal(
            f"{name} is at version {version}, not at version {expected}: it was changed by somebody else.",
            details={
                "expectedVersion": expected,
                "latestVersion": version,
                "latestSnapshot": latest.model_dump(mode="json", by_alias=True),
            },
        )
