"""A sentence whose names are single marks, so that patterns can speak of people and places."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabula.extraction.mentions import FoundMention

# Every mention of a sentence becomes one character of the private use area, by type and number.
MARKS = {"character": 0xE000, "location": 0xE400, "faction": 0xE800, "item": 0xEC00}
MOST_MARKS = 0x400
PERSON, PLACE, GROUP, THING = "[\ue000-\ue3ff]", "[\ue400-\ue7ff]", "[\ue800-\uebff]", "[\uec00-\uefff]"
NAMES = "\ue000-\uefff"


class Sentence(NamedTuple):
    """A sentence of the text with its names as marks; in speech, who speaks and to whom if that is known.

    `topic` is the one person of the sentence before, and `topics` the same for each sex.
    """

    start: int
    end: int
    marked: str
    mentions: tuple[FoundMention, ...]
    is_speech: bool = False
    speaker: FoundMention | None = None
    hearer: FoundMention | None = None
    topic: FoundMention | None = None
    topics: Mapping[str, FoundMention] = MappingProxyType({})
    sexes: Mapping[str, str] = MappingProxyType({})

    def mention(self, mark: str) -> FoundMention:
        """The mention that a mark stands for."""
        return self.mentions[(ord(mark) - MARKS["character"]) % MOST_MARKS]

    def people_before(self, place: int) -> dict[str, FoundMention]:
        """Who is named before a place of the sentence."""
        marks = (mark for mark in self.marked[:place] if "\ue000" <= mark <= "\ue3ff")
        return {one.text: one for one in map(self.mention, marks)}

    def one_before(self, place: int, sex: str) -> FoundMention | None:
        """The one person of a sex named before a place of the sentence."""
        named = [one for name, one in self.people_before(place).items() if self.sexes.get(name, sex) == sex]
        return named[0] if len(named) == 1 else None

    def topic_before(self, place: int) -> FoundMention | None:
        """The one person named before a place of the sentence, else the one of the sentence before."""
        named = self.people_before(place)
        if len(named) == 1:
            return next(iter(named.values()))
        return None if named else self.topic

    def plain(self, marked: str) -> str:
        """A part of the sentence with the names written out."""
        written = (self.mention(one).text if "\ue000" <= one <= "\uefff" else one for one in marked)
        return "".join(written).strip()
