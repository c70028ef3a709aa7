"""Evidence: the quotations from the manuscript that facts rest on."""

from __future__ import annotations

from enum import StrEnum
from hashlib import blake2b

from fabula.model.wire import Value


class FactKind(StrEnum):
    """What may have evidence; an event is an entity."""

    ENTITY = "entity"
    ENTRY = "entry"
    RELATION = "relation"
    STATE = "state"


class Evidence(Value):
    """A quotation from a scene that a fact rests on.

    `occurrence` counts the places of the scene where the same words stand, from 0; where that is in
    characters is computed from the text, so that saving the scene changes no evidence.
    """

    id: str
    project_id: str
    fact_kind: FactKind
    fact_id: str
    scene_id: str
    quotation: str
    fingerprint: str
    occurrence: int
    created_at: str

    def place_in(self, text: str) -> tuple[int, int] | None:
        """Where the quotation stands in a scene's text; None if it no longer does."""
        start = -1
        for _ in range(self.occurrence + 1):
            start = text.find(self.quotation, start + 1)
            if start < 0:
                return None
        return start, start + len(self.quotation)


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
