"""What the stages may ask of a story, as it stands at the moment of the question.

Entities and events are slots: small numbers below `population`. Whoever answers speaks for one moment: links
that are not true then, and events that have not happened, are not given. Who may be spoken of at all is said
by the mask that every stage takes; nobody else has any part in what the stages find.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Mask

WorldSlots = NDArray[np.int64]
Scores = NDArray[np.float64]


class Naming(NamedTuple):
    """A place of a text where a name, alias, keyword or a part of a name (`implied`) of somebody stands."""

    slot: int
    term: str
    kind: str
    start: int
    end: int


class SharedWords(NamedTuple):
    """Whose texts share words with a text, how much, and what a text with all of these words would get."""

    slots: WorldSlots
    scores: Scores
    ceiling: float


class Link(NamedTuple):
    """An explicit relation seen from one of its ends; `outward` when that end is its source.

    Its kind says what the source is to the target; `weight` goes from 0 to 1. `words` are what people call
    the relation: labels of its type in any language, the story's own word, a note.
    """

    peer: int
    kind: str
    outward: bool
    weight: float = 1.0
    words: tuple[str, ...] = ()


class MentionLink(NamedTuple):
    """The text of one names the other; the place is in the text of the one who names.

    `outward` when the text is that of the slot asked about.
    """

    peer: int
    outward: bool
    start: int
    end: int


class Companion(NamedTuple):
    """Somebody who shares events: how many, the last of them, and how much they weigh together."""

    peer: int
    shared: int
    last: int
    weight: float


class EventStanding(NamedTuple):
    """How much each of some events matters, and how many scenes lie between it and the moment."""

    significance: Scores
    ages: Scores


class World(Protocol):
    """One story at one moment."""

    @property
    def population(self) -> int:
        """How many slots there are."""

    def id_of(self, slot: int) -> str:
        """The id behind a slot, which settles ties."""

    def text_of(self, slot: int) -> str:
        """What a model would be told of it."""

    def named(self, text: str) -> Sequence[Naming]:
        """Every place of the text where somebody's name stands, those inside longer names included."""

    def said(self, text: str, allowed: Mask, limit: int) -> SharedWords:
        """Who shares words with the text, the best `limit` of those allowed."""

    def meant(self, text: str, slots: WorldSlots) -> Scores | None:
        """How near in meaning each of these is to the text, from 0 to 1; None where nobody can say."""

    def links(self, slot: int) -> Sequence[Link]:
        """Its explicit relations in both directions, the strongest first."""

    def mentions(self, slot: int) -> Sequence[MentionLink]:
        """Whom its text names, and then whose texts name it, the most significant first."""

    def companions(self, slot: int, allowed: Mask) -> Sequence[Companion]:
        """Who shares its events, the closest first; only events and people that are allowed count."""

    def events_of(self, slot: int) -> Sequence[int]:
        """The events it takes part in, those that matter most first."""

    def participants(self, slot: int) -> Sequence[int]:
        """Who takes part in an event; nobody in anything else."""

    def standing(self, events: Sequence[int]) -> EventStanding:
        """How much each of these events matters, and how long ago it was."""
