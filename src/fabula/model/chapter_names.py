"""The number that a book itself prints over a chapter: 第十四回, Chapter XIV."""

from __future__ import annotations

import re
from functools import lru_cache

from fabula.model.relation import Language

_DIGITS = "0-9０-９零〇一二三四五六七八九十百千两兩"
_ZH = re.compile(rf"第[ \u3000]*[{_DIGITS}]+[ \u3000]*[章回节節话話折幕集]")
_PART_ZH = re.compile(rf"第[ \u3000]*[{_DIGITS}]+[ \u3000]*[卷部篇册冊]|卷[ \u3000]*[{_DIGITS}]+")
_SPECIAL_ZH = re.compile(r"楔子|序章|序幕|序言|引子|前言|尾声|尾聲|后记|後記|终章|終章|番外")
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_FIRSTS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD_NUMBER = rf"(?:{_TENS})[- ](?:{_ONES}|{_FIRSTS})|{_TENS}|{_TEENS}|{_ONES}|{_FIRSTS}|tenth"
_NUMBER = rf"(?:\d{{1,4}}|[ivxlc]{{1,8}}|{_WORD_NUMBER})"
_EN = re.compile(rf"(?:chapter|letter|canto|stave)\s+(?:the\s+)?{_NUMBER}\b", re.I)
_PART_EN = re.compile(rf"(?:part|book|volume|act)\s+(?:the\s+)?{_NUMBER}\b", re.I)
_SPECIAL_EN = re.compile(
    r"(?:prologue|epilogue|preface|introduction|foreword|afterword|interlude|conclusion)\b", re.I
)
_BARE = re.compile(r"\d{1,4}(?=[.、．:：\s]|\Z)|[IVXLC]{1,8}(?=[.:]|\Z)")
_PATTERNS = (_ZH, _EN, _SPECIAL_ZH, _SPECIAL_EN, _PART_ZH, _PART_EN)
# A part may stand before the chapter's own number.
_BEGINNING = 60


@lru_cache(4_096)
def own_number(title: str) -> str | None:
    """Return the number in a chapter's title as it is printed, without the rest; None if it has none.

    It consists of number words only, so that it tells nothing that a title may keep secret.
    """
    beginning = title.strip()[:_BEGINNING]
    for pattern in _PATTERNS:
        found = pattern.match(beginning) or (pattern in (_ZH, _EN) and _after_part(pattern, beginning))
        if found:
            return found[0]
    bare = _BARE.match(beginning)
    return None if bare is None else bare[0]


def chapter_label(chapter: int, title: str, language: Language) -> str:
    """Return the number that the book prints over a chapter, else its place counted from 1."""
    printed = own_number(title)
    if printed is None:
        return f"第{chapter + 1}章" if language == "zh" else f"Chapter {chapter + 1}"
    is_bare = printed.isalnum() and printed.isascii() and (printed.isdigit() or printed.isupper())
    return f"Chapter {printed}" if is_bare and language == "en" else printed


def _after_part(pattern: re.Pattern[str], beginning: str) -> re.Match[str] | None:
    """Return the number of a chapter behind that of its part: 第二卷 第三回."""
    part = _PART_ZH.match(beginning) or _PART_EN.match(beginning)
    return None if part is None else pattern.search(beginning, part.end())
