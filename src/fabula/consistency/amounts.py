"""Clock times and numbers of things in a text, with the words around them that say what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabula.assembly.prose import sentences
from fabula.consistency.numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from fabula.extraction.wordlist import words
from fabula.index.stems import stem
from fabula.model.relation import Language

CLOCK = "clock"
DATE = "date"
DEATH = "death"
_MONEY = "money"
_MINUTES = "minutes"
_FLOOR = "floor"
_OFTEN_UNIT = "often"
_HALF_DAY = 720
_DAYPART = r"(?:\s+(?:in\s+the|at)\s+(?P<u>morning|afternoon|evening|night))?"
_CLOCK_EN = re.compile(
    rf"\b(?:(?P<h>\d{{1,2}})[:.](?P<m>[0-5]\d)(?!\d)(?:\s*(?P<s>[ap]\.?\s?m\b\.?))?"
    rf"|(?P<f>(?:a\s+)?quarter|half|{EN_NUMBER})(?:\s+minutes?)?\s+(?P<g>past|"
    rf"to)\s+(?P<k>{EN_NUMBER})\b(?!\s+[a-z]+s\b)"
    rf"|(?P<w>noon|midday|midnight)\b"
    rf"|(?P<i>{EN_NUMBER})\s*(?:(?P<t>[ap]\.?\s?m\b\.?)|o['’]\s?clock)){_DAYPART}",
    re.IGNORECASE,
)
_CLOCK_ZH = re.compile(
    rf"(?P<s>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜)?(?P<h>{ZH_NUMBER})(?:点钟?|"
    rf"时)(?P<half>半|整|一刻|三刻)?(?:(?P<m>{ZH_NUMBER})分)?(?![间候代光])"
)
# From four to five: one time, which may be any in between.
_RANGE = re.compile(r"\s*(?:[-–—~～至到]|to|and|until|till)\s*", re.IGNORECASE)
_MONTHS = words("january february march april may june july august september october november december")
_DATE_EN = re.compile(
    rf"\b(?P<n>{'|'.join(_MONTHS)})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
    rf"|\b(?P<e>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<o>{'|'.join(_MONTHS)})\b",
    re.IGNORECASE,
)
_DATE_ZH = re.compile(rf"(?P<n>{ZH_NUMBER})月(?:初)?(?P<d>{ZH_NUMBER})[日号]")
_COUNT_EN = re.compile(
    rf"(?<![\d:.,$£€-])\b(?P<v>{EN_NUMBER})\s+(?:(?P<a>[a-z]+)\s+)?(?P<n>[a-z]{{3,}}s|men|women|"
    rf"children|feet|teeth)\b",
    re.IGNORECASE,
)
_SINGLE_EN = re.compile(r"\b(?P<v>one|an?\s+single)\s+(?:[a-z]+\s+)?(?P<n>[a-z]{4,})\b", re.IGNORECASE)
_OFTEN_EN = re.compile(rf"\b(?P<v>once|twice|thrice|(?P<c>{EN_NUMBER})\s+times)\b", re.IGNORECASE)
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_NUMBERED_EN = re.compile(
    r"\b(?P<n>room|apartment|flat|cabin|seat|platform|cell|locker|suite|ward|berth)\s+(?:no\.?\s*|"
    r"number\s+)?(?P<v>\d{1,5})\b",
    re.IGNORECASE,
)
_NUMBERED_ZH = re.compile(r"(?P<v>\d{1,5})(?:号)?(?P<n>房间|房|室|病房|包厢|座|牢房|站台|车厢)")
_MONEY_EN = re.compile(r"(?P<n>[$£€])\s?(?P<v>\d{1,3}(?:,\d{3})+|\d+)\b")
_COUNT_ZH = re.compile(
    rf"(?P<v>{ZH_NUMBER})(?P<n>[发枪刀剑把支颗粒封页张辆艘座层块瓶杯盒箱桶两里元块只处位名盏匹扇枚])(?P<w>[\u4e00-\u9fff]{{0,2}})"
)
_PEOPLE_ZH = re.compile(
    rf"(?P<v>{ZH_NUMBER})个(?:男|女|活|死|外|黑衣|蒙面)?(?P<n>人|孩子|客人|士兵|强盗|凶手|同伙)(?![心口])"
)
_LONG_ZH = re.compile(rf"(?P<v>{ZH_NUMBER})(?P<n>[寸尺丈米斤])")
_LASTING_ZH = re.compile(rf"(?P<v>{ZH_NUMBER})个?(?P<n>秒|天|次|遍|声(?!枪[响声]))")
_MINUTES_EN = re.compile(
    rf"\b(?:(?P<h>half\s+an\s+hour|half-an-hour)|(?P<q>quarter\s+of\s+an\s+hour)|(?P<v>an|"
    rf"{EN_NUMBER})\s+(?P<n>minutes?|hours?))\b",
    re.I,
)
_MINUTES_ZH = re.compile(
    rf"(?:(?P<h>半个?(?:小时|钟头|时辰))|(?P<v>{ZH_NUMBER})个?(?P<n>分钟|小时|钟头|刻钟|时辰))"
)
_MINUTES_OF = {"分钟": 1, "小时": 60, "钟头": 60, "刻钟": 15, "时辰": 120}
_ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_FLOOR_EN = re.compile(
    rf"\b(?P<v>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))\s+(?:floor|storey|story|deck)\b", re.I
)
_FLOOR_ZH = re.compile(rf"(?<!第)(?P<v>{ZH_NUMBER})楼(?![梯阁台])")
_SHOTS_ZH = re.compile(rf"(?P<v>{ZH_NUMBER})声枪[响声]")
_QUOTED = re.compile(r"“([^”]*)”|「([^」]*)」|\"([^\"]*)\"")
# Words for the death of somebody are one: a report says when it was, a witness when he was killed.
_DEATH = {stem(one): "death" for one in words("death die died dies dead kill killed murder murdered slain")}
_DEATH_ZH = re.compile("死亡|遇害|被害|被杀|身亡|丧命|毙命|断气|遇难")
_SEMICOLON = re.compile("[;；]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """the and but for with from that this these those there then than was were are been have has had not
        his her their its our your him she they you who whom which what when where while into onto
        over under about after before again only just very more most some any all each every both
        one two three four five six seven eight nine ten will would could should can may might must
        it of at in to on by as he we is an or if so
        did does done said says say morning afternoon evening night day around exactly
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


