"""What changed in stories, for those who listen to them now."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fabula.projections.projection import NOWHERE, Report, unheeded
from fabula.store.changes import ALL_KINDS, Changes
from fabula.store.reader import Edition
from fabula.store.rowkind import RowKind
from fabula.store.store import Store

# More than this many rows are not named one by one.
MOST_IDS = 200
# Beyond this many changes, nobody is told what they were.
FOLLOWED_CHANGES = 5_000


class ChangeEvent(NamedTuple):
    """What changed up to an edition: kinds of rows and their ids, where None is everything of these kinds."""

    edition: Edition
    kinds: frozenset[str]
    ids: frozenset[str] | None

    def after(self, earlier: ChangeEvent) -> ChangeEvent:
        """This and what came before it in one."""
        ids = None if self.ids is None or earlier.ids is None else self.ids | earlier.ids
        return ChangeEvent(self.edition, self.kinds | earlier.kinds, _few(ids))


def _few(ids: frozenset[str] | None) -> frozenset[str] | None:
    return None if ids is None or len(ids) > MOST_IDS else ids


class LiveEvents:
    """Tells what changed in the stories that somebody listens to."""

    name = "live"
    # A kind is told by its name, whatever it is.
    kinds = ALL_KINDS
    waived: frozenset[RowKind] = frozenset()
    most_changes = FOLLOWED_CHANGES

    def __init__(self, store: Store, tell: Callable[[str, ChangeEvent], None]) -> None:
        self._store, self._tell = store, tell
        self._told: dict[str, Edition] = {}

    def begin(self, story: str, heard: Edition) -> None:
        """Somebody listens to a story from this edition on; those who listen already have heard as much."""
        self._told.setdefault(story, heard)

    def end(self, story: str) -> None:
        """Nobody listens to a story any more."""
        self._told.pop(story, None)

    def position(self, story: str) -> Edition:
        """Up to which edition everybody was told."""
        return self._told.get(story, NOWHERE)

    def apply(self, story: str, changes: Changes, report: Report = unheeded) -> bool:
        """Tell which rows changed."""
        touched = list(changes.touched(self.kinds))
        names = frozenset(kind.name for kind, _ in touched)
        ids = _few(frozenset(row_id for _, row_id in touched))
        self._say(story, ChangeEvent(changes.until, names, ids))
        return True

    def rebuild(self, story: str, report: Report = unheeded) -> bool:
        """Tell that everything may have changed."""
        with self._store.read() as reader:
            edition = reader.edition(story)
        self._say(story, ChangeEvent(edition, frozenset(kind.name for kind in self.kinds), None))
        return True

    def _say(self, story: str, event: ChangeEvent) -> None:
        self._told[story] = event.edition
        self._tell(story, event)
