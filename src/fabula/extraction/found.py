"""The result of searching a text for names."""

from __future__ import annotations

from typing import NamedTuple

from fabula.extraction.mentions import FoundMention


class FoundName(NamedTuple):
    """A name the story does not have yet."""

    text: str
    type: str
    times: int
    confidence: float


class FoundMentions(NamedTuple):
    """Every mention in order, and the new names, the surest first."""

    mentions: list[FoundMention]
    names: list[FoundName]
