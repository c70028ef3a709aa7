"""Parses chapter numbers: 第一百二十回, 第３章, Chapter XII, Chapter Twenty-One."""

from __future__ import annotations

import re

_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_DIGITS |= dict(zip("壹贰叁肆伍陆柒捌玖", range(1, 10), strict=True))
_TENS = {"十": 10, "百": 100, "千": 1_000, "拾": 10, "佰": 100, "仟": 1_000}
_SHORT = {"廿": 20, "卅": 30}
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ROMAN_FORM = re.compile(r"C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ONES = re.findall(
    r"\w+",
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""",
)
_DECADES = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = re.findall(
    r"\w+",
    """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth""",
)
_WORDS = {word: n for n, word in enumerate(_ONES, 1)} | {word: n for n, word in enumerate(_ORDINALS, 1)}
_WORDS |= {word: 10 * n for n, word in enumerate(_DECADES, 2)}
_WORDS |= {
    f"{ten}-{one}": 10 * n + m for n, ten in enumerate(_DECADES, 2) for m, one in enumerate(_ONES[:9], 1)
}
_WORDS |= {
    f"{ten}-{one}": 10 * n + m for n, ten in enumerate(_DECADES, 2) for m, one in enumerate(_ORDINALS[:9], 1)
}
_WORDS |= {"last": 999}

CHINESE = "零〇一二两兩三四五六七八九十百千廿卅壹贰叁肆伍陆柒捌玖拾佰仟0-9０-９"


def number_of(text: str) -> int | None:
    """The number a text stands for; None if it is not a number."""
    text = text.strip().strip(".").replace(" ", "-" if text.isascii() else "")
    if text.isdecimal():
        return int(text)
    if text.isascii():
        return _WORDS.get(text.lower()) or _roman(text.upper())
    return _chinese(text)


def _roman(text: str) -> int | None:
    if not text or _ROMAN_FORM.fullmatch(text) is None:
        return None
    values = [_ROMAN[letter] for letter in text]
    after = [*values[1:], 0]
    return sum(-one if one < other else one for one, other in zip(values, after, strict=True))


def _chinese(text: str) -> int | None:
    if all(c in _DIGITS or c.isdecimal() for c in text):
        return int("".join(str(_DIGITS.get(c, c)) for c in text))
    total = digit = 0
    for c in text:
        if c in _SHORT:
            total += _SHORT[c]
        elif c in _TENS:
            total += (digit or 1) * _TENS[c]
            digit = 0
        elif c in _DIGITS:
            digit = _DIGITS[c]
        else:
            return None
    return total + digit
