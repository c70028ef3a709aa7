"""What a finder tells of a text: places, and names as the whole text shows them."""

from __future__ import annotations

from typing import NamedTuple

from fabula.extraction.mentions import Mention


class FoundName(NamedTuple):
    """A name that the story does not have yet."""

    text: str
    type: str
    times: int
    confidence: float


class FoundMentions(NamedTuple):
    """Every mention in order of place, and the new names, the surest first."""

    mentions: list[Mention]
    names: list[FoundName]
