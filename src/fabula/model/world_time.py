"""World time: a place on the story's own time line, in days from day 0, with the author's words for it."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from fabula.model.wire import Id, Text, Value

# 2.7 million years: enough for any legend, and every minute of it is a number of its own.
MOST_DAYS = 1_000_000_000
LONGEST_LABEL = 200

Day = Annotated[float, Field(ge=-MOST_DAYS, le=MOST_DAYS)]
TimeLabel = Annotated[Text, StringConstraints(max_length=LONGEST_LABEL)]


class WorldTime(Value):
    """A day of the story's own time line, counted from its day 0; `label` is what the author calls it."""

    day: Day
    label: TimeLabel = ""


class SceneTime(WorldTime):
    """When a scene plays: the day on which it begins and, if that is said, the day on which it ends."""

    end: Day | None = None

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.end is not None and self.end < self.day:
            raise ValueError("end lies before day")
        return self

    @property
    def last_day(self) -> float:
        """The day on which it ends; without one, the day on which it begins."""
        return self.day if self.end is None else self.end


class RelativeTime(Value):
    """A world time so many days after the end, or before the beginning, of a scene or an event."""

    after: Id | None = None
    before: Id | None = None
    days: Annotated[float, Field(ge=0, le=MOST_DAYS)] = 0.0
    label: TimeLabel = ""

    @model_validator(mode="after")
    def _means_one(self) -> Self:
        if (self.after is None) == (self.before is None):
            raise ValueError("give either after or before, the id of a scene or an event")
        return self


# A text is a date or a number as the story's calendar reads it.
WrittenTime = Annotated[Text, StringConstraints(min_length=1, max_length=LONGEST_LABEL)]
WorldTimeGiven = WorldTime | RelativeTime | Day | WrittenTime
SceneTimeGiven = SceneTime | RelativeTime | Day | WrittenTime
