"""Places in a text where somebody or something is spoken of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Mention(NamedTuple):
    """One place: a name, or with `named` false a common noun such as 师父 or 房间.

    `known` is the name under which the story knows it, None for what is new.
    """

    start: int
    end: int
    text: str
    type: str
    confidence: float
    named: bool = True
    known: str | None = None


def without_overlaps(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions in order of place; of two that overlap the first, then the longer."""
    kept: list[Mention] = []
    for mention in sorted(set(mentions), key=lambda one: (one.start, -one.end, one.known is None, one)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept
