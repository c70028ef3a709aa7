"""A story at one moment, as retrieval queries it: who is named, who is related, what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from heapq import nsmallest
from typing import Any, TypeVar

import numpy as np

from fabula.context.audience import ModelView
from fabula.context.drafts import Drawn, PartialList
from fabula.context.edition_cache import recalled, relation_labels
from fabula.context.joining import joining_redaction
from fabula.context.redaction import Spans
from fabula.index.appearances import NameOfEntity
from fabula.index.arrays import Mask
from fabula.index.chronicle import Chronicle
from fabula.index.lorebook import EntryOwner
from fabula.index.value_cache import TextCache
from fabula.index.words import Slots, SlotScores, shared_words
from fabula.matching import Hit, fold
from fabula.matching.implied import implied_names
from fabula.model.audience import OpenText
from fabula.model.event import EVENT
from fabula.model.fact import FactKind
from fabula.model.moment import SCENE_BITS
from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.projections.meaning import Meaning
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

# Limits for very well-connected entities, of which the most significant links suffice.
MOST_LINKS = 300
MOST_NAMERS = 48
MOST_COMPANIONS = 40
MOST_EVENTS = 200
MOST_EVENTS_FOR_COMPANIONS = 128
MOST_TIES = 64
SLOTS_KEPT = 4_000
TEXT_BYTES = 8 << 20

T = TypeVar("T")

_LABELS = {word.key: (word.zh, word.en) for word in DEFAULT_RELATION_TYPES}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was found for one view, cached for one edition of the story."""

    links: dict[int, PartialList[int, Link]] = field(default_factory=dict)
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    texts: TextCache[OpenText] = field(default_factory=lambda: TextCache(TEXT_BYTES))
    mentions: dict[int, PartialList[MentionLink, MentionLink]] = field(default_factory=dict)
    companions: dict[int, tuple[Companion, ...]] = field(default_factory=dict)


