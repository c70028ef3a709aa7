"""What every extractor takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from fabula.model.proposal import Draft
from fabula.model.relation import Language

# Told how many pieces of a text are done, and of how many.
Progress = Callable[[int, int], None]


class KnownName(NamedTuple):
    """Somebody or something the story knows already, by name, type and other names."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


class FailedPiece(NamedTuple):
    """A part of a text from which nothing could be had, and why."""

    start: int
    end: int
    reason: str


class Reading(NamedTuple):
    """What was found in a text, and which parts of it could not be read."""

    drafts: list[Draft]
    failed: tuple[FailedPiece, ...] = ()


class Extractor(Protocol):
    """Reads a text for who and what is in it; saves nothing."""

    @property
    def name(self) -> str:
        """Whose finds these are, as shown in the review queue."""

    def read(
        self, text: str, known: Sequence[KnownName], language: Language, progress: Progress | None = None
    ) -> Reading:
        """What is found, and what could not be read."""

    def extract(
        self, text: str, known: Sequence[KnownName], language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """What is found."""
