"""Entities that a text names although they are not yet, or no longer, part of the story."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from fabula.consistency.reading import PEOPLE
from fabula.consistency.rule import CheckedText, Discrepancy, FindingMessage
from fabula.context.audience import ModelView
from fabula.model.check import EstablishedThere
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.relation import Language

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


# A capital in the middle of a sentence, or after a particle, goes on with a name.
_NAMED_BEFORE = re.compile(r"[a-z,;] [A-Z][\w’'-]+ $|\b[A-Z]\.\s?$")
_NAMED_AFTER = re.compile(r"(?:-| (?:(?:de|du|des|la|le|von|van|of) )*(?:l’|l'|d’|d')?)[A-ZÀ-Þ]")
_WORDS: dict[Language, dict[Absence, str]] = {
    "zh": {"not_yet": "{name}：{place}起", "no_longer": "{name}：至{place}"},
    "en": {"not_yet": "{name}: since {place}", "no_longer": "{name}: until {place}"},
}


def absence(view: ModelView, entity: Entity) -> Absence | None:
    """Return why an entity is not part of the story at the instant of a view, or None if it is."""
    clock = view.index.clock
    if not clock.has_begun(entity, view.instant):
        return "not_yet"
    return "no_longer" if clock.is_over(entity, view.instant) else None


def out_of_time(wanted: Absence, text: CheckedText) -> Iterator[Discrepancy]:
    """Yield where a text names what is absent in one of the two ways."""
    places, view = text.found.entities, text.view
    # If a name is shared with an entity that is present, that one is meant.
    taken = {_span(place) for slot in text.people if view.may_be_told(slot) for place in places[slot]}
    for slot, entity in text.people.items():
        if absence(view, entity) == wanted:
            free = [place for place in places[slot] if _span(place) not in taken]
            if text.is_saved:
                free = [place for place in free if not _is_other(text.text, place)]
            if text.is_saved and entity.type == PEOPLE and not _acts(text, entity):
                continue  # people may be spoken of before they enter and after they leave
            # Of a saved scene one is enough: the next ones say the same.
            for place in free[:1] if text.is_saved else free:
                yield _discrepancy(text, wanted, entity, place)


def _is_other(text: str, place: MatchPlace) -> bool:
    """Whether a name stands there as a common word, or as a part of a longer one: the Rue Cassette."""
    if not place.term[:1].isupper():
        return False
    before, after = text[max(0, place.start - 30) : place.start], text[place.end : place.end + 30]
    return (
        text[place.start].islower()
        or _NAMED_BEFORE.search(before) is not None
        or _NAMED_AFTER.match(after) is not None
    )


def _acts(text: CheckedText, entity: Entity) -> bool:
    return any(one.topic == "acts" and one.who == entity.id for one in text.reading.assertions)


def _discrepancy(text: CheckedText, kind: Absence, entity: Entity, place: MatchPlace) -> Discrepancy:
    # For an entity yet to appear, a model sees only the term it used, lest an alias reveal the name.
    is_unknown = kind == "not_yet" and not text.is_for_author
    shown = None if is_unknown else entity
    name = text.text[place.start : place.end] if is_unknown else entity.name
    found = text.discrepancy(_MESSAGES[kind], place.start, place.end, shown, there=_there(text, kind, entity))
    return replace(
        found,
        kind=kind,
        name=name,
        message=_MESSAGES[kind][text.language].format(name=name),
        # A model may learn when an entity left, but not when one will enter.
        since=entity.since if text.is_for_author else None,
        until=entity.until if text.is_for_author or kind == "no_longer" else None,
    )


def _there(text: CheckedText, kind: Absence, entity: Entity) -> EstablishedThere | None:
    moment = entity.since if kind == "not_yet" else entity.until
    if moment is None or (kind == "not_yet" and not text.is_for_author):
        return None
    word = _WORDS[text.language][kind]
    place = text.book.place(moment, text.language)
    return EstablishedThere(
        kind="entity",
        id=entity.id,
        chapter=moment.chapter,
        scene=moment.scene,
        quotation=word.format(name=entity.name, place=place),
    )


def _span(place: MatchPlace) -> tuple[int, int]:
    return place.start, place.end
