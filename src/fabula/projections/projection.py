"""A projection: something made from a story's rows that follows its change log."""

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

# Told how much of how much is done; False if the work is to stop.
Report = Callable[[int, int], bool]


def unheeded(done: int, total: int) -> bool:
    """Report to nobody, and go on."""
    return True


class Overtaken(Exception):
    """Another process has moved the projection on in the meantime."""


class Projection(Protocol):
    """Something that is made from the rows of stories, kept beside them, and can be made again at will.

    Every kind of row is either followed (`kinds`) or explicitly of no interest (`waived`). Beyond
    `most_changes` it is quicker to rebuild than to follow.
    """

    name: str
    kinds: frozenset[RowKind]
    waived: frozenset[RowKind]
    most_changes: int

    def position(self, story: str) -> Edition:
        """Which edition of a story the projection holds; NOWHERE if none, or one that cannot be followed."""

    def apply(self, story: str, changes: Changes, report: Report = unheeded) -> bool:
        """Move from `changes.since` to `changes.until`; False if the report said stop.

        Overtaken if the projection is no longer at `changes.since`.
        """

    def rebuild(self, story: str, report: Report = unheeded) -> bool:
        """Make everything again from the rows as they are now; False if the report said stop."""


def catch_up(
    store: Store,
    projection: Projection,
    story: str,
    report: Report = unheeded,
    *,
    anew: bool = False,
    expected: Edition | None = None,
) -> bool:
    """Bring a projection to where its story is now, by the changes or anew; False if the report said stop.

    One that is where the caller expects it is left alone. NotFound if there is no such story; Overtaken if
    others move the projection on again and again.
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


def _catch_up(store: Store, projection: Projection, story: str, at: Edition, report: Report) -> bool:
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
