"""Numbers as texts write them: in digits, in English words, in Chinese characters."""

from __future__ import annotations

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS_EN = "twenty thirty forty fifty sixty seventy eighty ninety"
_ENGLISH = {word: number for number, word in enumerate(_SMALL.split(), 1)} | {
    word: 10 * number for number, word in enumerate(_TENS_EN.split(), 2)
}
_HUNDREDS = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_DIGITS = {one: number for number, one in enumerate("一二三四五六七八九", 1)} | {"两": 2, "〇": 0, "零": 0}
_TENS = {"十": 10, "百": 100, "千": 1000}
_GREAT = {"万": 10_000, "亿": 100_000_000}

# A number in English, and one in Chinese, as patterns.
_ANY = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_WORD = rf"(?:{_ANY})(?:-(?:{'|'.join(_SMALL.split()[:9])}))?"
EN_NUMBER = (
    rf"\d{{1,3}}(?:,\d{{3}})+|\d+(?:\s+(?:thousand|million))?|"
    rf"(?:an?|{_WORD})\s+(?:hundred|thousand|million)(?:\s+(?:and\s+)?{_WORD})?|{_WORD}"
)
ZH_NUMBER = r"\d+万?|[一二三四五六七八九十百千两][一二三四五六七八九十百千万两〇零]*"


def english_number(words: str) -> int | None:
    """Return the number that is written in English words or digits; None if it is none."""
    plain = words.replace(",", "").lower()
    if plain.isdecimal():
        return int(plain)
    first, _, rest = plain.partition(" ")
    if rest:
        return _great(first, rest)
    tens, _, ones = plain.partition("-")
    if tens not in _ENGLISH or (ones and _ENGLISH.get(ones, 10) > 9):
        return None
    return _ENGLISH[tens] + (_ENGLISH[ones] if ones else 0)


def _great(first: str, rest: str) -> int | None:
    """Twelve hundred, a thousand and one, two hundred thousand: what comes before, and the words after it."""
    unit, _, more = rest.partition(" ")
    count = 1 if first in ("a", "an") else english_number(first)
    if count is None or unit not in _HUNDREDS:
        return None
    added = english_number(more.removeprefix("and ")) if more else 0
    return None if added is None else count * _HUNDREDS[unit] + added


def chinese_number(words: str) -> int | None:
    """Return the number that is written in Chinese; None if it is none, or about so many."""
    if words.isdecimal():
        return int(words)
    for great, factor in _GREAT.items():
        before, found, after = words.rpartition(great)
        if found:
            count, rest = chinese_number(before or "一"), chinese_number(after or "零")
            return None if count is None or rest is None else count * factor + rest
    total = digit = 0
    last = ""
    for one in words:
        if one in _DIGITS:
            if last in _DIGITS and last not in "〇零":
                return None  # 十七八: about so many
            digit = _DIGITS[one]
        elif one in _TENS:
            total += (digit or 1) * _TENS[one]
            digit = 0
        else:
            return None
        last = one
    return total + digit
