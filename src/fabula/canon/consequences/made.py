"""What a part of a step has changed, as its consequences look at it."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from fabula.model.names import name_key
from fabula.store.rowkind import Row
from fabula.store.writer import Writer

_NO_ALIASES = "[]"


class RowTurn(NamedTuple):
    """A row before and after all changes, as images."""

    before: Row | None
    after: Row | None

    @property
    def has_other_type(self) -> bool:
        """Whether an entity stayed and has another type than before."""
        return bool(self.before and self.after and self.before["type"] != self.after["type"])


class Made:
    """The changes of a step from one of them on, and what became of every entity among them."""

    def __init__(self, writer: Writer, begun: int) -> None:
        self._writer, self._begun = writer, begun
        self.look_again()

    def look_again(self) -> None:
        """Take in what followed meanwhile."""
        self.changes = self._writer.done[self._begun :]
        self.entities = self.turns("entity")

    def turns(self, kind: str) -> dict[str, RowTurn]:
        """What became of every row of a kind, by its id."""
        turns: dict[str, RowTurn] = {}
        for change in self.changes:
            if change.kind.name == kind:
                known = turns.get(change.row_id)
                turns[change.row_id] = RowTurn(known.before if known else change.before, change.after)
        return turns


def alias_keys(image: Row | None) -> set[str]:
    """The folded aliases of an entity."""
    if image is None or image["aliases_json"] == _NO_ALIASES:
        return set()
    return set(map(name_key, orjson.loads(image["aliases_json"])))


def name_keys(image: Row | None) -> set[str]:
    """Everything that an entity is called, folded."""
    return set() if image is None else {name_key(image["name"]), *alias_keys(image)}
