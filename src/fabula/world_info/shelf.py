"""The books of a scan in the order in which their entries are considered."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.model.scan_settings import BookSource
from fabula.world_info.book import CompiledBook
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.question import Scan

_STRENGTH: tuple[BookSource, ...] = ("global", "chat", "persona", "character")
_EVENLY, _CHARACTER_FIRST = 0, 1

EntryRank = tuple[int, float, int, int]


class Shelved:
    """A book at its place: the section it is in, and its number among the books of the section."""

    __slots__ = ("_place", "_section", "book")

    def __init__(self, book: CompiledBook, section: int, place: int) -> None:
        self.book = book
        self._section = section
        self._place = place

    def rank(self, entry: CompiledEntry) -> EntryRank:
        """The priority of an entry: smaller is considered earlier."""
        return self._section, -entry.order, self._place, entry.index


def shelved(scan: Scan) -> Iterator[Shelved]:
    """The books of a scan; one that is active in several places counts in the strongest."""
    strategy = scan.settings.character_strategy
    section: dict[BookSource, int] = {
        "chat": 0,
        "persona": 1,
        "character": 2 if strategy in (_EVENLY, _CHARACTER_FIRST) else 3,
        "global": 2 if strategy != _CHARACTER_FIRST else 3,
    }
    taken: set[str] = set()
    place = 0
    for source in _STRENGTH:
        for book in scan.books.get(source, ()):
            if book.name not in taken:
                taken.add(book.name)
                yield Shelved(book, section[source], place)
                place += 1
