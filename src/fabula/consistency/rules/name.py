"""A name that is misspelt, used before its reveal, or easily taken for another."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.near_names import confusable
from fabula.consistency.rule import (
    WAIVE,
    CheckedText,
    ConsistencyRule,
    Discrepancy,
    FindingMessage,
    StoryFacts,
)
from fabula.consistency.rules.shown import change_text, entity_of, waive
from fabula.consistency.ties import name_of
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.entity import EntityName
from fabula.model.moment import first_instant
from fabula.model.names import name_key

_MESSAGE: FindingMessage = {
    "zh": "“{term}”只出现一次，与“{meant}”只差一字，可能是笔误。",
    "en": "“{term}” is used once and is one letter from “{meant}”: it may be a misspelling.",
}
_EARLY: FindingMessage = {
    "zh": "“{term}”这个名字要到{since}才揭晓，这里已经用了。",
    "en": "The name “{term}” is only revealed in {since}, but is used here.",
}
_ALIKE: FindingMessage = {
    "zh": "“{name}”与“{other}”两个名字只差一字，读者容易混淆。",
    "en": "The names “{name}” and “{other}” differ in one letter: readers may confuse them.",
}

MOST_VARIANTS = 1


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    yield from _misspelt(text)
    yield from _early(text)


def _misspelt(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.spellings:
        if text.established.spellings[one.value] > 1:
            continue
        if text.language == "zh" and text.established.variants(one.who, one.other) > MOST_VARIANTS:
            continue  # anything may stand between these characters
        here = sum(other.value == one.value for other in text.reading.spellings)
        entity = entity_of(text, one.who)
        if here > 1 or entity is None or text.established.is_a_word(one.value):
            continue
        there = EstablishedThere(kind="entity", id=entity.id, quotation=entity.name)
        meant = one.other
        yield text.discrepancy(
            _MESSAGE,
            one.start,
            one.end,
            entity,
            there=there,
            confidence=0.8,
            fixes=(change_text(text, meant), waive(text)),
            words={"meant": meant},
        )


def _early(text: CheckedText) -> Iterator[Discrepancy]:
    """A name before the moment from which it is borne; no model hears of such a name."""
    now = text.view.instant
    if now is None or not text.is_for_author or text.view.pov is not None:
        return
    for slot, entity in text.people.items():
        later = {
            name_key(one.name): one
            for one in entity.names
            if one.since is not None and now < first_instant(one.since)
        }
        borne = {name_key(one.name) for one in entity.names if first_instant(one.since) <= now}
        for place in text.places(slot):
            named: EntityName | None = later.get(name_key(text.text[place.start : place.end]))
            if named is None or named.since is None or name_key(named.name) in borne:
                continue
            since = text.book.place(named.since, text.language)
            yield text.discrepancy(
                _EARLY,
                place.start,
                place.end,
                entity,
                there=EstablishedThere(
                    kind="entity",
                    id=entity.id,
                    chapter=named.since.chapter,
                    scene=named.since.scene,
                    quotation=f"{named.name}: {since}",
                ),
                fixes=(waive(text),),
                words={"since": since},
            )
            break


def _alike(facts: StoryFacts) -> Iterator[Discrepancy]:
    for one, other in confusable({key: names[0] for key, names in facts.cast.names.items()}, facts.language):
        names = name_of(facts, one), name_of(facts, other)
        yield Discrepancy(
            message=_ALIKE[facts.language].format(name=names[0], other=names[1]),
            name=names[0],
            entity_id=one,
            here=WrittenHere(quotation=names[0]),
            there=EstablishedThere(kind="entity", id=other, quotation=names[1]),
            facts=(f"entity:{one}", f"entity:{other}"),
            confidence=0.6,
            fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
            severity="info",
        )


NAME = ConsistencyRule(
    "name", "warning", {"zh": "名字写错或混淆", "en": "Names that go wrong"}, _find, _alike
)
