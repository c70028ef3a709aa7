"""Notifications of what changed in stories, for those who watch them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fabula.projections.projection import NOWHERE, ProjectionProgress, unheeded
from fabula.store.changes import ALL_KINDS, Changes
from fabula.store.reader import Edition
from fabula.store.rowkind import RowKind
from fabula.store.store import Store

# Above this number, ids are not listed.
MOST_IDS = 200
# Beyond this many changes, events do not say what changed.
FOLLOWED_CHANGES = 5_000


class ChangeEvent(NamedTuple):
    """What changed up to an edition: kinds of rows and their ids, or None for all rows of these kinds."""

    edition: Edition
    kinds: frozenset[str]
    ids: frozenset[str] | None

    def after(self, earlier: ChangeEvent) -> ChangeEvent:
        """Merge this event with an earlier one."""
        ids = None if self.ids is None or earlier.ids is None else self.ids | earlier.ids
        return ChangeEvent(self.edition, self.kinds | earlier.kinds, _few(ids))


def _few(ids: frozenset[str] | None) -> frozenset[str] | None:
    return None if ids is None or len(ids) > MOST_IDS else ids


class LiveEvents:
    """Notifies of changes in the stories that are being watched."""

    name = "live"
    # Every kind is reported by its name.
    kinds = ALL_KINDS
    waived: frozenset[RowKind] = frozenset()
    most_changes = FOLLOWED_CHANGES

    def __init__(self, store: Store, tell: Callable[[str, ChangeEvent], None]) -> None:
        self._store, self._tell = store, tell
        self._told: dict[str, Edition] = {}

    def begin(self, story: str, heard: Edition) -> None:
        """Start watching a story from this edition on, unless it is watched already."""
        self._told.setdefault(story, heard)

    def end(self, story: str) -> None:
        """Stop watching a story."""
        self._told.pop(story, None)

    def position(self, story: str) -> Edition:
        """Return the edition up to which everybody was notified."""
        return self._told.get(story, NOWHERE)

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        """Report which rows changed."""
        touched = list(changes.touched(self.kinds))
        names = frozenset(kind.name for kind, _ in touched)
        ids = _few(frozenset(row_id for _, row_id in touched))
        self._say(story, ChangeEvent(changes.until, names, ids))
        return True

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        """Report that everything may have changed."""
        with self._store.read() as reader:
            edition = reader.edition(story)
        self._say(story, ChangeEvent(edition, frozenset(kind.name for kind in self.kinds), None))
        return True

    def _say(self, story: str, event: ChangeEvent) -> None:
        self._told[story] = event.edition
        self._tell(story, event)
