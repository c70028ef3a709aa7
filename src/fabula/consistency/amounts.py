"""Clock times and numbers of things in a text, with the words around them that say what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabula.assembly.prose import sentences
from fabula.consistency.numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from fabula.index.stems import stem
from fabula.model.relation import Language

CLOCK = "clock"
_HALF_DAY = 720
_CLOCK_EN = re.compile(
    rf"\b(?:(?P<h>\d{{1,2}})[:.](?P<m>[0-5]\d)(?!\d)(?:\s*(?P<s>[ap]\.?\s?m\b\.?))?"
    rf"|(?P<i>{EN_NUMBER})\s*(?:(?P<t>[ap]\.?\s?m\b\.?)|o['’]\s?clock(?:\s+in\s+the\s+(?P<u>morning|afternoon|evening))?))",
    re.IGNORECASE,
)
_CLOCK_ZH = re.compile(
    rf"(?P<s>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜)?(?P<h>{ZH_NUMBER})(?:点钟?|时)(?P<half>半|整)?(?:(?P<m>{ZH_NUMBER})分)?(?![间候代光])"
)
_COUNT_EN = re.compile(
    rf"(?<![\d:.,$£-])\b(?P<v>{EN_NUMBER})\s+(?:(?P<a>[a-z]+)\s+)?(?P<n>[a-z]{{3,}}s)\b", re.IGNORECASE
)
_COUNT_ZH = re.compile(
    rf"(?P<v>{ZH_NUMBER})(?P<n>[发枪刀剑把支颗粒封页张辆艘座层块瓶杯盒箱桶两斤里米尺丈元块万])(?P<w>[\u4e00-\u9fff]{{0,2}})"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """the and but for with from that this these those there then than was were are been have has had not
        his her their its our your him she they you who whom which what when where while into onto
        over under about after before again only just very more most some any all each every both
        one two three four five six seven eight nine ten will would could should can may might must
        did does done said says say time clock morning afternoon evening night day around exactly
        approximately between until since also because upon out off own""",
    )
)
# Units of time and vague amounts: there are many of them in every story.
_NO_THINGS = frozenset(
    re.findall(
        r"\w+",
        """times days weeks months years hours minutes seconds others things ones words steps miles as is was
        this has us always perhaps sometimes less besides francs pounds dollars rubles roubles cents
        persons people""",
    )
)


class Amount(NamedTuple):
    """A time or a number, of what, where it stands, and the stems of the other words of its sentence."""

    unit: str
    value: int
    is_exact: bool
    start: int
    end: int
    about: frozenset[str]

    def differs(self, other: Amount) -> bool:
        """Whether both say something else; without morning or evening, a clock goes twice around."""
        if self.unit == CLOCK and not (self.is_exact and other.is_exact):
            return self.value % _HALF_DAY != other.value % _HALF_DAY
        return self.value != other.value


def amounts_in(text: str, language: Language) -> Iterator[Amount]:
    """Yield the clock times and the numbers of things in a text."""
    if not any(one.isdigit() for one in text) and language == "en" and not _COUNT_EN.search(text):
        return
    for first, last in sentences(text):
        sentence = text[first:last]
        found = list(_zh(sentence) if language == "zh" else _en(sentence))
        if not found or len(found) > 2:
            continue
        for unit, value, is_exact, start, end in found:
            rest = sentence[:start] + " " + sentence[end:]
            yield Amount(unit, value, is_exact, first + start, first + end, _about(rest, language))


def _about(text: str, language: Language) -> frozenset[str]:
    if language == "zh":
        runs = _HAN.findall(text)
        return frozenset(run[place : place + 2] for run in runs for place in range(len(run) - 1))
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in _STOP)


_Read = tuple[str, int, bool, int, int]


def _en(sentence: str) -> Iterator[_Read]:
    clocks = []
    for found in _CLOCK_EN.finditer(sentence):
        hour = english_number(found["h"] or found["i"])
        if hour is None or hour > 24:
            continue
        part = (found["s"] or found["t"] or found["u"] or "").lower()
        is_late = part[:1] == "p" or part in ("afternoon", "evening")
        clocks.append(found.span())
        yield CLOCK, *_minutes(hour, int(found["m"] or 0), is_late, bool(part)), *found.span()
    for found in _COUNT_EN.finditer(sentence):
        noun, value = found["n"].lower(), english_number(found["v"])
        if value is None or noun in _NO_THINGS or noun.endswith("ss"):
            continue
        if not any(start < found.end() and found.start() < end for start, end in clocks):
            yield stem(noun), value, True, *found.span("v")


def _zh(sentence: str) -> Iterator[_Read]:
    for found in _CLOCK_ZH.finditer(sentence):
        hour = chinese_number(found["h"])
        minute = 30 if found["half"] == "半" else chinese_number(found["m"]) if found["m"] else 0
        if hour is not None and minute is not None and hour <= 24:
            is_late = found["s"] in ("中午", "下午", "傍晚", "晚上", "夜里", "深夜")
            yield CLOCK, *_minutes(hour, minute, is_late, found["s"] is not None), *found.span()
    for found in _COUNT_ZH.finditer(sentence):
        value = chinese_number(found["v"])
        if value is not None and value > 1:
            yield found["n"] + found["w"], value, True, *found.span("v")


def _minutes(hour: int, minute: int, is_late: bool, is_said: bool) -> tuple[int, bool]:
    """Minutes since midnight, and whether it is clear which half of the day is meant."""
    if is_late and hour < 12:
        hour += 12
    elif is_said and not is_late and hour == 12:
        hour = 0
    return (hour % 24) * 60 + minute, is_said or hour > 12
