"""What a text speaks of: names, aliases and keywords found in it, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from fabula.index.lorebook import EntryOwner
from fabula.index.story_index import StoryIndex
from fabula.matching import Hit, fold
from fabula.model.context import MatchPlace
from fabula.model.lore import ActivationRules
from fabula.model.names import name_key
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Detected:
    """Places in a text by entity slot, and by custom entry."""

    entities: dict[int, list[MatchPlace]] = field(default_factory=dict)
    entries: dict[str, list[MatchPlace]] = field(default_factory=dict)


def detect(reader: Reader, index: StoryIndex, text: str, *, crossing: bool = False) -> Detected:
    """Find all that the story has a word for; a keyword of an entity's entry means the entity.

    Of words that cross each other the first counts, or with `crossing` each: only what lies wholly inside
    a longer word is then left to that word.
    """
    found = Detected()
    if not text:
        return found
    lorebook, slots = index.lorebook(reader), index.roster.slot_of
    names = index.names(reader)
    for hit in _not_inside(names.find_all(text)) if crossing else names.find(text):
        place = MatchPlace.trusted(term=hit.term, kind=hit.kind, start=hit.start, end=hit.end)
        if isinstance(hit.owner, EntryOwner):
            entity_id = lorebook.entity_of[hit.owner.entry_id]
            if entity_id is None:
                found.entries.setdefault(hit.owner.entry_id, []).append(place)
                continue
        else:
            entity_id = str(hit.owner)
        places = found.entities.setdefault(slots[entity_id], [])
        if not places or (places[-1].start, places[-1].end) != (place.start, place.end):
            places.append(place)
    return found


def _not_inside(hits: list[Hit]) -> Iterator[Hit]:
    """The hits, in order of place and the longest first, without those that lie inside another."""
    start = end = -1
    for hit in hits:
        if hit.end > end:
            start, end = hit.start, hit.end
        if (hit.start, hit.end) == (start, end):
            yield hit


def secondary_hits(rules: ActivationRules, text: str) -> frozenset[str]:
    """Which of the secondary keywords stand in a text, as name keys."""
    if not rules.secondary_keywords:
        return frozenset()
    return frozenset(
        name_key(word) for word in rules.secondary_keywords if _folded_word(word) in _folded(text)
    )


def excluded_hit(rules: ActivationRules, text: str) -> bool:
    """Whether an exclude keyword stands in a text."""
    return any(_folded_word(word) in _folded(text) for word in rules.exclude_keywords)


@lru_cache(1_024)
def _folded_word(word: str) -> str:
    return fold(word).text


@lru_cache(1)  # one call asks for the same text again and again, and texts may be long
def _folded(text: str) -> str:
    return fold(text).text


def relevance(places: list[MatchPlace], length: int) -> float:
    """How much a text is about something, from 0 to 1: named often, and named near its end."""
    if not places:
        return 0.0
    return 0.4 + 0.3 * min(1.0, len(places) / 5) + 0.3 * places[-1].end / max(1, length)
