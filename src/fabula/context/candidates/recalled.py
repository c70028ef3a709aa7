"""What the text of a scene recalls: entities and entries it does not name, events, and passages."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from fabula.assembly.recollections import RecalledCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.context.audience import ModelView
from fabula.context.candidates.gathering import SceneView, entity_candidates, entry_candidate
from fabula.context.candidates.passages import passage_candidates
from fabula.context.candidates.topic import questions_of
from fabula.context.edition_cache import recalled
from fabula.context.hop_paths import called
from fabula.context.story_world import StoryWorld
from fabula.model.audience import OpenText, Withheld
from fabula.model.lore import Category, is_recallable
from fabula.model.relation import Language
from fabula.projections.meaning import Meaning
from fabula.retrieval.reasons import HopStep, Recalled, Retrieved
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules
from fabula.retrieval.similarity import over_average

# An entity that is at most two hops away is told if the retrieval gives it this score.
RECALL_LINE = 0.5
# The same for an entity or an entry that is only alike in meaning, and how many of them there may be.
MEANING_LINE = 0.6
MOST_ALIKE = 4
# An event is told if it has this share of the best event's score.
EVENT_LINE = 0.4
LEAST_EVENTS = 12
TOKENS_PER_EVENT = 120
MOST_EVENTS = 400
SHOWN_BELOW = 3

# A scene names many entities, so a narrower search finds as much, fast enough while somebody is typing.
RULES = Rules(anchors=8, peers=12, beam=6)

_COLON: dict[Language, str] = {"zh": "：", "en": ": "}


class _Found(NamedTuple):
    """An entity or a custom entry that the text recalls, with the path to it."""

    id: str
    score: float
    threshold: float
    hop_path: tuple[str, ...] = ()

    @property
    def margin(self) -> float:
        """How far its score is above the line."""
        return self.score - self.threshold

    def said_of(self, candidate: LoreCandidate) -> LoreCandidate:
        """Return the candidate as one that is recalled."""
        return dataclasses.replace(
            candidate,
            recalled=True,
            score=self.score,
            threshold=self.threshold,
            hop_path=self.hop_path,
        )


class Recollected(NamedTuple):
    """Everything that a text recalls, each kind best first."""

    lore: tuple[LoreCandidate, ...] = ()
    events: tuple[RecalledCandidate, ...] = ()
    passages: tuple[RecalledCandidate, ...] = ()


class SceneQuery(NamedTuple):
    """What is asked for a scene: its topic, and the instant, language and size of its context."""

    topic: str
    now: int
    language: Language
    token_budget: int


def recollect(on: SceneView, query: SceneQuery, meaning: Meaning) -> Recollected:
    """Return what the topic of a scene recalls, cached until the topic or the story changes."""
    if not query.topic:
        return Recollected()
    question = ("recollection", on.key, query, meaning.edition(on.reader, on.index))
    return recalled(on.index, question, lambda: _recollect(on, query, meaning))


def _recollect(on: SceneView, query: SceneQuery, meaning: Meaning) -> Recollected:
    questions = questions_of(query.topic, query.language)
    world = StoryWorld(on, meaning)
    wanted = max(LEAST_EVENTS, min(MOST_EVENTS, query.token_budget // TOKENS_PER_EVENT))
    retriever = GraphRetriever(world, dataclasses.replace(RULES, events=wanted))
    # The last sentence asks for what has just come up, which the whole may drown.
    asked = dict.fromkeys((query.topic, questions[-1]))
    found = [retriever.retrieve(text, world.allowed) for text in asked]
    lore = _lore(on, _worth_telling(world, found, questions))
    events = _events(on, found, query.language)
    passages = passage_candidates(on, questions, query.now, meaning, query.token_budget)
    return Recollected(tuple(lore), tuple(events), tuple(passages))


def _lore(on: SceneView, found: Iterable[_Found]) -> list[LoreCandidate]:
    """Return the candidates for what was found, without events, which have a section of their own."""
    slots = on.index.roster.slot_of
    of: dict[str, _Found] = {}
    for one in found:
        key = on.index.roster.ids[on.leader(slots[one.id])] if one.id in slots else one.id
        of.setdefault(key, one)
    people = _recallable(on, [slots[key] for key in of if key in slots])
    entries = on.index.entries(on.reader, [key for key in of if key not in slots])
    lore = [one for one in entity_candidates(on, people) if one.category is not Category.EVENT]
    lore += [entry_candidate(on, entry) for entry in entries if is_recallable(entry)]
    return [of[one.entity_id or one.id].said_of(one) for one in lore]


def _recallable(on: ModelView, slots: Iterable[int]) -> list[int]:
    """Return the slots of the entities that may be told without being named, in order."""
    ids, entry_of = on.index.roster.ids, on.index.lorebook(on.reader).entry_of
    entries = {slot: entry_of.get(ids[slot]) for slot in slots}
    linked = on.index.entries(on.reader, [key for key in entries.values() if key is not None])
    foreign = {entry.id for entry in linked if not is_recallable(entry)}
    return [slot for slot, entry_id in entries.items() if entry_id not in foreign]


def _worth_telling(world: StoryWorld, found: Sequence[Retrieved], questions: Sequence[str]) -> list[_Found]:
    """Return what the text leads to or resembles, and the best few of what it hardly does, best first."""
    best: dict[str, _Found] = {}
    for one in (*_reached(world, found), *_alike(world, questions)):
        known = best.get(one.id)
        if known is None or known.margin < one.margin:
            best[one.id] = one
    ranked = sorted(best.values(), key=lambda one: (-one.score, one.id))
    below = [one for one in ranked if one.margin < 0]
    return [one for one in ranked if one.margin >= 0] + below[:SHOWN_BELOW]


def _reached(world: StoryWorld, found: Sequence[Retrieved]) -> Iterator[_Found]:
    """Yield the entities at the end of some hops."""
    for result in found:
        for target in result.targets:
            path = _names_along(world.on, target.path)
            yield _Found(world.id_of(target.slot), target.score, RECALL_LINE, path)


def _alike(world: StoryWorld, questions: Sequence[str]) -> list[_Found]:
    """Return the entities and custom entries that are closest to the text in meaning."""
    on, slots = world.on, np.flatnonzero(world.allowed)
    if world.similarities(questions[0], slots[:1]) is None:
        return []
    lorebook = on.index.lorebook(on.reader)
    custom = [key for key, of in lorebook.entity_of.items() if of is None and key not in lorebook.aside]
    # What is not open now must not change how much the others stand out.
    entries = [entry.id for entry in on.index.entries(on.reader, custom) if on.may_be_read(entry)]
    ids = [*map(world.id_of, slots.tolist()), *entries]
    best = np.zeros(len(ids))
    for question in questions if ids else ():
        of_entities = world.similarities(question, slots)
        of_entries = world.entry_similarities(question, entries)
        if of_entities is None or of_entries is None:
            return []
        best = np.maximum(best, over_average(np.concatenate((of_entities, of_entries))))
    close = np.flatnonzero(best >= MEANING_LINE).tolist()
    alike = [_Found(ids[place], float(best[place]), MEANING_LINE) for place in close]
    return sorted(alike, key=lambda one: (-one.score, one.id))[:MOST_ALIKE]


def _events(on: ModelView, found: Sequence[Retrieved], language: Language) -> Iterator[RecalledCandidate]:
    """Yield the events around the entities that the text is about, those of each question in turn."""
    events: dict[int, tuple[Retrieved, Recalled]] = {}
    for together in zip_longest(*([(result, event) for event in result.events] for result in found)):
        for result, event in filter(None, together):
            known = events.setdefault(event.slot, (result, event))
            if known[1].score < event.score:
                events[event.slot] = result, event
    line = EVENT_LINE * max((event.score for _, event in events.values()), default=0.0)
    below = 0
    entities = on.index.entities(on.reader, list(events))
    for rank, (entity, (result, event)) in enumerate(zip(entities, events.values(), strict=True)):
        below += event.score < line
        names = on.own_names(entity) if below <= SHOWN_BELOW or event.score >= line else ()
        if not names:
            continue
        name, summary = on.redaction.together(names[0], entity.description.strip())
        if not name:
            continue
        text = summary if summary.startswith(name) else f"{name}{_COLON[language]}{summary}"
        yield RecalledCandidate(
            kind="event",
            id=entity.id,
            label=name,
            text=OpenText(text),
            at=entity.since,
            withheld=Withheld.of(sentences=summary != entity.description.strip()),
            hop_path=_way_to(on, result, event),
            score=event.score,
            threshold=line,
            rank=rank,
        )


def _way_to(on: ModelView, found: Retrieved, event: Recalled) -> tuple[str, ...]:
    """Return the names on the path from an entity in the text to the one through which an event was found."""
    target = next(target for target in found.targets if target.slot in event.through)
    if target.path:
        return _names_along(on, target.path)
    return (called(on, [target.slot])[target.slot],)


def _names_along(on: ModelView, path: Sequence[HopStep]) -> tuple[str, ...]:
    slots = [path[0].source, *(step.target for step in path)] if path else []
    names = called(on, slots)
    return tuple(names[slot] for slot in slots)
