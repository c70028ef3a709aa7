"""A change of one row, as the log keeps it."""

from __future__ import annotations

from typing import NamedTuple

from fabula.store.rowkind import Row, RowKind

PLACE = ("layout_x", "layout_y")


class Change(NamedTuple):
    """A row before and after, as images."""

    kind: RowKind
    row_id: str
    before: Row | None
    after: Row | None

    @property
    def operation(self) -> str:
        """What happened to the row."""
        if self.before is None:
            return "add"
        return "remove" if self.after is None else "replace"

    @property
    def moves(self) -> bool:
        """Whether the row stands elsewhere in the picture after it."""
        return None not in (self.before, self.after) and place_in(self.before) != place_in(self.after)

    def reversed(self) -> Change:
        """The change that takes this one back."""
        return Change(self.kind, self.row_id, self.after, self.before)


def place_in(image: Row | None) -> Row:
    """Where a row stands in the picture, if its kind does."""
    return {name: image[name] for name in PLACE if name in image} if image else {}
