"""Ages and dates that do not fit: younger than before, too old for a birthday, a day that no calendar has."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from fabula.consistency.ages import Birth, birth_in, birth_said, years_between
from fabula.consistency.dates import dates_in
from fabula.consistency.established import Said
from fabula.consistency.reading import Assertion
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import change_text, entity_of, waive
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity

_MESSAGE: FindingMessage = {
    "zh": "这里写“{name}”{term}岁，此前已经{known}岁。",
    "en": "Here “{name}” is {term} years old, but was {known} before.",
}
_TIME: FindingMessage = {
    "zh": "这里写“{name}”{term}岁；{years}年前是{known}岁。",
    "en": "Here “{name}” is {term} years old, but was {known} years old {years} years before.",
}
_BORN: FindingMessage = {
    "zh": "这里写“{name}”{term}岁；按出生时间，此时应为{known}岁。",
    "en": "Here “{name}” is {term} years old; born then, they are {known}.",
}
_NO_DAY: FindingMessage = {"zh": "没有“{term}”这一天。", "en": "There is no such day as “{term}”."}
_WEEKDAY: FindingMessage = {
    "zh": "“{term}”那天是{known}。",
    "en": "The day of “{term}” is a {known}.",
}
# By the old Chinese count, people are a year older.
_SLACK = {"en": 0, "zh": 1}


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.assertions:
        entity = entity_of(text, one.who) if one.topic == "age" else None
        if entity is not None:
            yield from _against_birth(text, one, entity) or _against_ages(text, one, entity)
    for date in dates_in(text.text, text.language):
        wrong = date.weekday_of_it if text.book.calendar.kind == "gregorian" else ""
        if date.is_impossible or (date.weekday and wrong and wrong != date.weekday):
            yield text.discrepancy(
                _NO_DAY if date.is_impossible else _WEEKDAY,
                date.start,
                date.end,
                None,
                there=EstablishedThere(kind="calendar", id="", quotation=date.in_calendar),
                confidence=0.9,
                fixes=(waive(text),),
                facts=(f"date:{text.text[date.start : date.end]}",),
                words={"known": wrong},
            )


def _against_birth(text: CheckedText, one: Assertion, entity: Entity) -> list[Discrepancy]:
    if text.world_time is None:
        return []
    born = _birth(text, entity)
    if born is None:
        return []
    birth, there = born
    calendar, day = text.book.calendar, text.world_time.day
    least = floor(years_between(calendar, birth.last, day))
    most = floor(years_between(calendar, birth.first, day)) + _SLACK[text.language]
    if least <= int(one.value) <= most:
        return []
    known = str(least) if least == most else f"{least}–{most}"
    return [_told(text, _BORN, one, entity, there, {"known": known})]


def _birth(text: CheckedText, entity: Entity) -> tuple[Birth, EstablishedThere] | None:
    known = birth_in(entity.attributes, text.book.calendar)
    if known is not None:
        return known, EstablishedThere(kind="entity", id=entity.id, quotation=known.said)
    for said in text.established.before(entity.id, "born", text.view.instant):
        birth = birth_said(said.assertion.value, text.book.calendar)
        if birth is not None:
            return birth, said.there
    return None


def _against_ages(text: CheckedText, one: Assertion, entity: Entity) -> list[Discrepancy]:
    known = text.established.before(one.who, "age", text.view.instant)
    for said in known:
        then, now = said.scene.world_time, text.world_time
        if then is not None and now is not None:
            years = years_between(text.book.calendar, then.day, now.day)
            grown = int(one.value) - int(said.assertion.value)
            if abs(grown - years) > 1 + _SLACK[text.language]:
                words = {"known": said.words, "years": f"{abs(years):.0f}"}
                return [_told(text, _TIME if years >= 0 else _MESSAGE, one, entity, said.there, words)]
    older = [
        said
        for said in known
        if int(said.assertion.value) > int(one.value) and not _plays_earlier(text, said)
    ]
    if not older:
        return []
    first = older[0]
    found = _told(text, _MESSAGE, one, entity, first.there, {"known": first.words}, fix=first.words)
    return [found]


def _plays_earlier(text: CheckedText, said: Said) -> bool:
    """Whether this text plays before a scene that is told before it."""
    clock, now = text.view.index.clock, text.view.instant
    return now is not None and clock.is_used_at(now) and clock.day_at(now) < clock.day_at(said.instant)


def _told(
    text: CheckedText,
    message: FindingMessage,
    one: Assertion,
    entity: Entity,
    there: EstablishedThere,
    words: dict[str, str],
    fix: str | None = None,
) -> Discrepancy:
    return text.discrepancy(
        message,
        one.start,
        one.end,
        entity,
        there=there,
        confidence=0.7,
        fixes=((change_text(text, fix),) if fix is not None else ()) + (waive(text),),
        words=words,
    )


AGE = ConsistencyRule("age", "warning", {"zh": "年龄前后不一", "en": "Ages that do not fit"}, _find)
