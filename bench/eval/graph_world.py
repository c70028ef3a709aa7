"""A story in memory that answers what the stages of retrieval ask."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fabula.index.arrays import Mask
from fabula.index.words import words
from fabula.matching import Matcher, Term, fold
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

K1, B = 1.2, 0.75
HALF_LIFE = 20.0


class EventFacts(NamedTuple):
    """Who took part in an event, when it was, how many scenes ago, and how much it matters."""

    participants: tuple[int, ...]
    instant: int
    age: int
    significance: float


class Bm25:
    """Plain BM25 over the words of texts: the floor, and what texts say of a query."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(word.text for word in words(fold(text).text)) for text in texts]
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for slot, counts in enumerate(counted):
            for word, count in counts.items():
                postings[word].append((slot, count))
        sizes = np.array([max(1, counts.total()) for counts in counted], dtype=np.float64)
        self.size = len(texts)
        self.length = K1 * (1 - B + B * sizes / max(1.0, float(sizes.mean()))) if len(texts) else sizes
        self.postings = {
            word: (np.array([p[0] for p in places]), np.array([p[1] for p in places], dtype=np.float64))
            for word, places in postings.items()
        }

    def scores(self, text: str) -> tuple[Scores, float]:
        """The score of every text, and what one gets that has every word once."""
        total = np.zeros(self.size)
        ceiling = 0.0
        for word in sorted({word.text for word in words(fold(text).text)} & self.postings.keys()):
            slots, counts = self.postings[word]
            rarity = float(np.log(1 + (self.size - len(slots) + 0.5) / (len(slots) + 0.5)))
            total[slots] += rarity * counts * (K1 + 1) / (counts + self.length[slots])
            ceiling += rarity * (K1 + 1) / 2
        return total, ceiling

    def ranked(self, text: str, limit: int) -> list[int]:
        """The best texts, best first."""
        scores, _ = self.scores(text)
        order = np.argsort(-scores, kind="stable")[:limit]
        return [slot for slot in order.tolist() if scores[slot] > 0]


@dataclass(frozen=True)
class Person:
    """Somebody or something of the world, an event too."""

    id: str
    name: str
    text: str = ""
    aliases: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()


@dataclass
class MemoryWorld:
    """A world whose parts are plain lists; `relations` are (source, kind, target, words)."""

    people: Sequence[Person]
    relations: Iterable[tuple[int, str, int, tuple[str, ...]]] = ()
    events: Mapping[int, EventFacts] = field(default_factory=dict)
    mentioning: bool = True
    simplify: bool = False

    def __post_init__(self) -> None:
        self.words = Bm25([f"{person.name} {person.text}" for person in self.people])
        self._names = Matcher(self._terms(), simplify=self.simplify)
        parts = (
            Term(part, slot, "implied", case_sensitive=True)
            for slot, person in enumerate(self.people)
            for part in person.implied
        )
        self._parts = Matcher(parts, simplify=self.simplify)
        self._links: defaultdict[int, list[Link]] = defaultdict(list)
        for source, kind, target, said in self.relations:
            self._links[source].append(Link(target, kind, True, 1.0, said))
            self._links[target].append(Link(source, kind, False, 1.0, said))
        self._outward: defaultdict[int, list[MentionLink]] = defaultdict(list)
        self._inward: defaultdict[int, list[MentionLink]] = defaultdict(list)
        if self.mentioning:
            self._read_mentions()
        self._events_of: defaultdict[int, list[int]] = defaultdict(list)
        for slot in sorted(self.events, key=lambda slot: (self.events[slot].age, slot)):
            for participant in self.events[slot].participants:
                self._events_of[participant].append(slot)
        self._companions: dict[int, list[Companion]] = {}
        self._said: tuple[str, tuple[Scores, float]] = "", self.words.scores("")

    def _terms(self) -> Iterable[Term]:
        for slot, person in enumerate(self.people):
            yield Term(person.name, slot, "name")
            for alias in person.aliases:
                yield Term(alias, slot, "alias")

    def _read_mentions(self) -> None:
        for slot, person in enumerate(self.people):
            for hit in self._names.find(person.text):
                written = person.text[hit.start]
                if hit.owner != slot and not (hit.term[:1].isupper() and written.islower()):
                    self._outward[slot].append(MentionLink(hit.owner, True, hit.start, hit.end))
                    self._inward[hit.owner].append(MentionLink(slot, False, hit.start, hit.end))

    @property
    def population(self) -> int:
        return len(self.people)

    def everybody(self) -> Mask:
        return np.ones(len(self.people), dtype=np.bool_)

    def id_of(self, slot: int) -> str:
        return self.people[slot].id

    def text_of(self, slot: int) -> str:
        return self.people[slot].text

    def mentions_in(self, text: str) -> list[Naming]:
        hits = self._names.find_all(text) + self._parts.find_all(text)
        return [Naming(hit.owner, hit.term, hit.kind, hit.start, hit.end) for hit in hits]

    def shared_words(self, text: str, allowed: Mask, limit: int) -> SharedWords:
        if self._said[0] != text:
            self._said = text, self.words.scores(text)
        scores, ceiling = self._said[1]
        slots = np.flatnonzero(allowed & (scores > 0))
        slots = slots[np.argsort(-scores[slots], kind="stable")][:limit]
        return SharedWords(slots, scores[slots], ceiling)

    def similarities(self, text: str, slots: WorldSlots) -> Scores | None:
        return None

    def links(self, slot: int) -> Sequence[Link]:
        return self._links.get(slot, ())

    def mentions(self, slot: int) -> Sequence[MentionLink]:
        return [*self._outward.get(slot, ()), *self._inward.get(slot, ())]

    def companions(self, slot: int, allowed: Mask) -> Sequence[Companion]:
        if allowed.all() and slot in self._companions:
            return self._companions[slot]
        found = self._companions_of(slot, allowed)
        if allowed.all():
            self._companions[slot] = found
        return found

    def _companions_of(self, slot: int, allowed: Mask) -> list[Companion]:
        shared: defaultdict[int, list[EventFacts]] = defaultdict(list)
        for event in self._events_of.get(slot, ()):
            if allowed[event]:
                facts = self.events[event]
                for peer in facts.participants:
                    if peer != slot and allowed[peer]:
                        shared[peer].append(facts)
        found = [
            Companion(
                peer,
                len(own),
                max(facts.instant for facts in own),
                sum(facts.significance * 0.5 ** (facts.age / HALF_LIFE) for facts in own),
            )
            for peer, own in shared.items()
        ]
        return sorted(found, key=lambda one: (-one.weight, self.id_of(one.peer)))

    def events_of(self, slot: int) -> Sequence[int]:
        return self._events_of.get(slot, ())

    def participants(self, slot: int) -> Sequence[int]:
        facts = self.events.get(slot)
        return () if facts is None else facts.participants

    def standing(self, events: Sequence[int]) -> EventStanding:
        facts = [self.events[event] for event in events]
        return EventStanding(
            np.array([f.significance for f in facts]), np.array([f.age for f in facts], np.float64)
        )
