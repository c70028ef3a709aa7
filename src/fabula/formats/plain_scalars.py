"""Resolves unquoted YAML scalars, and flags those that other YAML readers resolve differently."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from fabula.model.wire import MAX_INTEGER

_LONGEST_INTEGER = len(str(MAX_INTEGER)) + 1

# YAML 1.1 and 1.2 agree on the first groups. The last five are text in one of them and something else in the
# other: here they are text, flagged as doubtful.
_PLAIN = re.compile(
    r"""
      (?P<null>    ~ | null | Null | NULL | )
    | (?P<truth>   true | True | TRUE | false | False | FALSE )
    | (?P<integer> [-+]? (?: 0 | [1-9][0-9]* ) )
    | (?P<real>    [-+]? (?: [0-9]+ \. [0-9]* | \. [0-9]+ | [0-9]+ (?=[eE]) ) (?: [eE] [-+]? [0-9]+ )? )
    | (?P<endless> [-+]? \. (?: inf | Inf | INF ) | \. (?: nan | NaN | NAN ) )
    | (?P<word>    yes | Yes | YES | no | No | NO | on | On | ON | off | Off | OFF )
    | (?P<date>    [0-9]{4} - [0-9]{2} - [0-9]{2} )
    | (?P<instant> [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: [Tt] | [ \t]+ )
                   [0-9]{1,2} : [0-9]{2} : [0-9]{2} (?: \. [0-9]* )? (?: [ \t]* (?: Z | [-+][0-9:]+ ) )? )
    | (?P<clock>   [-+]? [0-9][0-9_]* (?: : [0-5]? [0-9] )+ (?: \. [0-9_]* )? )
    | (?P<digits>  [-+]? (?: 0 [0-9_]+ | [1-9] [0-9]* _ [0-9_]*
                           | 0x [0-9a-fA-F_]+ | 0o [0-7_]+ | 0b [01_]+ ) )
    """,
    re.VERBOSE,
)
_NAMED = {
    "truth": "boolean",
    "integer": "number",
    "real": "number",
    "word": "boolean",
    "date": "date",
    "instant": "timestamp",
    "clock": "time",
    "digits": "number",
}
_DOUBTFUL = frozenset({"word", "date", "instant", "clock", "digits"})
_FIRST = frozenset("~nNtTfFyYoO0123456789+-.")


class Scalar(NamedTuple):
    """An unquoted scalar as written in the file, and the type other YAML readers give it."""

    kind: str
    text: str


def needs_quotes(text: str) -> bool:
    """Whether a text would be read as something other than text, here or elsewhere, if unquoted."""
    return (not text or text[0] in _FIRST) and _PLAIN.fullmatch(text) is not None


def plain_value(text: str) -> tuple[str | int | float | bool | None, Scalar | None, bool]:
    """The value of an unquoted scalar; its spelling, if the value does not show it; whether it is doubtful.

    ValueError for a number beyond JSON or 64 bits.
    """
    if text and text[0] not in _FIRST:
        return text, None, False
    found = _PLAIN.fullmatch(text)
    group = found and found.lastgroup
    if group is None:
        return text, None, False
    if group in _DOUBTFUL:
        return text, Scalar(_NAMED[group], text), True
    value = _value(group, text)
    is_shown = value is None or text == (str(value).lower() if group == "truth" else str(value))
    return value, None if is_shown else Scalar(_NAMED[group], text), False


def _value(group: str, text: str) -> int | float | bool | None:
    if group == "null":
        return None
    if group == "truth":
        return text[0] in "tT"
    if group == "integer":
        if len(text) > _LONGEST_INTEGER or abs(int(text)) > MAX_INTEGER:
            raise ValueError("an integer beyond 64 bits")
        return int(text)
    number = float(text) if group == "real" else math.inf
    if math.isinf(number):
        raise ValueError("a number that JSON does not know (NaN, infinity, or too large)")
    return number
