"""Where the texts of active entries go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fabula.world_info.entry import CompiledEntry
from fabula.world_info.loose import text_of
from fabula.world_info.result import DepthBlock

_LISTS = {0: "before", 1: "after", 2: "an_top", 3: "an_bottom", 5: "em_top", 6: "em_bottom"}
_AT_DEPTH = 4
_OUTLET = 7


@dataclass
class ScanPlaces:
    """The texts by place; all lists but the outlets have the highest order last."""

    lists: dict[str, list[str]] = field(default_factory=dict)
    at_depth: dict[object, tuple[Any, Any, list[str]]] = field(default_factory=dict)
    outlets: dict[str, list[str]] = field(default_factory=dict)

    def put(self, entry: CompiledEntry, content: str) -> None:
        """Put the text of an entry where its position says; entries come by falling order."""
        if entry.position in _LISTS:
            self.lists.setdefault(_LISTS[int(entry.position)], []).append(content)
        elif entry.position == _AT_DEPTH:
            # An entry without a depth has a block of its own, which no other entry joins.
            depth, role = entry.depth, entry.role
            key = (id(entry),) if depth is None else (text_of(depth), text_of(role))
            self.at_depth.setdefault(key, (depth, role, []))[2].append(content)
        elif entry.position == _OUTLET and entry.outlet:
            self.outlets.setdefault(entry.outlet, []).append(content)

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a list, the one of the highest order last."""
        return tuple(reversed(self.lists.get(name, [])))

    def blocks(self) -> tuple[DepthBlock, ...]:
        """The texts at depth, the block of the highest order first."""
        return tuple(
            DepthBlock(depth, role, tuple(reversed(contents)))
            for depth, role, contents in self.at_depth.values()
        )


def placed(active: Iterable[tuple[CompiledEntry, str]]) -> ScanPlaces:
    """The texts of active entries at their places; an empty text has none."""
    places = ScanPlaces()
    for entry, content in sorted(active, key=lambda pair: -pair[0].order):
        if content:
            places.put(entry, content)
    return places
