"""A story at one moment, as the retrieval asks about it: who is named, who is near, what happened."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from typing import Any

import numpy as np

from fabula.index.lorebook import EntryOwner
from fabula.index.words import Scores as WordScores
from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.model.relation import Relation
from fabula.operations.ear import Ear
from fabula.operations.meaning import Meaning
from fabula.operations.remembered import recalled, relation_labels
from fabula.retrieval.world import Companion, EventFacts, Link, Mask, Mention, Naming, Said, Scores

# Of somebody whom everybody knows, the most significant others are enough.
MOST_LINKS = 400
MOST_NAMERS = 60
MOST_COMPANIONS = 40
MOST_EVENTS = 200

_LABELS = {word.key: (word.zh, word.en) for word in DEFAULT_RELATION_TYPES}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was found through one ear, kept while the story stays the same."""

    links: dict[int, tuple[Link, ...]] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    mentions: dict[int, tuple[Mention, ...]] = field(default_factory=dict)


class StoryWorld:
    """What one may hear of a story, behind slots; see `retrieval.world.World`."""

    def __init__(self, on: Ear, meaning: Meaning) -> None:
        self.on, self._meaning = on, meaning
        self._index, self._reader, self._roster = on.index, on.reader, on.index.roster
        self._seen = recalled(on.index, ("world", on.key), _Seen)
        self._meant: tuple[str, Scores | None] | None = None
        self._said: tuple[str, WordScores] | None = None

    @property
    def population(self) -> int:
        """How many slots there are."""
        return len(self._roster.ids)

    @cached_property
    def allowed(self) -> Mask:
        """Which slots one may hear of."""
        return self.on.tellable()

    def id_of(self, slot: int) -> str:
        """The id behind a slot."""
        return self._roster.ids[slot]

    def text_of(self, slot: int) -> str:
        """What is written of it, with blanks where a secret is named, so that places stay what they are."""
        known = self._seen.texts.get(slot)
        if known is None:
            known = self._seen.texts[slot] = self.on.blanked(self._index.words(self._reader).text_of(slot))
        return known

    def named(self, text: str) -> Sequence[Naming]:
        """Every place where a name, alias, keyword, or a part of a name stands."""
        lorebook, slots = self._index.lorebook(self._reader), self._roster.slot_of
        found = []
        for hit in self._index.names(self._reader).find_all(text):
            owner: Any = hit.owner
            if isinstance(owner, EntryOwner):
                owner = lorebook.entity_of[owner.entry_id]
            if owner is not None:
                found.append(Naming(slots[str(owner)], hit.term, hit.kind, hit.start, hit.end))
        short = self._index.short_names(self._reader).find_all(text)
        found += [Naming(slots[str(hit.owner)], hit.term, hit.kind, hit.start, hit.end) for hit in short]
        return found

    def said(self, text: str, allowed: Mask, limit: int) -> Said:
        """Who shares words with the text."""
        if self._said is None or self._said[0] != text:
            self._said = text, self._index.words(self._reader).all_scores(text)
        found = self._said[1].best(allowed, limit)
        return Said(found.slots.astype(np.int64), found.weights, found.ceiling)

    def meant(self, text: str) -> Scores | None:
        """How near in meaning each slot is to the text; None without vectors."""
        if self._meant is None or self._meant[0] != text:
            found = self._meaning.of_entities(self._reader, self._index, text)
            self._meant = text, found
        return self._meant[1]

    def links(self, slot: int) -> Sequence[Link]:
        """Its relations, those to the most significant first."""
        known = self._seen.links.get(slot)
        if known is None:
            known = self._seen.links[slot] = tuple(self._links(slot))
        return known

    def _links(self, slot: int) -> Iterable[Link]:
        graph, significance = self._index.graph(self._reader), self._roster.significance
        steps = [(peer, link) for peer, link in graph.steps(slot, self.on.instant) if self.allowed[peer]]
        best = nsmallest(MOST_LINKS, steps, key=lambda step: (-significance[step[0]], graph.ids[step[1]]))
        labels = relation_labels(self._reader, self._index)
        rows = self._index.relations(self._reader, [link for _, link in best])
        for (peer, link), relation in zip(best, rows, strict=True):
            if relation.relation_type not in self._secret_types:
                words = self._words_for(relation, labels)
                yield Link(peer, relation.relation_type, graph.sources[link] == slot, 1.0, words)

    @cached_property
    def _secret_types(self) -> frozenset[str]:
        """The types of relations whose word names a secret."""
        labels = relation_labels(self._reader, self._index)
        return frozenset(key for key, label in labels.items() if self.on.hidden(label))

    def _words_for(self, relation: Relation, labels: dict[str, str]) -> tuple[str, ...]:
        key = relation.relation_type
        own = relation.properties.get("relationshipType")
        words = [labels.get(key, ""), *_LABELS.get(key, ()), own if isinstance(own, str) else ""]
        words.append(relation.description)
        return tuple(dict.fromkeys(word for word in words if word and not self.on.hidden(word)))

    def mentions(self, slot: int) -> Sequence[Mention]:
        """Whom its text names, and whose texts name it."""
        known = self._seen.mentions.get(slot)
        if known is None:
            known = self._seen.mentions[slot] = tuple(self._mentions(slot))
        return known

    def _mentions(self, slot: int) -> Iterable[Mention]:
        table, significance, ids = (
            self._index.mentions(self._reader),
            self._roster.significance,
            self._roster.ids,
        )
        for peer, start, end in table.named_by(slot):
            if self.allowed[peer] and not self._is_blank(slot, start):
                yield Mention(peer, True, start, end)
        namers = [namer for namer in table.namers_of(slot) if self.allowed[namer]]
        for namer in nsmallest(MOST_NAMERS, namers, key=lambda one: (-significance[one], ids[one])):
            for peer, start, end in table.named_by(namer):
                if peer == slot and not self._is_blank(namer, start):
                    yield Mention(namer, False, start, end)

    def _is_blank(self, slot: int, place: int) -> bool:
        return self.text_of(slot)[place : place + 1].isspace()

    def companions(self, slot: int, allowed: Mask) -> Sequence[Companion]:
        """Who shares its events."""
        found = self._index.chronicle(self._reader).companions(
            slot, self.on.instant, MOST_COMPANIONS, told=lambda one: bool(allowed[one])
        )
        return [Companion(*one) for one in found]

    def events_of(self, slot: int) -> Sequence[int]:
        """The events it takes part in, or that happened there."""
        return self._index.chronicle(self._reader).events_of(
            slot, self.on.instant, limit=MOST_EVENTS, told=lambda one: bool(self.allowed[one])
        )

    def event(self, slot: int) -> EventFacts:
        """Who took part in an event, when, and how much it matters."""
        chronicle = self._index.chronicle(self._reader)
        instant = chronicle.instant_of[slot]
        return EventFacts(
            tuple(chronicle.participants(slot)), instant, self._age(instant), self._roster.significance[slot]
        )

    def _age(self, instant: int) -> int:
        """How many scenes lie between an instant and the moment; chapters where no scenes are written."""
        scenes = self._index.scene_instants(self._reader)
        now = self.on.instant if self.on.instant is not None else (scenes[-1] if scenes else instant)
        written = bisect_left(scenes, now) - bisect_left(scenes, max(0, instant))
        return max(0, written, (now >> 20) - (max(0, instant) >> 20))
