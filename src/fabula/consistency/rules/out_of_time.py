"""The text names an entity that is not yet, or no longer, part of the story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fabula.consistency.rule import CheckedText, ConsistencyRule, Finding, FindingMessage
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.moment import first_instant, last_instant

Absence = Literal["not_yet", "no_longer"]

_MESSAGES: dict[Absence, FindingMessage] = {
    "not_yet": {
        "zh": "“{name}”此时还没有出现在故事里。",
        "en": "“{name}” is not part of the story yet at this moment.",
    },
    "no_longer": {
        "zh": "“{name}”此时已经不在故事里了。",
        "en": "“{name}” is no longer part of the story at this moment.",
    },
}


def absence(entity: Entity, now: int | None) -> Absence | None:
    """Return why an entity is not part of the story at an instant, or None if it is."""
    if now is None:
        return None
    if first_instant(entity.since) > now:
        return "not_yet"
    return "no_longer" if last_instant(entity.until) < now else None


def _find(text: CheckedText) -> Iterator[Finding]:
    places, view = text.found.entities, text.view
    # If a name is shared with an entity that is present, that one is meant.
    taken = {_span(place) for slot in text.people if view.may_be_told(slot) for place in places[slot]}
    for slot, entity in text.people.items():
        kind = absence(entity, view.instant)
        if kind is not None:
            free = [place for place in places[slot] if _span(place) not in taken]
            yield from text.findings_of(kind, _MESSAGES[kind], entity, free)


def _span(place: MatchPlace) -> tuple[int, int]:
    return place.start, place.end


OUT_OF_TIME = ConsistencyRule("out_of_time", _find)
