"""Somebody who is dead by then acts or speaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabula.consistency.absence import absence
from fabula.consistency.deaths import fact_of_death
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import waive
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity

_NAMED: FindingMessage = {
    "zh": "设定写明“{name}”已死；若是回忆或转述则无妨。",
    "en": "The story says that “{name}” is dead; a memory or a report of them is no mistake.",
}
_ACTS: FindingMessage = {
    "zh": "“{name}”此前已死，这里却有言行。",
    "en": "“{name}” is dead by then, but acts or speaks here.",
}
# Whoever is said to have died but acts in this many later scenes was misread, or lives.
MANY_SCENES = 3


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for slot, entity in text.people.items():
        if absence(text.view, entity) is not None:
            continue
        fact = fact_of_death(text.view, entity)
        if not text.is_saved:
            if fact is not None:
                for place in text.places(slot):
                    yield _shown(text, entity, place.start, place.end, fact)
        else:
            yield from _acts(text, entity, fact)


def _acts(text: CheckedText, entity: Entity, fact: EstablishedThere | None) -> Iterator[Discrepancy]:
    acts = [one for one in text.reading.assertions if one.topic == "acts" and one.who == entity.id]
    if not acts:
        return
    there, confidence = fact, 1.0
    if there is None:
        deaths = text.established.before(entity.id, "died", text.view.instant)
        if not deaths:
            return
        later = text.established.after(entity.id, "acts", deaths[0].instant + 1)
        if len({one.instant for one in later}) >= MANY_SCENES:
            return
        there, confidence = deaths[0].there, 0.8
    for one in acts[:1]:
        yield text.discrepancy(
            _ACTS, one.start, one.end, entity, there=there, confidence=confidence, fixes=(waive(text),)
        )


def _shown(text: CheckedText, entity: Entity, start: int, end: int, there: EstablishedThere) -> Discrepancy:
    known = there if text.is_for_author else None
    found = text.discrepancy(_NAMED, start, end, entity, there=known)
    since = entity.since if text.is_for_author else None
    until = entity.until if text.is_for_author else None
    return replace(found, kind="dead", since=since, until=until)


DEAD_ACTS = ConsistencyRule("dead-acts", "error", {"zh": "死者有言行", "en": "The dead act"}, _find)
