"""Evidence that two names mean one person."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
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
    """Two names that mean one person: how sure that is, why, and where the text shows it, if anywhere."""

    name: str
    other: str
    confidence: float
    reason: Reason
    start: int | None = None
    end: int | None = None
