"""When the people of a text were born, by the year or the day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.dates import MONTHS
from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.readers.sentences import Telling
from fabula.consistency.reading import Assertion, KnownPeople

_MONTH = "|".join(MONTHS)
_EN = re.compile(
    rf"(?P<p>[{NAMES}])(?:,|\s+(?:was|had\s+been))\s+born\s+(?:in|on)\s+(?:the\s+)?"
    rf"(?P<v>(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m>{_MONTH}),?\s+"
    rf"|(?P<n>{_MONTH})\s+(?P<e>\d{{1,2}})(?:st|nd|rd|th)?,?\s+|(?:{_MONTH})\s+)?(?P<y>\d{{4}}))\b"
)
_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:，)?(?:出生于|出生在|生于)(?P<v>(?P<y>\d{{4}})年(?:(?P<m>\d{{1,2}})月(?:(?P<d>\d{{1,2}})日)?)?)"
)


def births(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield the year or the date of birth, as `born`: 1900 or 1900-05-03."""
    telling = Telling(text)
    pattern = _ZH if cast.language == "zh" else _EN
    for sentence in telling.sentences():
        for found in pattern.finditer(sentence.text):
            start, end = (text.origin(sentence.start + place) for place in found.span("v"))
            yield Assertion("born", text.who(found["p"]), _date(found.groupdict()), start, end)


def _date(parts: dict[str, str | None]) -> str:
    month, day = parts.get("m") or parts.get("n"), parts.get("d") or parts.get("e")
    if month is None or day is None:
        return str(parts["y"])
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    return f"{parts['y']}-{number:02d}-{int(day):02d}"
