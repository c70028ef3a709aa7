"""The interface of extractors."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fabula.model.proposal import Draft

# Called with the number of chunks done and their total.
Progress = Callable[[int, int], None]


class KnownEntity(NamedTuple):
    """An entity the story already has: name, type and aliases."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


class FailedPiece(NamedTuple):
    """A chunk that could not be processed, and the reason."""

    start: int
    end: int
    reason: str


class Reading(NamedTuple):
    """The drafts found in a text, and the chunks that failed."""

    drafts: list[Draft]
    failed: tuple[FailedPiece, ...] = ()
