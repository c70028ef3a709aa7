"""When people were born and how old they are, by their attributes and by what the text says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabula.consistency.numbers import chinese_number, english_number
from fabula.consistency.rule import StoryFacts
from fabula.model.calendar import Calendar
from fabula.model.names import name_key

BORN = frozenset(
    map(name_key, ["born", "birth", "birthday", "birthdate", "date of birth", "出生", "生日", "生于"])
)
AGES = frozenset(map(name_key, ["age", "年龄", "岁数", "年纪"]))
GREGORIAN_YEAR = 365.2425
_YEAR = re.compile(r"\s*(\d{4})\s*年?\s*")


class Birth(NamedTuple):
    """The first and the last day on which somebody may have been born, and what says so."""

    first: float
    last: float
    said: str


class ComparedAges(NamedTuple):
    """Which of two people is older, and what says so."""

    older: str
    said: str


def birth_said(written: str, calendar: Calendar) -> Birth | None:
    """Return when somebody was born who was born in a year or on a day, in a calendar."""
    year = _YEAR.fullmatch(written)
    if year is not None and calendar.kind == "gregorian":
        first, after = (calendar.read(f"{int(year[1]) + more:04d}-01-01") for more in (0, 1))
        return None if first is None or after is None else Birth(first, after, written)
    day = None if year is not None else calendar.read(written)
    return None if day is None else Birth(day, day, written)


def birth_in(attributes: Mapping[str, Any], calendar: Calendar) -> Birth | None:
    """Return when somebody with these attributes was born."""
    for key, value in attributes.items():
        if name_key(key) in BORN and isinstance(value, str | int | float):
            found = birth_said(str(value), calendar)
            if found is not None:
                return found._replace(said=f"{key}: {value}")
    return None


def age_in(attributes: Mapping[str, Any]) -> tuple[int, str] | None:
    """Return how old somebody with these attributes is, and the words that say so."""
    for key, value in attributes.items():
        if name_key(key) in AGES:
            word = str(value).strip().removesuffix("岁").removesuffix(" years old")
            number = english_number(word) if word.isascii() else chinese_number(word)
            if number is not None:
                return number, f"{key}: {value}"
    return None


def years_between(calendar: Calendar, first: float, last: float) -> float:
    """Return how many years of a calendar lie between two days."""
    return (last - first) / (calendar.year_days if calendar.kind == "eras" else GREGORIAN_YEAR)


def compared_ages(facts: StoryFacts, one: str, other: str) -> ComparedAges | None:
    """Return which of two people is older, if their births or ages say so."""
    index = facts.view.index
    slots = [index.roster.slot_of[key] for key in (one, other)]
    first, second = index.entities(facts.view.reader, slots)
    births = [birth_in(each.attributes, facts.book.calendar) for each in (first, second)]
    if births[0] is not None and births[1] is not None:
        said = f"{first.name}: {births[0].said}; {second.name}: {births[1].said}"
        if births[0].last < births[1].first:
            return ComparedAges(one, said)
        return ComparedAges(other, said) if births[1].last < births[0].first else None
    ages = [age_in(each.attributes) for each in (first, second)]
    if ages[0] is not None and ages[1] is not None:
        said = f"{first.name}: {ages[0][1]}; {second.name}: {ages[1][1]}"
        if ages[0][0] != ages[1][0]:
            return ComparedAges(one if ages[0][0] > ages[1][0] else other, said)
        return None
    return _by_one_scene(facts, one, other)


def _by_one_scene(facts: StoryFacts, one: str, other: str) -> ComparedAges | None:
    """The ages that one and the same scene gives both."""
    second = {said.scene.id: said for said in facts.established.before(other, "age", None)}
    for said in facts.established.before(one, "age", None):
        same = second.get(said.scene.id)
        if same is not None and said.assertion.value != same.assertion.value:
            is_first = int(said.assertion.value) > int(same.assertion.value)
            sentences = dict.fromkeys((said.there.quotation, same.there.quotation))
            return ComparedAges(one if is_first else other, " ".join(sentences))
    return None
