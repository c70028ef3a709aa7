"""What a text speaks of: names, aliases and keywords found in it, each with its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabula.index.lorebook import EntryOwner
from fabula.index.story_index import StoryIndex
from fabula.matching import fold
from fabula.model.context import MatchPlace
from fabula.model.lore import ActivationRules
from fabula.model.names import name_key
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Detected:
    """Places in a text by entity slot, and by custom entry."""

    entities: dict[int, list[MatchPlace]] = field(default_factory=dict)
    entries: dict[str, list[MatchPlace]] = field(default_factory=dict)


def detect(reader: Reader, index: StoryIndex, text: str) -> Detected:
    """Find all that the story has a word for; a keyword of an entity's entry means the entity."""
    found = Detected()
    if not text:
        return found
    lorebook, slots = index.lorebook(reader), index.roster.slot_of
    for hit in index.names(reader).find(text):
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


def secondary_hits(rules: ActivationRules, folded_text: str) -> frozenset[str]:
    """Which of the secondary keywords stand in a folded text, as name keys."""
    return frozenset(name_key(word) for word in rules.secondary_keywords if fold(word).text in folded_text)


def excluded_hit(rules: ActivationRules, folded_text: str) -> bool:
    """Whether an exclude keyword stands in a folded text."""
    return any(fold(word).text in folded_text for word in rules.exclude_keywords)


def relevance(places: list[MatchPlace], length: int) -> float:
    """How much a text is about something, from 0 to 1: named often, and named near its end."""
    if not places:
        return 0.0
    return 0.4 + 0.3 * min(1.0, len(places) / 5) + 0.3 * places[-1].end / max(1, length)
