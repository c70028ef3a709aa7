"""A world of a few people in plain lists, for the stages of retrieval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fabula.index.arrays import Mask
from fabula.index.words import words
from fabula.matching import Matcher, Term, fold
from fabula.matching.implied import implied_names
from fabula.retrieval.world import (
    Companion,
    EventStanding,
    Link,
    MentionLink,
    Naming,
    Scores,
    SharedWords,
    WorldSlots,
)


class EventFacts(NamedTuple):
    """Who took part in an event, when it was, how many scenes ago, and how much it matters."""

    participants: tuple[int, ...]
    instant: int
    age: int
    significance: float


@dataclass(frozen=True)
class Somebody:
    """An entity; what it says of others is found by their names."""

    name: str
    text: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass
class PlainWorld:
    """Answers what the stages ask; the slot of somebody is their place in the list."""

    people: Sequence[Somebody]
    relations: Sequence[tuple[str, str, str]] = ()
    events: dict[str, EventFacts] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    meanings: dict[str, float] | None = None
    weights: dict[tuple[str, str, str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.slot_of = {person.name: slot for slot, person in enumerate(self.people)}
        self.said_of: list[str] = []
        terms: list[Term] = []
        for slot, person in enumerate(self.people):
            terms.append(Term(person.name, slot, "name"))
            terms += [Term(alias, slot, "alias") for alias in person.aliases]
            terms += [Term(keyword, slot, "keyword") for keyword in person.keywords]
        self._names = Matcher(terms)
        self._parts = Matcher(
            Term(part, slot, "implied")
            for slot, person in enumerate(self.people)
            for part in implied_names(person.name, person.aliases)
        )
        self._words = [{word.text for word in words(fold(f"{p.name} {p.text}").text)} for p in self.people]

    @property
    def population(self) -> int:
        return len(self.people)

    def everybody(self) -> Mask:
        return np.ones(len(self.people), dtype=np.bool_)

    def all_but(self, *names: str) -> Mask:
        mask = self.everybody()
        mask[[self.slot_of[name] for name in names]] = False
        return mask

    def names(self, found: Sequence[object]) -> list[str]:
        """The names of what was found, in its order."""
        return [self.people[one.slot].name for one in found]  # type: ignore[attr-defined]

    def id_of(self, slot: int) -> str:
        return self.people[slot].name

    def text_of(self, slot: int) -> str:
        self.said_of.append(self.people[slot].name)
        return self.people[slot].text

    def mentions_in(self, text: str) -> list[Naming]:
        hits = self._names.find_all(text) + self._parts.find_all(text)
        return [Naming(hit.owner, hit.term, hit.kind, hit.start, hit.end) for hit in hits]  # type: ignore[arg-type]

    def shared_words(self, text: str, allowed: Mask, limit: int) -> SharedWords:
        wanted = {word.text for word in words(fold(text).text)}
        shares = np.array([len(wanted & own) for own in self._words], dtype=np.float64)
        slots = np.flatnonzero(allowed & (shares > 0))
        slots = np.array(
            sorted(slots.tolist(), key=lambda slot: (-shares[slot], self.id_of(slot))), dtype=np.int64
        )
        return SharedWords(slots[:limit], shares[slots[:limit]], float(len(wanted)))

    def similarities(self, text: str, slots: WorldSlots) -> Scores | None:
        if self.meanings is None:
            return None
        return np.array([self.meanings.get(self.people[slot].name, 0.0) for slot in slots])

    def links(self, slot: int) -> list[Link]:
        name = self.people[slot].name
        found = []
        for relation in self.relations:
            source, kind, target = relation
            weight, said = self.weights.get(relation, 1.0), self.labels.get(kind, ())
            if source == name:
                found.append(Link(self.slot_of[target], kind, True, weight, said))
            if target == name:
                found.append(Link(self.slot_of[source], kind, False, weight, said))
        return sorted(found, key=lambda link: -link.weight)

    def mentions(self, slot: int) -> list[MentionLink]:
        outward = [
            MentionLink(hit.owner, True, hit.start, hit.end)  # type: ignore[arg-type]
            for hit in self._names.find(self.people[slot].text)
            if hit.owner != slot
        ]
        inward = [
            MentionLink(namer, False, hit.start, hit.end)
            for namer in sorted(range(len(self.people)), key=self.id_of)
            for hit in self._names.find(self.people[namer].text)
            if hit.owner == slot and namer != slot
        ]
        return outward + inward

    def companions(self, slot: int, allowed: Mask) -> list[Companion]:
        shared: defaultdict[int, list[EventFacts]] = defaultdict(list)
        for event in self.events_of(slot):
            if allowed[event]:
                facts = self.events[self.people[event].name]
                for peer in facts.participants:
                    if peer != slot and allowed[peer]:
                        shared[peer].append(facts)
        found = [
            Companion(peer, len(own), max(e.instant for e in own), sum(e.significance for e in own))
            for peer, own in shared.items()
        ]
        return sorted(found, key=lambda one: (-one.weight, self.id_of(one.peer)))

    def events_of(self, slot: int) -> list[int]:
        return [self.slot_of[name] for name, facts in self.events.items() if slot in facts.participants]

    def participants(self, slot: int) -> Sequence[int]:
        facts = self.events.get(self.people[slot].name)
        return () if facts is None else facts.participants

    def standing(self, events: Sequence[int]) -> EventStanding:
        facts = [self.events[self.people[event].name] for event in events]
        return EventStanding(
            np.array([f.significance for f in facts]), np.array([f.age for f in facts], np.float64)
        )