_EVERYWHERE = frozenset(map(stem, _NO_THINGS)) | {_OFTEN_UNIT, _MINUTES, *words("分钟 小时 秒 天 次 遍 声")}
_NUMBER_EN = re.compile(
    rf"\d|\b(?:{EN_NUMBER}|{'|'.join(_ORDINALS)}|an hour|once|twice|thrice|half|quarter|noon|midday|"
    rf"midnight|single)\b",
    re.IGNORECASE,
)


class Amount(NamedTuple):
    """A time or a number, of what, where it stands, and the stems of the other words of its sentence."""

    unit: str
    value: int
    last: int
    is_exact: bool
    start: int
    end: int
    about: frozenset[str]

    @property
    def is_vague(self) -> bool:
        """Whether every story is full of such amounts, so that they are compared with facts only."""
        return self.value == 1 or self.unit in _EVERYWHERE

    @property
    def is_thing(self) -> bool:
        """Whether something is counted, and not a time or how long something lasts."""
        return self.unit not in (CLOCK, DATE, _MINUTES) and not self.unit.startswith(_MONEY)

    def differs(self, other: Amount) -> bool:
        """Whether both say something else; without morning or evening, a clock goes twice around."""
        if self.unit == CLOCK and not (self.is_exact and other.is_exact):
            turns = (0, _HALF_DAY, -_HALF_DAY)
            return not any(self._meets(other, turn) for turn in turns)
        return not self._meets(other, 0)

    def _meets(self, other: Amount, turn: int) -> bool:
        return self.value + turn <= other.last and other.value <= self.last + turn


