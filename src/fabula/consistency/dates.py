"""Dates as texts write them, with the weekday if it is said."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from fabula.model.relation import Language

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS: dict[Language, list[str]] = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "zh": ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
}
_MONTH = "|".join(MONTHS)
_EN = re.compile(
    rf"(?:\b(?P<w>{'|'.join(_DAYS['en'])}),?\s+(?:the\s+)?)?(?:"
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m>{_MONTH})\b"
    rf"|\b(?P<n>{_MONTH})\s+(?:the\s+)?(?P<e>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d))(?:,?\s+(?P<y>\d{{4}})\b)?"
)
_ZH = re.compile(
    r"(?:(?P<y>\d{4})年)?(?<!\d)(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号](?:[，,（(]?(?:星期|周|礼拜)(?P<w>[一二三四五六日天]))?"
)
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class WrittenDate(NamedTuple):
    """A date in a text: its month and day, the year and the weekday if they are said."""

    start: int
    end: int
    month: int
    day: int
    year: int | None
    weekday: str
    language: Language

    @property
    def is_impossible(self) -> bool:
        """Whether no year, or not this one, has such a day."""
        if not 1 <= self.month <= 12 or not 1 <= self.day <= _LONGEST[self.month - 1]:
            return True
        return self.year is not None and self.year > 0 and self._date is None

    @property
    def weekday_of_it(self) -> str:
        """The weekday that it is in the Gregorian calendar; empty if that is not known."""
        return "" if self._date is None else _DAYS[self.language][self._date.weekday()]

    @property
    def in_calendar(self) -> str:
        """What the calendar says of it: its weekday, or how many days its month has."""
        if self._date is not None:
            return f"{self._date.isoformat()}: {self.weekday_of_it}"
        if not 1 <= self.month <= 12:
            return "1–12"
        most = _LONGEST[self.month - 1]
        if self.month == 2 and self.year is not None and not isleap(self.year):
            most = 28
        return f"{self.month}月：1–{most}" if self.language == "zh" else f"{MONTHS[self.month - 1]}: 1–{most}"

    @property
    def _date(self) -> date | None:
        try:
            return None if self.year is None else date(self.year, self.month, self.day)
        except ValueError:
            return None


def dates_in(text: str, language: Language) -> Iterator[WrittenDate]:
    """Yield the dates of a text that have a month and a day."""
    for found in (_ZH if language == "zh" else _EN).finditer(text):
        parts = found.groupdict()
        month, day = parts.get("m") or parts.get("n"), parts.get("d") or parts.get("e")
        assert month is not None
        assert day is not None
        number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
        year = None if parts["y"] is None else int(parts["y"])
        weekday = parts["w"] or ""
        if language == "zh" and weekday:
            weekday = f"星期{weekday.replace('天', '日')}"
        yield WrittenDate(found.start(), found.end(), number, int(day), year, weekday, language)
