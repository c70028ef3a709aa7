"""What a text says about people that can be compared: traits, ties, deaths, deeds, and unusual spellings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from fabula.consistency.amounts import Amount, amounts_in
from fabula.consistency.marked import MarkedText
from fabula.consistency.near_names import NearNames
from fabula.model.context import MatchPlace
from fabula.model.relation import Language

# The types of the entities that texts are read for.
PEOPLE = "character"
PLACES = "location"
THINGS = "item"


class Assertion(NamedTuple):
    """What a text says about somebody: `topic` is what about them, `other` whom else it concerns."""

    topic: str
    who: str
    value: str
    start: int
    end: int
    other: str = ""


class TextReading(NamedTuple):
    """What was read in a text; `by_topic` has the assertions by whom and what they are about."""

    assertions: tuple[Assertion, ...] = ()
    spellings: tuple[Assertion, ...] = ()
    amounts: tuple[Amount, ...] = ()
    by_topic: Mapping[tuple[str, str], tuple[Assertion, ...]] = {}


@dataclass(frozen=True)
class KnownPeople:
    """The people of the story with their names, and the names of everything else, of places and of things."""

    language: Language
    names: Mapping[str, tuple[str, ...]]
    others: frozenset[str] = frozenset()
    places: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def spellings(self) -> NearNames:
        """Finds words that are one letter from a name."""
        return NearNames(self.language, self.names, self.others)

    @cached_property
    def longest_place(self) -> int:
        """How many characters the longest name of a place has."""
        return max(map(len, self.places), default=0)


Reads = Callable[[MarkedText, KnownPeople], Iterator[Assertion]]


def read_text(
    text: str,
    named: Mapping[str, list[MatchPlace]],
    cast: KnownPeople,
    readers: tuple[Reads, ...],
    spells: Reads,
) -> TextReading:
    """Read a text in which these entities are named at these places."""
    marked = MarkedText(text, {key: places for key, places in named.items() if key in cast.names})
    found = {one: None for reads in readers for one in reads(marked, cast)}
    said = tuple(sorted(found, key=lambda one: one.start))
    topics: dict[tuple[str, str], list[Assertion]] = {}
    for one in said:
        topics.setdefault((one.who, one.topic), []).append(one)
    return TextReading(
        said,
        tuple(spells(marked, cast)),
        tuple(amounts_in(text, cast.language)),
        {key: tuple(own) for key, own in topics.items()},
    )
