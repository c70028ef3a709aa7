"""A projection: data derived from a story's rows that follows its change log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Protocol

from fabula.store.changes import Changes, changes_between
from fabula.store.reader import Edition
from fabula.store.rowkind import RowKind
from fabula.store.store import Store

NOWHERE = Edition("", 0)
MOST_TRIES = 10

# Called with what is done and the total; returns False to stop the work.
ProjectionProgress = Callable[[int, int], bool]


def unheeded(done: int, total: int) -> bool:
    """Ignore the progress, and continue."""
    return True


class Overtaken(Exception):
    """Another process has advanced the projection in the meantime."""


class Projection(Protocol):
    """Data that is derived from the rows of stories, kept beside them, and can be rebuilt at any time.

    Every kind of row is either followed (`kinds`) or explicitly ignored (`waived`). Beyond `most_changes`,
    rebuilding is faster than following the log.
    """

    name: str
    kinds: frozenset[RowKind]
    waived: frozenset[RowKind]
    most_changes: int

    def position(self, story: str) -> Edition:
        """Return the edition the projection holds; NOWHERE if none, or one that cannot be followed."""

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        """Move from `changes.since` to `changes.until`; False if the report said to stop.

        Raises Overtaken if the projection is no longer at `changes.since`.
        """

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        """Rebuild everything from the current rows; False if the report said to stop."""


def catch_up(
    store: Store,
    projection: Projection,
    story: str,
    report: ProjectionProgress = unheeded,
    *,
    anew: bool = False,
    expected: Edition | None = None,
) -> bool:
    """Bring a projection up to date, from the changes or by a rebuild; False if the report said to stop.

    Nothing is done if it is already at `expected`. Raises NotFound if there is no such story, and Overtaken
    if other processes keep advancing the projection.
    """
    for _ in range(MOST_TRIES):
        at = NOWHERE if anew else projection.position(story)
        if at == expected:
            return True
        try:
            return _catch_up(store, projection, story, at, report)
        except Overtaken:
            continue
    raise Overtaken


def _catch_up(
    store: Store, projection: Projection, story: str, at: Edition, report: ProjectionProgress
) -> bool:
    with ExitStack() as view:
        reader = view.enter_context(store.read())
        reader.story(story)
        now = reader.edition(story)
        if at == now:
            return True
        changes = changes_between(reader, story, at, now, projection.most_changes, view.close)
        if changes is not None:
            return projection.apply(story, changes, report)
    return projection.rebuild(story, report)
