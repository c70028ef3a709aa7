"""The logged changes of a story between a projection's position and a reader's view."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabula.store.kinds import KINDS
from fabula.store.reader import Edition, Reader
from fabula.store.rowkind import RowKind

ALL_KINDS = frozenset(KINDS.values())


class LoggedChange(NamedTuple):
    """A change to one row; an image is JSON, or None where there was no row."""

    kind: RowKind
    row_id: str
    before_json: str | None
    after_json: str | None


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes to a story after `since` up to `until`, which is the reader's view."""

    reader: Reader
    story: str
    since: Edition
    until: Edition
    release: Callable[[], None] = lambda: None
    """Closes the reader early, for those who have read all they need and still have a lot to do."""

    def touched(self, kinds: Collection[RowKind]) -> Iterator[tuple[RowKind, str]]:
        """Yield the rows of these kinds that changed, each once."""
        for name, row_id in self.reader.log.touched_since(self.story, self.since.revision, _names(kinds)):
            yield KINDS[name], row_id

    def results(self, kinds: Collection[RowKind]) -> Iterator[LoggedChange]:
        """Yield the changes to rows of these kinds in order, without their images before."""
        for name, row_id, after in self.reader.log.changes_since(
            self.story, self.since.revision, _names(kinds)
        ):
            yield LoggedChange(KINDS[name], row_id, None, after)

    def images(self, kinds: Collection[RowKind]) -> Iterator[LoggedChange]:
        """Yield the changes to rows of these kinds in order, with their images before and after."""
        for name, *rest in self.reader.log.images_since(self.story, self.since.revision, _names(kinds)):
            yield LoggedChange(KINDS[name], *rest)


def changes_between(
    reader: Reader,
    story: str,
    since: Edition,
    until: Edition,
    at_most: int,
    release: Callable[[], None] = lambda: None,
) -> Changes | None:
    """Return the changes from one edition to another; None if rebuilding is better."""
    is_same = since.began == until.began and 0 < since.revision <= until.revision
    if not is_same or reader.log.change_count_since(story, since.revision) > at_most:
        return None
    return Changes(reader, story, since, until, release)


def _names(kinds: Collection[RowKind]) -> list[str]:
    return sorted(kind.name for kind in kinds)
