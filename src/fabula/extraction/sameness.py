"""Evidence that two names mean one person."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import NamedTuple

# Whether two names cannot mean one person, and the names already joined with one.
AreApart = Callable[[str, str], bool]
NamesOf = Callable[[str], Collection[str]]


class JoinReason(StrEnum):
    """Why two names are taken for one person's."""

    KNOWN = "known"
    STATED = "stated"
    BYNAME = "byname"
    PART = "part"
    TITLE = "title"
    PET_NAME = "pet name"
    ANSWERS = "answers"
    ALTERNATES = "alternates"


class Sameness(NamedTuple):
    """Two names that mean one person: how sure that is, why, and where the text shows it, if anywhere.

    What a text says outright ("is no other than") holds even if the two seem to be apart elsewhere.
    """

    name: str
    other: str
    confidence: float
    reason: JoinReason
    start: int | None = None
    end: int | None = None
    is_outright: bool = False
