"""Bounded caches of values, so that the neighbourhood of a main character is not read again each time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class TextCache(Generic[ValueT]):
    """A cache of values computed from texts, bounded in bytes; the oldest is evicted first."""

    def __init__(self, max_bytes: int, bytes_each: int = 200) -> None:
        self._room = self._max_bytes = max_bytes
        self._bytes_each = bytes_each
        self._values: dict[Hashable, tuple[ValueT, int]] = {}

    def take(self, text: str, find: Callable[[], ValueT], *, beside: Hashable = None) -> ValueT:
        """The cached value for a text, computed if missing; `beside` is an additional part of the key."""
        key = (text, beside)
        known = self._values.get(key)
        if known is not None:
            return known[0]
        value, size = find(), 4 * len(text) + self._bytes_each
        if size <= self._max_bytes:
            self._room -= size
            while self._room < 0:
                _, freed = self._values.pop(next(iter(self._values)))
                self._room += freed
            self._values[key] = value, size
        return value


class ValueCache(Generic[ValueT]):
    """A cache of values by id, bounded in number."""

    def __init__(self, capacity: int, bytes_each: int = 1_000) -> None:
        self._capacity = capacity
        self._bytes_each = bytes_each
        self._values: dict[str, ValueT] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self._values) * self._bytes_each

    def take(self, ids: Iterable[str], fetch: Callable[[list[str]], dict[str, ValueT]]) -> list[ValueT]:
        """The values for these ids, in order; missing ones are fetched."""
        wanted = list(ids)
        missing = [key for key in wanted if key not in self._values]
        if missing:
            if len(self._values) + len(missing) > self._capacity:
                self._values.clear()
                missing = wanted
            self._values.update(fetch(missing))
        return [self._values[key] for key in wanted]

    def drop(self, key: str) -> None:
        """Remove a value."""
        self._values.pop(key, None)
