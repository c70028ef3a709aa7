"""Answers to single reads, kept as long as none of the rows they were made of changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

CAPACITY = 20_000
BYTES_EACH = 2_000
# The columns by which a new row belongs to what is shown with it.
_OWNERS = ("source_entity_id", "entity_id", "event_id")

Key = tuple[str, str]


class ShownValues:
    """Values as they are shown, by kind and id, and the ids of the rows that each was made of."""

    def __init__(self) -> None:
        self._values: dict[Key, Any] = {}
        self._made_of: dict[str, set[Key]] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self._values) * BYTES_EACH

    def get(self, kind: str, row_id: str) -> Any | None:
        """The value as it is shown, if it was kept."""
        return self._values.get((kind, row_id))

    def put(self, kind: str, row_id: str, value: Any, made_of: Iterable[str]) -> None:
        """Keep a value, made of its own row and of these."""
        if len(self._values) >= CAPACITY:
            self.clear()
        self._values[kind, row_id] = value
        for part in (row_id, *made_of):
            self._made_of.setdefault(part, set()).add((kind, row_id))

    def row_changed(self, row_id: str, after: Mapping[str, Any] | None) -> None:
        """Forget the values that a changed row is or becomes a part of."""
        self._forget(row_id)
        for name in _OWNERS if after else ():
            owner = after.get(name) if after else None
            if owner is not None:
                self._forget(owner)

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
        self._made_of.clear()

    def _forget(self, part: str) -> None:
        for key in self._made_of.pop(part, ()):
            self._values.pop(key, None)