class StoryWorld:
    """The visible part of a story, addressed by slots; see `retrieval.world.World`."""

    def __init__(self, view: ModelView, meaning: Meaning) -> None:
        self.on, self._meaning = view, meaning
        self._index, self._reader, self._roster = view.index, view.reader, view.index.roster
        self._seen = recalled(view.index, ("world", view.key), _Seen)
        self._said: tuple[str, SlotScores] | None = None

    @property
    def population(self) -> int:
        """The number of slots."""
        return len(self._roster.ids)

    @cached_property
    def allowed(self) -> Mask:
        """The mask of visible slots."""
        return self.on.tellable()

    def id_of(self, slot: int) -> str:
        """Return the id of a slot."""
        return self._roster.ids[slot]

    def text_of(self, slot: int) -> str:
        """Return an entity's text, with sentences that name a secret blanked, which keeps offsets."""
        text = self._index.words(self._reader).text_of(slot)
        if self.on.pov is not None and self.on.pov.belief(FactKind.ENTITY, self._roster.ids[slot]):
            return " " * len(text)
        if not self.on.identity.apart:
            return self._seen.texts.take(text, lambda: self.on.redaction.blanked(text))
        (entity,) = self._index.entities(self._reader, [slot])
        about, is_event = self.on.redaction_about([entity.id]), entity.type == EVENT
        return self._seen.texts.take(text, lambda: about.blanked(text, as_event=is_event), beside=entity.id)

    def mentions_in(self, text: str) -> Sequence[Naming]:
        """Return every match of a name, alias, keyword or part of a name."""
        lorebook, slots = self._index.lorebook(self._reader), self._roster.slot_of
        found = []
        for hit in self._index.names(self._reader).find_all(text, unwanted=self.on.unknown_term()):
            owner: Any = hit.owner
            if isinstance(owner, EntryOwner):
                owner = lorebook.entity_of[owner.entry_id]
            if owner is not None:
                found.append(Naming(slots[str(owner)], hit.term, hit.kind, hit.start, hit.end))
        short = self._index.short_names(self._reader).find_all(text)
        short = [hit for hit in short if not self._is_part_of_unknown(hit)]
        found += [Naming(slots[str(hit.owner)], hit.term, hit.kind, hit.start, hit.end) for hit in short]
        return found

    def _is_part_of_unknown(self, hit: Hit) -> bool:
        """Whether a short form belongs to no name by which the audience may know the entity."""
        entity_id = str(hit.owner)
        if entity_id not in self._index.identities.names:
            return False
        (entity,) = self._index.entities(self._reader, [self._roster.slot_of[entity_id]])
        names = self.on.own_names(entity)
        return not names or hit.term not in implied_names(names[0], names[1:])

    def shared_words(self, text: str, allowed: Mask, limit: int) -> SharedWords:
        """Return the entities that share words with the text."""
        if self._said is None or self._said[0] != text:
            self._said = text, self._index.words(self._reader).all_scores(text)
        found = self._said[1].best(allowed, limit)
        slots, weights = found.slots, found.weights
        if self._index.identities.names or self.on.identity.apart:
            slots, weights = self._in_open_words(text, slots, weights)
        if len(slots) > limit + MOST_TIES:
            # Many texts share just one common word with the query: the most significant are enough.
            least = weights.min()
            better = np.flatnonzero(weights > least)
            kept = self._most_significant(slots[weights == least], limit + MOST_TIES - len(better))
            slots = np.concatenate([slots[better], kept])
            weights = np.concatenate([weights[better], np.full(len(kept), least)])
        return SharedWords(slots.astype(np.int64), weights, found.ceiling)

    def _in_open_words(self, text: str, slots: Slots, weights: Scores) -> tuple[Slots, Scores]:
        """Return the scores without the words of withheld sentences, which could lead from name to name."""
        words = self._index.words(self._reader)
        kept = weights.copy()
        for place, slot in enumerate(slots.tolist()):
            whole = words.text_of(slot)
            told = self._known_part(slot, whole)
            if whole != told:
                open_words, all_words = shared_words((told, whole), fold(text).text)
                kept[place] *= len(open_words) / max(1, len(all_words))
        return slots[kept > 0], kept[kept > 0]

    def _known_part(self, slot: int, text: str) -> str:
        """Return an entity's text without the sentences that tell an identity or a name too early."""
        on, apart = self.on, self.on.identity.apart
        (entity,) = self._index.entities(self._reader, [slot])

        def unknown(said: str) -> Spans:
            if not self._index.identities.names:
                return ()
            owners = ((match, term.owner) for match in on.secrets_in(said) for term in match.terms)
            return tuple(
                (match.start, match.end)
                for match, owner in owners
                if isinstance(owner, NameOfEntity) and on.is_name_unknown(*owner)
            )

        known = joining_redaction(self._reader, self._index, apart, unknown, [entity.id])
        return known.blanked(text, as_event=entity.type == EVENT)

    def _most_significant(self, slots: Slots, count: int) -> Slots:
        """Return the most significant of these entities, ties by id."""
        worth = np.frombuffer(self._roster.significance)[slots]
        least = np.partition(worth, -count)[-count]
        tied = slots[worth == least].tolist()
        better = slots[worth > least]
        kept = nsmallest(count - len(better), tied, key=self._roster.ids.__getitem__)
        return np.concatenate([better, np.array(kept, np.int32)])

    def similarities(self, text: str, slots: WorldSlots) -> Scores | None:
        """Return the semantic similarity of each entity to the text, or None without embeddings."""
        return self._meaning.of_entities(self._reader, self._index, text, slots)

    def entry_similarities(self, text: str, ids: Sequence[str]) -> Scores | None:
        """Return the semantic similarity of each custom entry to the text, or None without embeddings."""
        return self._meaning.of_entries(self._reader, self._index, text, ids)

    def links(self, slot: int) -> Sequence[Link]:
        """Return an entity's relations, those to the most significant peers first."""
        draft = _kept(self._seen.links, slot, lambda: PartialList(self._relations(slot)))
        return Drawn(draft, partial(self._link, slot))

    def _relations(self, slot: int) -> list[int]:
        """Return a slot's relations to visible entities, those to the most significant peers first."""
        graph, significance = self.on.graph, self._roster.significance
        mask = self.allowed.data
        # Events are followed separately: there are many, and taking part together says more.
        roles = graph.roles
        steps = [
            step for step in graph.steps(slot, self.on.instant) if mask[step[0]] and step[1] not in roles
        ]
        best = nsmallest(MOST_LINKS, steps, key=lambda step: (-significance[step[0]], graph.ids[step[1]]))
        return [link for _, link in best]

    def _link(self, slot: int, link: int) -> Link | None:
        """Return a relation as a link, or None if its label names a secret."""
        graph = self.on.graph
        kind = graph.types[link]
        if kind in self._secret_types:
            return None
        words = self._labels_of(kind)
        notes = graph.notes.get(link)
        if notes:
            ends = (graph.sources[link], graph.targets[link])
            about = self.on.redaction_about(self._roster.ids[end] for end in ends)
            words = tuple(dict.fromkeys((*words, *filter(about.label, notes))))
        is_outward = graph.sources[link] == slot
        peer = graph.targets[link] if is_outward else graph.sources[link]
        return Link(peer, kind, is_outward, 1.0, words)

    @cached_property
    def _secret_types(self) -> frozenset[str]:
        """The relation types whose label names a secret."""
        labels = relation_labels(self._reader, self._index)
        return frozenset(key for key, label in labels.items() if not self.on.label(label))

    def _labels_of(self, kind: str) -> tuple[str, ...]:
        known = self._seen.labels.get(kind)
        if known is None:
            words = (relation_labels(self._reader, self._index).get(kind, ""), *_LABELS.get(kind, ()))
            known = tuple(dict.fromkeys(filter(self.on.label, words)))
            self._seen.labels[kind] = known
        return known

    def mentions(self, slot: int) -> Sequence[MentionLink]:
        """Return the entities that its text names, and those whose texts name it."""
        draft = _kept(self._seen.mentions, slot, lambda: PartialList(list(self._mentions(slot))))
        return Drawn(draft, partial(self._if_open, slot))

    def _mentions(self, slot: int) -> Iterable[MentionLink]:
        table, significance, ids = (
            self._index.mentions(self._reader),
            self._roster.significance,
            self._roster.ids,
        )
        mask: memoryview = self.allowed.data
        for peer, start, end in table.named_by(slot):
            if mask[peer]:
                yield MentionLink(peer, True, start, end)
        namers = [namer for namer in table.namers_of(slot) if mask[namer]]
        for namer in nsmallest(MOST_NAMERS, namers, key=lambda one: (-significance[one], ids[one])):
            for peer, start, end in table.named_by(namer):
                if peer == slot:
                    yield MentionLink(namer, False, start, end)

    def _if_open(self, slot: int, mention: MentionLink) -> MentionLink | None:
        """Return the mention, or None if its sentence names a secret."""
        text = self.text_of(slot if mention.outward else mention.peer)
        return None if text[mention.start : mention.start + 1].isspace() else mention

    def companions(self, slot: int, allowed: Mask) -> Sequence[Companion]:
        """Return the entities that take part in the same events."""
        chronicle = self._index.chronicle(self._reader)
        if allowed is not self.allowed:
            return _companions(chronicle, slot, self.on.instant, allowed)
        return _kept(
            self._seen.companions, slot, lambda: _companions(chronicle, slot, self.on.instant, allowed)
        )

    def events_of(self, slot: int) -> Sequence[int]:
        """Return the events it takes part in, or that happened there."""
        return self._index.chronicle(self._reader).events_of(
            slot, self.on.instant, limit=MOST_EVENTS, allowed=self.allowed
        )

    def participants(self, slot: int) -> Sequence[int]:
        """Return the participants of an event."""
        return self._index.chronicle(self._reader).participants(slot, self.on.instant)

    def standing(self, events: Sequence[int]) -> EventStanding:
        """Return the significance and the age of each of these events.

        The age is counted in scenes, or in chapters if more chapters than written scenes lie between.
        """
        begins = np.maximum(0, np.frombuffer(self._roster.since, np.int64)[events])
        scenes = np.array(self._index.manuscript.scene_instants(self._reader), np.int64)
        if self.on.instant is not None:
            now = np.full(len(begins), self.on.instant)
        else:
            now = np.full(len(begins), scenes[-1]) if len(scenes) else begins
        written = np.searchsorted(scenes, now) - np.searchsorted(scenes, begins)
        ages = np.maximum(np.maximum(written, (now >> SCENE_BITS) - (begins >> SCENE_BITS)), 0)
        return EventStanding(np.frombuffer(self._roster.significance)[events], ages.astype(np.float64))


def _kept(known: dict[int, T], slot: int, find: Callable[[], T]) -> T:
    """Return the cached value of a slot, computing it if needed."""
    found = known.get(slot)
    if found is None:
        if len(known) >= SLOTS_KEPT:
            known.clear()
        found = known[slot] = find()
    return found


def _companions(chronicle: Chronicle, slot: int, instant: int | None, allowed: Mask) -> tuple[Companion, ...]:
    found = chronicle.companions(
        slot, instant, MOST_COMPANIONS, allowed=allowed, most_events=MOST_EVENTS_FOR_COMPANIONS
    )
    return tuple(Companion(*one) for one in found)
