"""Mentions of entities in a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class FoundMention(NamedTuple):
    """A span with a name or, if `named` is false, a common noun such as 师父 or 房间.

    `known` is the name of the story's entity; None for a new one.
    """

    start: int
    end: int
    text: str
    type: str
    confidence: float
    named: bool = True
    known: str | None = None


def without_overlaps(mentions: Iterable[FoundMention]) -> list[FoundMention]:
    """The mentions in order; of two that overlap, the first and then the longer is kept."""
    kept: list[FoundMention] = []
    for mention in sorted(set(mentions), key=lambda one: (one.start, -one.end, one.known is None, one)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
