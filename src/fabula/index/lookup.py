"""What a search looks up by a few characters: names and aliases of entities, and custom lorebook entries."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from sys import intern
from typing import Any, NamedTuple

import numpy as np
import orjson

from fabula.index.arrays import Mask
from fabula.index.name_parts import PartIndex
from fabula.index.roster import Roster
from fabula.model.names import name_key, search_fold
from fabula.store.graph_rows import other_names
from fabula.store.reader import Reader
from fabula.store.scans import scan_custom_entries, scan_titles


class Titled(NamedTuple):
    """What a list shows of an entity: its name, its type, and since when it is."""

    name: str
    kind: str
    chapter: int | None
    scene: int | None


class Lookup:
    """Names by slot with the types of their bearers, and the texts of entries without an entity."""

    def __init__(self, reader: Reader, project_id: str, roster: Roster) -> None:
        self._roster = roster
        self.titles: dict[int, Titled] = {}
        self._sizes = array("i")
        self.names = PartIndex(
            (roster.slot_of[key], self._called(roster.slot_of[key], aliases, names, titled))
            for key, aliases, names, *titled in scan_titles(reader, project_id)
        )
        self._entries: list[str] = []
        self._priorities: list[int] = []
        self._numbers: dict[str, int] = {}
        self.entries = PartIndex(
            (self._number(entry_id, priority), text)
            for entry_id, priority, text in scan_custom_entries(reader, project_id)
        )

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return self.names.weight + self.entries.weight + 150 * (len(self.titles) + len(self._entries))

    def keys(self, slot: int) -> list[str]:
        """The folded name of an entity and its folded aliases."""
        return self.names.text_of(slot).split("\n")

    def named_like(self, part: str, allowed: Mask, limit: int) -> list[int]:
        """The allowed entities that have a folded text in a name or alias, those with the shortest names."""
        found = self.names.containing(part)
        found = found[allowed[found]]
        if len(found) > limit:
            sizes = np.frombuffer(self._sizes, np.int32)[found]
            found = found[sizes <= np.partition(sizes, limit - 1)[limit - 1]]
        ids, titles = self._roster.ids, self.titles
        return sorted(found.tolist(), key=lambda slot: (len(titles[slot].name), ids[slot]))[:limit]

    def entries_with(self, part: str) -> list[str]:
        """The entries without an entity that contain a folded text, the highest priority first."""
        found = self.entries.containing(part).tolist()
        found.sort(key=lambda number: (-self._priorities[number], self._entries[number]))
        return [self._entries[number] for number in found]

    def entity_changed(self, slot: int, after: dict[str, Any]) -> None:
        """Follow a change of an entity."""
        titled = (after[key] for key in ("name", "type", "since_chapter", "since_scene"))
        text = self._called(slot, after["aliases_json"], after.get("names_json"), titled)
        if self.names.text_of(slot) != text:
            self.names.put(slot, text)

    def entity_gone(self, slot: int) -> None:
        """Remove an entity."""
        self.titles.pop(slot, None)
        self.names.drop(slot)

    def entry_changed(self, entry_id: str, after: dict[str, Any] | None) -> None:
        """Follow a change of an entry."""
        if after is None or after["entity_id"] is not None:
            if entry_id in self._numbers:
                self.entries.drop(self._numbers[entry_id])
            return
        words = (after["entry_key"], after["display_name"], *orjson.loads(after["keywords_json"]))
        self.entries.put(self._number(entry_id, after["priority"]), search_fold(*words, after["content"]))

    def _called(self, slot: int, aliases_json: str, names_json: str | None, titled: Iterable[Any]) -> str:
        name, kind, *since = titled
        self.titles[slot] = Titled(name, intern(kind), *since)
        if slot >= len(self._sizes):
            self._sizes.extend([0] * (slot + 1 - len(self._sizes)))
        self._sizes[slot] = len(name)
        return "\n".join(map(name_key, (name, *other_names(name, aliases_json, names_json))))

    def _number(self, entry_id: str, priority: int) -> int:
        number = self._numbers.setdefault(entry_id, len(self._entries))
        if number == len(self._entries):
            self._entries.append(entry_id)
            self._priorities.append(priority)
        self._priorities[number] = priority
        return number
