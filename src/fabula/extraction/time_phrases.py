"""Phrases at the head of a scene that say when it plays: 三天后, three days later than the scene before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from fabula.formats.novel_numbers import CHINESE, number_of

SURE, VAGUE = 0.7, 0.5
# How many "a few" are, for a proposal that somebody will look at.
_FEW = 3.0


class TimePhrase(NamedTuple):
    """A phrase, its span in the scene, and how many days later than the scene before it plays."""

    text: str
    start: int
    end: int
    days: float
    confidence: float


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _days_by_word(table: dict[float, str]) -> dict[str, float]:
    return {word: days for days, words in table.items() for word in words.split()}


_UNITS_ZH = {"天": 1.0, "日": 1.0, "夜": 1.0, "旬": 10.0, "周": 7.0, "星期": 7.0, "礼拜": 7.0}
_UNITS_ZH |= {"月": 30.0, "年": 365.0, "载": 365.0, "时辰": 1 / 12, "小时": 1 / 24}
_WORDS_ZH = _days_by_word(
    {
        1.0: "次日 翌日 隔日 隔天 第二天 第二日 次晨 翌晨 次早 次晚 次夜 转天",
        0.0: "当夜 当晚 是夜 是晚 当日 当天 同日 同夜 那天晚上 这天晚上 当天夜里",
        -1.0: "前一天 前一日 前一晚 前一夜 前夜 头一天",
    }
)
# What a storyteller may say before the phrase; who speaks, in quotation marks, counts from another day.
_LEAD_ZH = r"[\s　]*(?:却说|话说|且说|再说)?[，,\s　]*(?:到了|到|至|直到|不觉|转眼|就在|大约|约)?"
_COUNT_ZH = rf"(?P<count>[{CHINESE}]+|好几|几|数|半)(?P<more>余|多|来)?个?(?P<unit>{_any_of(_UNITS_ZH)})半?"
_ZH = re.compile(
    rf"{_LEAD_ZH}(?P<phrase>{_COUNT_ZH}(?P<side>之后|以后|过后|后|之前|以前|前)"
    rf"|又?过了?(?:不到|约)?{_COUNT_ZH.replace('P<', 'P<passed_')}"
    rf"|(?P<word>{_any_of(_WORDS_ZH)}))(?P<rest>.{{0,6}})",
    re.DOTALL,
)
# 三年前的事 is about something, 次日子 is no day.
_NOT_A_TIME_ZH = re.compile(r"的(?!时候|早晨|清晨|夜里|晚上|一个|某)|子")

_UNITS_EN = {"hour": 1 / 24, "day": 1.0, "night": 1.0, "week": 7.0, "fortnight": 14.0}
_UNITS_EN |= {"month": 30.0, "year": 365.0, "decade": 3650.0, "century": 36500.0, "centurie": 36500.0}
_PARTS = "day|morning|afternoon|evening|night"
_FEW_EN = {"a few": _FEW, "several": _FEW, "some": _FEW, "many": _FEW, "a couple of": 2.0, "half a": 0.5}
_NUMBERS_EN = re.findall(
    r"\w+",
    """a an one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty""",
)
_LEAD_EN = r"\s*(?:(?:and|but|then|it was|early|late|on|about|only|exactly|just|nearly|almost)\s+){0,3}"
_COUNT_EN = (
    rf"(?P<count>{_any_of([*_FEW_EN, *_NUMBERS_EN])}|\d+)(?:\s+(?:long|short|whole|more))?"
    rf"\s+(?P<unit>{_any_of(_UNITS_EN)})s?"
)
_EN = re.compile(
    rf"{_LEAD_EN}(?P<phrase>{_COUNT_EN}\s+(?P<side>later|afterwards?|after\s+(?:this|that)|earlier|before|ago)"
    rf"|{_COUNT_EN.replace('P<', 'P<passed_')}\s+(?:had\s+)?(?:passed|went by|gone by|elapsed)"
    rf"|(?P<next>(?:the\s+)?(?:next|following)\s+(?:{_PARTS})|the\s+(?:day|morning)\s+after(?=\s*[,.;]))"
    rf"|(?P<same>(?:that|the)\s+same\s+(?:{_PARTS})|that\s+(?:very\s+)?(?:afternoon|evening|night))"
    rf"|(?P<previous>the\s+(?:{_PARTS})\s+before|the\s+previous\s+(?:{_PARTS})))\b",
    re.IGNORECASE,
)


def time_phrase(text: str) -> TimePhrase | None:
    """The phrase with which a scene begins and that says when it plays; None if there is none."""
    found = _ZH.match(text)
    if found is not None and _NOT_A_TIME_ZH.match(found["rest"]):
        return None
    return _chinese(found) if found is not None else _english(text)


def _chinese(found: re.Match[str]) -> TimePhrase | None:
    if found["word"] is not None:
        return _told(found, _WORDS_ZH[found["word"]], SURE)
    prefix = "" if found["count"] is not None else "passed_"
    count, is_vague = _count_zh(found[f"{prefix}count"])
    if count is None:
        return None
    days = count * _UNITS_ZH[found[f"{prefix}unit"]]
    is_earlier = not prefix and "前" in found["side"]
    vague = is_vague or found[f"{prefix}more"] is not None
    return _told(found, -days if is_earlier else days, VAGUE if vague else SURE)


def _count_zh(word: str) -> tuple[float | None, bool]:
    if word in ("几", "数", "好几"):
        return _FEW, True
    return (0.5, False) if word == "半" else (number_of(word), False)


def _english(text: str) -> TimePhrase | None:
    found = _EN.match(text)
    if found is None:
        return None
    for name, days in (("next", 1.0), ("same", 0.0), ("previous", -1.0)):
        if found[name] is not None:
            return _told(found, days, SURE)
    prefix = "" if found["count"] is not None else "passed_"
    word = " ".join(found[f"{prefix}count"].lower().split())
    count = _FEW_EN.get(word) or (1.0 if word in ("a", "an") else number_of(word))
    if count is None:
        return None
    days = count * _UNITS_EN[found[f"{prefix}unit"].lower()]
    is_earlier = not prefix and found["side"].lower() in ("earlier", "before", "ago")
    return _told(found, -days if is_earlier else days, VAGUE if word in _FEW_EN else SURE)


def _told(found: re.Match[str], days: float, confidence: float) -> TimePhrase:
    return TimePhrase(found["phrase"], *found.span("phrase"), days, confidence)
