"""How the days of a story are read and shown: plain numbers, Gregorian dates, or the eras of its world."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from fabula.model.relation import Language
from fabula.model.wire import Name, Value
from fabula.model.world_time import MOST_DAYS, WorldTime

MINUTES = 1440
MOST_ERAS = 500
_DATE = re.compile(r"([+-]?\d{4,7})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?Z?)?")
_NUMBER = re.compile(r"(?:day |第)?([+-]?\d+(?:\.\d+)?)(?:天)?(?:[, ，]*(\d\d):(\d\d))?", re.IGNORECASE)
_YEAR = re.compile(
    r"[\s,，]*(?:year\s*)?(\d+|元)?年?[\s,，]*(?:day\s*|第)?(\d+)?[天日]?(?:[\s,，]*(\d\d):(\d\d))?",
    re.IGNORECASE,
)
_WORDS: dict[Language, dict[str, str]] = {
    "zh": {"day": "第{}天", "year": "{name}{year}年第{day}天", "time": " {}"},
    "en": {"day": "day {}", "year": "{name} year {year}, day {day}", "time": ", {}"},
}


class Era(Value):
    """An era of the story's world: its name and its first day."""

    name: Name
    first_day: Annotated[int, Field(ge=-MOST_DAYS, le=MOST_DAYS, strict=True)]


class Calendar(Value):
    """How days are read and shown; `dayZero` is the date of day 0, `yearDays` the length of an era's year."""

    kind: Literal["days", "gregorian", "eras"] = "days"
    day_zero: Annotated[str, StringConstraints(max_length=32)] | None = None
    eras: Annotated[tuple[Era, ...], Field(max_length=MOST_ERAS)] = ()
    year_days: Annotated[int, Field(ge=1, le=100_000)] = 365

    @model_validator(mode="after")
    def _says_what_it_needs(self) -> Self:
        if self.kind == "gregorian" and (self.day_zero is None or _date_in(self.day_zero) is None):
            raise ValueError("a gregorian calendar needs dayZero, the date of day 0 such as 1927-05-01")
        if self.kind == "eras" and not self.eras:
            raise ValueError("a calendar of eras needs at least one era with its name and firstDay")
        return self

    def read(self, text: str) -> float | None:
        """The day that a text names in this calendar; None if it names none."""
        written = text.strip()
        day = self._date(written) if self.kind == "gregorian" else None
        if day is None and self.kind == "eras":
            day = self._era_day(written)
        if day is None and (found := _NUMBER.fullmatch(written)):
            day = float(found[1]) + _clock(found[2], found[3])
        return day if day is not None and abs(day) <= MOST_DAYS else None

    def shown(self, day: float, language: Language) -> str:
        """A day in this calendar; `read` gives the same day, to the minute."""
        whole, minutes = divmod(round(day * MINUTES), MINUTES)
        time = f"{minutes // 60:02d}:{minutes % 60:02d}" if minutes else ""
        if self.kind == "gregorian":
            year, month, of_month = _civil(whole + _zero(self.day_zero))
            years = f"{year:05d}" if year < 0 else f"{year:04d}"
            return f"{years}-{month:02d}-{of_month:02d}" + (f"T{time}" if time else "")
        words = _WORDS[language]
        era = self._era_at(whole)
        if era is None:
            text = words["day"].format(whole)
        else:
            year, of_year = divmod(whole - era.first_day, self.year_days)
            text = words["year"].format(name=era.name, year=year + 1, day=of_year + 1)
        return text + (words["time"].format(time) if time else "")

    def told(self, time: WorldTime, language: Language) -> str:
        """A world time in words: what the author calls it, and its day."""
        day = self.shown(time.day, language)
        label = time.label.strip()
        if not label:
            return day
        return f"{label}（{day}）" if language == "zh" else f"{label} ({day})"

    def _date(self, written: str) -> float | None:
        date = _date_in(written)
        return None if date is None else date.number - _zero(self.day_zero) + date.part

    def _era_at(self, day: int) -> Era | None:
        begun = [era for era in self.eras if era.first_day <= day] if self.kind == "eras" else []
        return max(begun, key=lambda era: era.first_day, default=None)

    def _era_day(self, written: str) -> float | None:
        for era in sorted(self.eras, key=lambda one: -len(one.name)):
            if not written.startswith(era.name):
                continue
            found = _YEAR.fullmatch(written[len(era.name) :])
            if found is None:
                continue
            year = 1 if found[1] in (None, "元") else int(found[1])
            day = 1 if found[2] is None else int(found[2])
            return era.first_day + (year - 1) * self.year_days + day - 1 + _clock(found[3], found[4])
        return None


DAYS = Calendar()


def calendar_of(setting: Any) -> Calendar:
    """The calendar that a story's setting describes; ValueError if it describes none."""
    try:
        return Calendar.model_validate({"kind": setting} if isinstance(setting, str) else setting)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        said = str(first["msg"]).removeprefix("Value error, ")
        raise ValueError(f"{where}: {said}" if where else said) from error


class _Date(NamedTuple):
    """A date as a number of days, and the part of the day."""

    number: int
    part: float


def _date_in(text: str) -> _Date | None:
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = (int(found[part]) for part in (1, 2, 3))
    number = _number(year, month, day)
    return _Date(number, _clock(found[4], found[5])) if _civil(number) == (year, month, day) else None


def _zero(day_zero: str | None) -> int:
    date = None if day_zero is None else _date_in(day_zero)
    return 0 if date is None else date.number


def _clock(hours: str | None, minutes: str | None) -> float:
    return 0.0 if hours is None or minutes is None else (int(hours) * 60 + int(minutes)) / MINUTES


# Python's dates begin in the year 1, stories do not. Years are counted from March, so that a leap day is the
# last of its year; 400 years have 146,097 days.


def _number(year: int, month: int, day: int) -> int:
    """The number of days from 1 March of the year 0 to a date."""
    from_march = (month - 3) % 12
    years = year - (month < 3)
    return 365 * years + years // 4 - years // 100 + years // 400 + (153 * from_march + 2) // 5 + day - 1


def _civil(number: int) -> tuple[int, int, int]:
    """The year, month and day of a number of days: the inverse of `_number`."""
    cycles, of_cycle = divmod(number, 146_097)
    of_years = (of_cycle - of_cycle // 1460 + of_cycle // 36_524 - of_cycle // 146_096) // 365
    of_year = of_cycle - (365 * of_years + of_years // 4 - of_years // 100)
    from_march = (5 * of_year + 2) // 153
    month = (from_march + 2) % 12 + 1
    return of_years + 400 * cycles + (month < 3), month, of_year - (153 * from_march + 2) // 5 + 1
