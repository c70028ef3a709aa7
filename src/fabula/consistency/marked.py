"""A text whose names are single marks, so that patterns can speak of people."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

from fabula.model.context import MatchPlace

FIRST_MARK = 0xE000
MOST_MARKS = 0x1800
PERSON = "[\ue000-\uf7ff]"
NAMES = "\ue000-\uf7ff"

_OWN = re.compile(PERSON)


class MarkedText:
    """A text in which every name of a known entity is one character of the private use area.

    A name that several entities share is left as it is.
    """

    def __init__(self, text: str, named: Mapping[str, list[MatchPlace]]) -> None:
        self.text = text
        # Characters of its own from that area are no marks.
        text = _OWN.sub("\ufffd", text)
        self.ids = list(named)[:MOST_MARKS]
        owners: dict[tuple[int, int], int | None] = {}
        for number, entity_id in enumerate(self.ids):
            for place in named[entity_id]:
                if place.kind != "keyword":
                    span = (place.start, place.end)
                    owners[span] = None if span in owners else number
        parts: list[str] = []
        self._marked_at: list[int] = []
        self._shift: list[int] = []
        done = length = 0
        for (start, end), owner in sorted(owners.items(), key=lambda one: (one[0][0], -one[0][1])):
            if start < done:
                continue
            if owner is None:
                # A longer ambiguous name still covers the shorter ones in it.
                parts.append(text[done:end])
                length += end - done
            else:
                parts += [text[done:start], chr(FIRST_MARK + owner)]
                length += start - done + 1
                self._marked_at.append(length)
                self._shift.append(end - length)
            done = end
        parts.append(text[done:])
        self.marked = "".join(parts)

    def origin(self, place: int) -> int:
        """Return where a place of the marked text is in the text itself."""
        before = bisect_right(self._marked_at, place) - 1
        return place if before < 0 else place + self._shift[before]

    def who(self, mark: str) -> str:
        """Return the id of the entity that a mark stands for."""
        return self.ids[ord(mark) - FIRST_MARK]

    def plain(self, start: int, end: int) -> str:
        """Return the text itself between two places of the marked text."""
        return self.text[self.origin(start) : self.origin(end)]


def is_mark(character: str) -> bool:
    """Whether a character stands for an entity."""
    return "\ue000" <= character <= "\uf7ff"
