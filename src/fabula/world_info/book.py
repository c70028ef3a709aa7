"""A World Info book, compiled once and scanned many times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from fabula.collector import collector_paused
from fabula.world_info.entry import SOURCES, CompiledEntry
from fabula.world_info.key_index import KeyIndex
from fabula.world_info.loose import number, truthy
from fabula.world_info.macros import MacroNames, has_macros, substituted
from fabula.world_info.text import MOST_MESSAGES

_MOST_NAMES = 8


class CompiledBook:
    """A book that is ready to be scanned; it never changes and can be shared between scans."""

    def __init__(self, name: str, entries: Sequence[CompiledEntry], unreadable: int) -> None:
        self.name = name
        self.entries = tuple(entries)
        self.unreadable = unreadable
        self.timed: list[CompiledEntry] = []
        self.waiting: list[CompiledEntry] = []
        self.depth = 0.0
        sources: set[int] = set()
        self._with_macros: list[CompiledEntry] = []
        plain: list[CompiledEntry] = []
        always: list[int] = []
        for entry in self.entries:
            raw = entry.raw
            if raw.get("sticky") or raw.get("cooldown"):
                self.timed.append(entry)
            if raw.get("delayUntilRecursion"):
                self.waiting.append(entry)
            if entry.disabled or not entry.is_readable:
                continue
            depth = raw.get("scanDepth")
            if depth is not None and (depth := number(depth)) > self.depth:
                self.depth = min(depth, MOST_MESSAGES)
            for place, source in enumerate(SOURCES):
                if raw.get(source) and truthy(raw[source]):
                    sources.add(place)
            if entry.activates or truthy(raw.get("constant")):
                always.append(entry.index)
            elif entry.keys:
                (self._with_macros if any(map(has_macros, entry.keys)) else plain).append(entry)
        self.sources = tuple(sorted(sources))
        self.always = tuple(always)
        self._plain = KeyIndex((entry.index, entry.keys) for entry in plain)
        self._named: OrderedDict[MacroNames, KeyIndex] = OrderedDict()
        self._lock = Lock()
        self._hashes: dict[str, CompiledEntry] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def indexes(self, names: MacroNames) -> Iterable[KeyIndex]:
        """The indexes of all keys: of those without macros, and of the others for these names."""
        yield self._plain
        if self._with_macros:
            yield self._index_for(names)

    def _index_for(self, names: MacroNames) -> KeyIndex:
        with self._lock:
            known = self._named.get(names)
            if known is not None:
                self._named.move_to_end(names)
                return known
        made = KeyIndex(
            (entry.index, tuple(substituted(key, names) for key in entry.keys)) for entry in self._with_macros
        )
        with self._lock:
            self._named[names] = made
            if len(self._named) > _MOST_NAMES:
                self._named.popitem(last=False)
        return made

    def by_hash(self, fingerprint: str) -> CompiledEntry | None:
        """The entry with timed effects that has this fingerprint."""
        if self._hashes is None:
            hashes: dict[str, CompiledEntry] = {}
            for entry in self.timed:
                hashes.setdefault(entry.hash, entry)
            self._hashes = hashes
        return self._hashes.get(fingerprint)


def compile_book(
    name: str,
    entries: Mapping[str, Any] | Sequence[Any],
    ref: Callable[[Mapping[str, Any]], object] | None = None,
) -> CompiledBook:
    """The compiled form of a book's entries, raw World Info objects in the order of the file.

    `ref` gives each entry what the caller finds it by; without it that is the uid. What is no object is left
    out and counted.
    """
    with collector_paused():
        return _compiled(name, entries, ref)


def _compiled(
    name: str,
    entries: Mapping[str, Any] | Sequence[Any],
    ref: Callable[[Mapping[str, Any]], object] | None,
) -> CompiledBook:
    rows = entries.values() if isinstance(entries, Mapping) else entries
    compiled: list[CompiledEntry] = []
    unreadable = 0
    for raw in rows:
        if isinstance(raw, Mapping):
            compiled.append(
                CompiledEntry(name, len(compiled), raw, raw.get("uid") if ref is None else ref(raw))
            )
        else:
            unreadable += 1
    return CompiledBook(name, compiled, unreadable)
