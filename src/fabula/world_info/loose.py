"""JavaScript's loose values: World Info files rely on what a browser makes of a wrong type."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

# What String.prototype.trim removes; Python's strip() also removes some control characters and keeps U+FEFF.
BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_BLANK = re.compile(f"[{BLANKS}]")
_HALF = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Infinity)")
_RADIX = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")
_INDEX = re.compile(r"0|[1-9]\d{0,9}")


def whole(text: str) -> str:
    """The text without halves of characters, which no engine takes; each becomes a question mark."""
    if text.isascii() or _HALF.search(text) is None:
        return text
    return _HALF.sub("?", text)


def trimmed(text: str) -> str:
    """The text without leading and trailing blanks."""
    return text.strip(BLANKS)


def has_blank(text: str) -> bool:
    """Whether a blank of any kind is in the text."""
    return _BLANK.search(text) is not None


def truthy(value: Any) -> bool:
    """Whether a condition takes the value for true: empty lists and objects are, NaN is not."""
    if isinstance(value, list | dict):
        return True
    return bool(value) and value == value


def number(value: Any, absent: float = math.nan) -> float:
    """The value as a number, NaN if it is none; `absent` stands for a missing field."""
    if value is None:
        return absent
    if isinstance(value, bool | int | float):
        return _finite(value)
    if isinstance(value, dict):
        return math.nan
    digits = trimmed(text_of(value))
    if not digits:
        return 0.0
    if _NUMBER.fullmatch(digits):
        return float(digits)
    return float(int(digits, 0)) if _RADIX.fullmatch(digits) and len(digits) < 300 else math.nan


def _finite(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def text_of(value: Any) -> str:
    """The value as a text, as joining it to another text does."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    return "[object Object]"


def is_true(value: Any) -> bool:
    """Whether the value loosely equals true: 1, "1" and [1] do, "true" and 2 do not."""
    return value is True or (not isinstance(value, dict | None.__class__) and number(value) == 1)


def strict_number(value: Any) -> float | None:
    """The value if it is a number, None if it only looks like one."""
    return None if isinstance(value, bool) or not isinstance(value, int | float) else _finite(value)


def in_key_order(keys: Iterable[str]) -> list[str]:
    """Keys of an object in the order a program sees them: whole numbers first, then as written."""
    known = list(keys)
    numbers = sorted((key for key in known if _INDEX.fullmatch(key) and int(key) < 2**32 - 1), key=int)
    return numbers + [key for key in known if not (_INDEX.fullmatch(key) and int(key) < 2**32 - 1)]
