"""The changes made by part of a step, as its consequences see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import orjson

from fabula.model.names import name_key
from fabula.store.graph_rows import names_from
from fabula.store.rowkind import Row
from fabula.store.writer import Writer

_NO_ALIASES = "[]"


class RowTurn(NamedTuple):
    """The images of a row before and after all changes."""

    before: Row | None
    after: Row | None

    @property
    def has_other_type(self) -> bool:
        """Whether the entity still exists and has changed its type."""
        return bool(self.before and self.after and self.before["type"] != self.after["type"])


class Made:
    """The changes of a step from an index on, with the first and last image of every changed entity."""

    def __init__(self, writer: Writer, begun: int) -> None:
        self._writer, self._begun = writer, begun
        self.look_again()

    def look_again(self) -> None:
        """Include the changes made meanwhile."""
        self.changes = self._writer.done[self._begun :]
        self._turns: dict[str, dict[str, RowTurn]] = {}
        for change in self.changes:
            turns = self._turns.setdefault(change.kind.name, {})
            known = turns.get(change.row_id)
            turns[change.row_id] = RowTurn(known.before if known else change.before, change.after)
        self.entities = self.turns("entity")

    def turns(self, kind: str) -> Mapping[str, RowTurn]:
        """Return the first and last image of every changed row of a kind, by id."""
        return self._turns.get(kind, {})


def alias_keys(image: Row | None) -> set[str]:
    """Return the folded aliases and names with moments of an entity."""
    if image is None:
        return set()
    aliases = () if image["aliases_json"] == _NO_ALIASES else orjson.loads(image["aliases_json"])
    return {name_key(name) for name in (*aliases, *(one.name for one in names_from(image["names_json"])))}


def name_keys(image: Row | None) -> set[str]:
    """Return the folded name and aliases of an entity."""
    return set() if image is None else {name_key(image["name"]), *alias_keys(image)}
