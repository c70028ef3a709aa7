"""The interface of extractors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from fabula.model.proposal import Draft
from fabula.model.relation import Language

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


class Extractor(Protocol):
    """Finds entities, relations and events in a text; saves nothing."""

    @property
    def name(self) -> str:
        """The name of the extractor as the review queue shows it."""

    def read(
        self, text: str, known: Sequence[KnownEntity], language: Language, progress: Progress | None = None
    ) -> Reading:
        """The drafts found, and the chunks that failed."""

    def extract(
        self, text: str, known: Sequence[KnownEntity], language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """The drafts found."""
