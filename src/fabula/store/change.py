"""A change to one row, as recorded in the log."""

from __future__ import annotations

from typing import NamedTuple

from fabula.store.rowkind import Row, RowKind

PLACE = ("layout_x", "layout_y")


class Change(NamedTuple):
    """The images of a row before and after a change."""

    kind: RowKind
    row_id: str
    before: Row | None
    after: Row | None

    @property
    def operation(self) -> str:
        """The kind of change."""
        if self.before is None:
            return "add"
        return "remove" if self.after is None else "replace"

    @property
    def moves(self) -> bool:
        """Whether the change moves the row in the graph layout."""
        return None not in (self.before, self.after) and place_in(self.before) != place_in(self.after)

    def reversed(self) -> Change:
        """Return the inverse change."""
        return Change(self.kind, self.row_id, self.after, self.before)


def place_in(image: Row | None) -> Row:
    """Return the row's position in the graph layout, if its kind has one."""
    return {name: image[name] for name in PLACE if name in image} if image else {}
