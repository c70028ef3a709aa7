"""The story as the retrieval stages see it, at one moment.

Entities and events are slots: small numbers below `population`. Links that are not true at the moment, and
events that have not happened, are left out. The mask that every stage takes says which slots are allowed; the
others have no effect on the results.
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
    """A span of a text that matches a name, alias, keyword or short form (`implied`) of an entity."""

    slot: int
    term: str
    kind: str
    start: int
    end: int


class SharedWords(NamedTuple):
    """The slots whose texts share words with a text, their scores, and the score of sharing all words."""

    slots: WorldSlots
    scores: Scores
    ceiling: float


class Link(NamedTuple):
    """An explicit relation seen from one of its ends; `outward` if that end is its source.

    Its kind says what the source is to the target; `weight` is from 0 to 1. `words` are words for the
    relation: labels of its type in any language, the story's own word, a note.
    """

    peer: int
    kind: str
    outward: bool
    weight: float = 1.0
    words: tuple[str, ...] = ()


class MentionLink(NamedTuple):
    """A mention of one entity in the text of another, with its span there.

    `outward` if the text is that of the slot the query started from.
    """

    peer: int
    outward: bool
    start: int
    end: int


class Companion(NamedTuple):
    """An entity that shares events with another: how many, the last of them, and their total weight."""

    peer: int
    shared: int
    last: int
    weight: float


class EventStanding(NamedTuple):
    """The significance of some events, and their age in scenes."""

    significance: Scores
    ages: Scores


class World(Protocol):
    """One story at one moment."""

    @property
    def population(self) -> int:
        """The number of slots."""

    def id_of(self, slot: int) -> str:
        """The id of a slot, which breaks ties."""

    def text_of(self, slot: int) -> str:
        """The text a model would be given about a slot."""

    def mentions_in(self, text: str) -> Sequence[Naming]:
        """Every mention of an entity in a text, including those inside longer names."""

    def shared_words(self, text: str, allowed: Mask, limit: int) -> SharedWords:
        """The best `limit` allowed slots that share words with a text."""

    def similarities(self, text: str, slots: WorldSlots) -> Scores | None:
        """The semantic similarity of each slot to a text, from 0 to 1; None if there are no embeddings."""

    def links(self, slot: int) -> Sequence[Link]:
        """The explicit relations of a slot in both directions, the strongest first."""

    def mentions(self, slot: int) -> Sequence[MentionLink]:
        """The mentions in the text of a slot, then those of it in other texts, the most significant first."""

    def companions(self, slot: int, allowed: Mask) -> Sequence[Companion]:
        """The entities that share events with a slot, the closest first; only allowed slots count."""

    def events_of(self, slot: int) -> Sequence[int]:
        """The events a slot takes part in, the most significant first."""

    def participants(self, slot: int) -> Sequence[int]:
        """The participants of an event; none for other slots."""

    def standing(self, events: Sequence[int]) -> EventStanding:
        """The significance and age of these events."""
