"""What the text of a scene recalls: entities and entries it does not name, events, and passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from fabula.assembly.recollections import RecalledCandidate
from fabula.context.audience import ModelView
from fabula.context.candidates.passages import passage_candidates
from fabula.context.candidates.topic import questions_of
from fabula.context.edition_cache import names_of, recalled
from fabula.context.story_world import StoryWorld
from fabula.model.audience import OpenText, Withheld
from fabula.model.relation import Language
from fabula.projections.meaning import Meaning
from fabula.retrieval.reasons import HopStep, Recalled, Retrieved
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules
from fabula.retrieval.similarity import over_average, relative_similarity

# An entity that is at most two hops away is told if the retrieval gives it this score.
RECALL_LINE = 0.55
# The same for an entity or an entry that is only alike in meaning.
MEANING_LINE = 0.5
# An event is told if it has this share of the best event's score.
EVENT_LINE = 0.4
LEAST_EVENTS = 12
TOKENS_PER_EVENT = 120
MOST_EVENTS = 400
SHOWN_BELOW = 3

# A scene names many entities, so a narrower search finds as much, fast enough while somebody is typing.
RULES = Rules(anchors=8, peers=12, beam=6)

_COLON: dict[Language, str] = {"zh": "：", "en": ": "}


class RecalledLore(NamedTuple):
    """An entity, by slot, or a custom entry, by id, that the text recalls, with the path to it."""

    key: int | str
    score: float
    threshold: float
    hop_path: tuple[str, ...] = ()


class Recollected(NamedTuple):
    """Everything that a text recalls, each kind best first."""

    lore: tuple[RecalledLore, ...] = ()
    events: tuple[RecalledCandidate, ...] = ()
    passages: tuple[RecalledCandidate, ...] = ()


class SceneQuery(NamedTuple):
    """What is asked for a scene; `with_lore` if entities and entries are recalled, too."""

    topic: str
    now: int
    language: Language
    token_budget: int
    with_lore: bool


def recollect(on: ModelView, query: SceneQuery, meaning: Meaning) -> Recollected:
    """Return what the topic of a scene recalls, cached until the topic or the story changes."""
    if not query.topic:
        return Recollected()
    question = ("recollection", on.key, query, meaning.edition(on.reader, on.index))
    return recalled(on.index, question, lambda: _recollect(on, query, meaning))


def _recollect(on: ModelView, query: SceneQuery, meaning: Meaning) -> Recollected:
    questions = questions_of(query.topic, query.language)
    lore: list[RecalledLore] = []
    events: list[RecalledCandidate] = []
    if query.with_lore or len(on.index.chronicle(on.reader)):
        world = StoryWorld(on, meaning)
        wanted = max(LEAST_EVENTS, min(MOST_EVENTS, query.token_budget // TOKENS_PER_EVENT))
        # The last sentence asks for what has just come up, which the whole may drown.
        retriever = GraphRetriever(world, replace(RULES, events=wanted))
        found = [
            retriever.retrieve(text, world.allowed) for text in dict.fromkeys((query.topic, questions[-1]))
        ]
        events = list(_events(on, found, query.language))
        if query.with_lore:
            lore = [*_entities(world, found, questions), *_entries(on, questions, meaning)]
    passages = passage_candidates(on, questions, query.now, meaning, query.token_budget)
    return Recollected(tuple(lore), tuple(events), tuple(passages))


def _entities(world: StoryWorld, found: Sequence[Retrieved], questions: Sequence[str]) -> list[RecalledLore]:
    """Return the entities that the text leads to or resembles, and the best few of those it hardly does."""
    best: dict[int, RecalledLore] = {}
    for result in found:
        for target in result.targets:
            known = best.get(target.slot)
            if known is None or known.score < target.score:
                path = _names_along(world.on, target.path)
                best[target.slot] = RecalledLore(target.slot, target.score, RECALL_LINE, path)
    slots = np.flatnonzero(world.allowed)
    for question in questions:
        similarity = relative_similarity(world, question, slots)
        if similarity is None:
            break
        for nth in np.flatnonzero(similarity >= MEANING_LINE).tolist():
            slot, score = int(slots[nth]), float(similarity[nth])
            if slot not in best or best[slot].score < min(score, RECALL_LINE):
                best[slot] = RecalledLore(slot, score, MEANING_LINE)
    return _above_and_below(best.values())


def _entries(on: ModelView, questions: Sequence[str], meaning: Meaning) -> list[RecalledLore]:
    """Return the custom entries that the text resembles."""
    lorebook = on.index.lorebook(on.reader)
    ids = [key for key, entity_id in lorebook.entity_of.items() if entity_id is None]
    if not ids or meaning.of_entries(on.reader, on.index, questions[0], ids[:1]) is None:
        return []
    # Entries that are not open now must not change how much the others stand out.
    ids = [entry.id for entry in on.index.entries(on.reader, ids) if on.may_be_read(entry)]
    best = np.zeros(len(ids))
    for question in questions if ids else ():
        found = meaning.of_entries(on.reader, on.index, question, ids)
        if found is not None:
            best = np.maximum(best, over_average(found))
    return _above_and_below(
        RecalledLore(key, score, MEANING_LINE) for key, score in zip(ids, best.tolist(), strict=True)
    )


def _above_and_below(found: Iterable[RecalledLore]) -> list[RecalledLore]:
    """Return what is above its line, then the best few below it, best first."""
    ranked = sorted(found, key=lambda one: (-one.score, str(one.key)))
    below = [one for one in ranked if 0 < one.score < one.threshold]
    return [one for one in ranked if one.score >= one.threshold] + below[:SHOWN_BELOW]


def _events(on: ModelView, found: Sequence[Retrieved], language: Language) -> Iterator[RecalledCandidate]:
    """Yield the events around the entities that the text is about, those of each question in turn."""
    events: dict[int, tuple[Retrieved, Recalled]] = {}
    for together in zip_longest(*([(result, event) for event in result.events] for result in found)):
        for result, event in filter(None, together):
            events.setdefault(event.slot, (result, event))
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
    return (names_of(on.reader, on.index, [target.slot])[target.slot],)


def _names_along(on: ModelView, path: Sequence[HopStep]) -> tuple[str, ...]:
    slots = [path[0].source, *(step.target for step in path)] if path else []
    names = names_of(on.reader, on.index, slots)
    return tuple(names[slot] for slot in slots)
