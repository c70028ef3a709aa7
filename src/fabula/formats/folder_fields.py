"""How values are written in the files of a story folder; what is usual is left out."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from fabula.formats.folder_text import FactLine
from fabula.model.moment import Moment
from fabula.model.validity import DatedFact
from fabula.model.wire import Value
from fabula.model.world_time import WorldTime

Fields = dict[str, Any]


def told_fields(**fields: Any) -> Fields:
    """The fields that are not None, empty, false or 0, which are the defaults."""
    return {name: value for name, value in fields.items() if value}


def fields_unless(usual: Any, **fields: Any) -> Fields:
    """The fields that differ from the default."""
    return {name: plain_value(value) for name, value in fields.items() if value != usual}


def plain_value(value: Any) -> Any:
    """A value as it stands in a file."""
    if isinstance(value, Value):
        return value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return str(value.value) if isinstance(value, StrEnum) else value


def moment_fields(moment: Moment) -> FactLine:
    """A moment on one line."""
    return (
        FactLine(chapter=moment.chapter)
        if moment.scene is None
        else FactLine(chapter=moment.chapter, scene=moment.scene)
    )


def period_fields(since: Moment | None, until: Moment | None) -> Fields:
    """The two ends of a period, as far as it has them."""
    return {
        name: moment_fields(moment)
        for name, moment in (("since", since), ("until", until))
        if moment is not None
    }


def dated_fields(fact: DatedFact) -> Fields:
    """When a fact is true and when it is told."""
    own = period_fields(fact.since, fact.until)
    own |= world_fields(validFrom=fact.valid_from, validTo=fact.valid_to)
    return own if fact.told is None else own | {"told": moment_fields(fact.told)}


def world_fields(**times: WorldTime | None) -> Fields:
    """World times, as far as there are any."""
    return {
        name: FactLine(
            {"day": time.day}
            | told_fields(label=time.label)
            | fields_unless(None, end=getattr(time, "end", None))
        )
        for name, time in times.items()
        if time is not None
    }
