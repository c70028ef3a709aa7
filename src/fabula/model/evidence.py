"""Evidence: the quotations from the manuscript that facts rest on."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from pydantic import Field

from fabula.model.fact import FactKind
from fabula.model.wire import Value

# The longest quotation that an author attaches.
MAX_QUOTATION = 4_000


class Quoted(Value):
    """A quotation from a scene.

    `occurrence` counts the places of the scene where the same words stand, from 0; where that is in
    characters is computed from the text, so that saving the scene changes nothing.
    """

    scene_id: str
    quotation: str
    fingerprint: str
    occurrence: int

    def place_in(self, text: str) -> tuple[int, int] | None:
        """Where the quotation stands in a scene's text; None if it no longer does."""
        return place_of_quotation(text, self.quotation, self.occurrence)


def place_of_quotation(text: str, quotation: str, occurrence: int) -> tuple[int, int] | None:
    """Where an occurrence of a quotation stands in a text; None if there is none."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.find(quotation, start + 1)
        if start < 0:
            return None
    return start, start + len(quotation)


class Attested(Value):
    """The part of a fact that a quotation says: words of its text, and attributes."""

    text: str = ""
    attributes: dict[str, Any] = Field(default_factory=dict)


class Evidence(Quoted):
    """A quotation from a scene that a fact rests on; without `attests`, all of the fact does."""

    id: str
    project_id: str
    fact_kind: FactKind
    fact_id: str
    created_at: str
    attests: Attested | None = None


def fingerprint(quotation: str) -> str:
    """The same for quotations that differ in nothing but whitespace."""
    return blake2b("".join(quotation.split()).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def occurrence_at(text: str, quotation: str, start: int | None) -> int | None:
    """Which occurrence of a quotation begins at a place of the text; of the first one without a place.

    None if it does not stand there.
    """
    if not quotation:
        return None
    if start is None:
        return 0 if quotation in text else None
    if not text.startswith(quotation, start):
        return None
    count, found = 0, text.find(quotation)
    while found < start:
        count, found = count + 1, text.find(quotation, found + 1)
    return count
