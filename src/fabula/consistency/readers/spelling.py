"""Words of a text that are nearly somebody's name."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.marked import MarkedText
from fabula.consistency.reading import Assertion, KnownPeople


def spellings(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield every word that is nearly a name, as it is spelt; `other` is the name."""
    for near in cast.spellings.find(text.marked):
        start, end = text.origin(near.start), text.origin(near.end)
        yield Assertion("name", near.entity_id, text.text[start:end], start, end, near.name)