def amounts_in(text: str, language: Language) -> Iterator[Amount]:
    """Yield the clock times and the numbers of things in a text."""
    for first, last in _clauses(text):
        sentence = text[first:last]
        if language == "en" and not _NUMBER_EN.search(sentence):
            continue
        found = _with_ranges(sentence, list(_zh(sentence) if language == "zh" else _en(sentence)))
        if not found or len(found) > 2:
            continue
        for unit, value, until, is_exact, start, end in found:
            rest = _around(sentence, start, end)
            yield Amount(unit, value, until, is_exact, first + start, first + end, _about(rest, language))


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the sentences, each divided at its semicolons."""
    for first, last in sentences(text):
        start = first
        for found in _SEMICOLON.finditer(text, first, last):
            yield start, found.end()
            start = found.end()
        yield start, last


def _with_ranges(sentence: str, found: list[_Read]) -> list[tuple[str, int, int, bool, int, int]]:
    """The amounts, two times with only "to" between them as one."""
    made: list[tuple[str, int, int, bool, int, int]] = []
    for unit, time, is_exact, start, end in found:
        value = time
        if made and unit == CLOCK and made[-1][0] == CLOCK and _RANGE.fullmatch(sentence, made[-1][5], start):
            _, first, _, was_exact, begin, _ = made.pop()
            # Between four and five p.m., 下午四点到五点: one of them says which half of the day it is.
            if is_exact and not was_exact and first + _HALF_DAY <= value:
                first += _HALF_DAY
            elif was_exact and not is_exact and value < first:
                value += _HALF_DAY
            made.append((unit, first, max(first, value), is_exact or was_exact, begin, end))
        else:
            made.append((unit, value, value, is_exact, start, end))
    return made


def _around(sentence: str, start: int, end: int) -> str:
    """The words around an amount; in a speech those of the speech only."""
    for found in _QUOTED.finditer(sentence):
        if found.start() < start and end < found.end():
            return sentence[found.start() : start] + " " + sentence[end : found.end()]
    return sentence[:start] + " " + sentence[end:]


def _about(text: str, language: Language) -> frozenset[str]:
    if language == "zh":
        runs = _HAN.findall(text)
        pairs = frozenset(run[place : place + 2] for run in runs for place in range(len(run) - 1))
        return pairs | {DEATH} if _DEATH_ZH.search(text) else pairs
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(_DEATH.get(stem(word), stem(word)) for word in words if word not in _STOP)


_Read = tuple[str, int, bool, int, int]


def _en(sentence: str) -> Iterator[_Read]:
    taken: list[tuple[int, int]] = []
    for found in _CLOCK_EN.finditer(sentence):
        read = _clock_en(found)
        if read is not None:
            taken.append(found.span())
            yield CLOCK, *read, *found.span()
    for found in _DATE_EN.finditer(sentence):
        month = _MONTHS.index((found["n"] or found["o"]).lower())
        taken.append(found.span())
        yield DATE, 100 * month + int(found["d"] or found["e"]), True, *found.span()
    for unit, value, span in _things_en(sentence):
        if not any(start < span[1] and span[0] < end for start, end in taken):
            taken.append(span)
            yield unit, value, True, *span


def _clock_en(found: re.Match[str]) -> tuple[int, bool] | None:
    """Minutes since midnight, and whether it is clear which half of the day is meant."""
    if found["w"]:
        return (0 if found["w"].lower() == "midnight" else _HALF_DAY), True
    hour = english_number(found["h"] or found["k"] or found["i"])
    if hour is None or hour > 24:
        return None
    minute = int(found["m"] or 0)
    if found["f"]:
        word = found["f"].lower()
        past = 30 if word == "half" else 15 if word.endswith("quarter") else english_number(word)
        if past is None or past > 59:
            return None
        hour, minute = (hour, past) if found["g"].lower() == "past" else ((hour - 1) % 24, 60 - past)
    part = (found["s"] or found["t"] or found["u"] or "").lower()
    return _minutes(hour, minute, part[:1] == "p" or part in ("afternoon", "evening", "night"), bool(part))


def _minutes_en(sentence: str) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """How long something lasts, and on which floor it is."""
    for found in _MINUTES_EN.finditer(sentence):
        if found["v"]:
            often = 1 if found["v"].lower() == "an" else english_number(found["v"])
            factor = 60 if found["n"].lower().startswith("hour") else 1
        else:
            often, factor = (30 if found["h"] else 15), 1
        if often is not None:
            yield _MINUTES, often * factor, found.span()
    for found in _FLOOR_EN.finditer(sentence):
        word = found["v"].lower()
        floor = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])
        yield _FLOOR, floor, found.span("v")


def _things_en(sentence: str) -> Iterator[tuple[str, int, tuple[int, int]]]:
    yield from _minutes_en(sentence)
    for found in _NUMBERED_EN.finditer(sentence):
        yield f"number {found['n'].lower()}", int(found["v"]), found.span("v")
    for found in _MONEY_EN.finditer(sentence):
        yield _MONEY + found["n"], int(found["v"].replace(",", "")), found.span()
    for found in _OFTEN_EN.finditer(sentence):
        often = english_number(found["c"]) if found["c"] else _OFTEN[found["v"].lower()]
        if often is not None:
            yield _OFTEN_UNIT, often, found.span()
    for found in _COUNT_EN.finditer(sentence):
        noun, value = found["n"].lower(), english_number(found["v"])
        if value is not None and not noun.endswith("ss"):
            yield stem(noun), value, found.span("v")
    for found in _SINGLE_EN.finditer(sentence):
        yield stem(found["n"].lower()), 1, found.span("v")


_QUARTERS = {"半": 30, "一刻": 15, "三刻": 45}


def _zh(sentence: str) -> Iterator[_Read]:
    for found in _CLOCK_ZH.finditer(sentence):
        hour = chinese_number(found["h"])
        minute = _QUARTERS.get(found["half"] or "", chinese_number(found["m"]) if found["m"] else 0)
        if hour is not None and minute is not None and hour <= 24:
            is_late = found["s"] in ("中午", "下午", "傍晚", "晚上", "夜里", "深夜")
            yield CLOCK, *_minutes(hour, minute, is_late, found["s"] is not None), *found.span()
    for found in _DATE_ZH.finditer(sentence):
        month, day = chinese_number(found["n"]), chinese_number(found["d"])
        if month is not None and day is not None:
            yield DATE, 100 * month + day, True, *found.span()
    yield from _things_zh(sentence)


def _things_zh(sentence: str) -> Iterator[_Read]:
    for found in _NUMBERED_ZH.finditer(sentence):
        yield f"number {found['n']}", int(found["v"]), True, *found.span("v")
    for found in _MINUTES_ZH.finditer(sentence):
        value = 1 if found["h"] else chinese_number(found["v"])
        factor = _MINUTES_OF[found["n"]] if found["n"] else 60 if found["h"].endswith("时辰") else 30
        if value is not None:
            yield _MINUTES, value * factor, True, *found.span()
    for pattern, unit_of in _UNITS_ZH:
        for found in pattern.finditer(sentence):
            value = chinese_number(found["v"])
            if value is not None:
                yield unit_of(found), value, True, *found.span("v")


_UNITS_ZH: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_FLOOR_ZH, lambda found: _FLOOR),
    (_SHOTS_ZH, lambda found: "枪"),
    (_PEOPLE_ZH, lambda found: found["n"]),
    (_LONG_ZH, lambda found: found["n"]),
    (_LASTING_ZH, lambda found: found["n"]),
    (_COUNT_ZH, lambda found: found["n"] + found["w"]),
)


def _minutes(hour: int, minute: int, is_late: bool, is_said: bool) -> tuple[int, bool]:
    """Minutes since midnight, and whether it is clear which half of the day is meant."""
    if is_late and hour < 12:
        hour += 12
    elif is_said and not is_late and hour == 12:
        hour = 0
    return (hour % 24) * 60 + minute, is_said or hour > 12
