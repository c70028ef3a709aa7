"""Detection of names, aliases and keywords in a text, with their spans."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from fabula.index.lorebook import EntryOwner, Lorebook
from fabula.index.story_index import StoryIndex
from fabula.matching import Term
from fabula.matching.matcher import TimeCheck
from fabula.model.context import MatchPlace
from fabula.store.reader import Reader

KINDS = ("name", "alias", "keyword")
MOST_PLACES = 200_000
LEAST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Detected:
    """The matches in a text, by entity slot and by custom entry."""

    entities: dict[int, list[MatchPlace]] = field(default_factory=dict)
    entries: dict[str, list[MatchPlace]] = field(default_factory=dict)


def detect(
    reader: Reader,
    index: StoryIndex,
    text: str,
    watch: TimeCheck | None = None,
    unknown: Callable[[Term], bool] | None = None,
) -> Detected:
    """Find every term of the story in a text; a keyword of an entity's entry counts as the entity.

    Terms that are `unknown` to the audience are not looked for. If a text has too many matches, each term
    keeps only its first and last ones.
    """
    found = Detected()
    if not text:
        return found
    lorebook, slots = index.lorebook(reader), index.roster.slot_of
    # Terms that share a word share its spans, so that a word with thousands of owners does not exhaust
    # memory.
    groups: dict[int, tuple[tuple[Term, ...], list[tuple[int, int]]]] = {}
    for match in index.names(reader).matches(text, watch, unknown):
        groups.setdefault(id(match.terms), (match.terms, []))[1].append((match.start, match.end))
    total = sum(len(terms) * len(spans) for terms, spans in groups.values())
    terms_found = sum(len(terms) for terms, _ in groups.values())
    most = len(text) if total <= MOST_PLACES else max(LEAST_PLACES, MOST_PLACES // terms_found)
    for terms, spans in groups.values():
        kept = spans if len(spans) <= most else [*spans[: most - 1], spans[-1]]
        for owner, term in _first_of_each(terms).items():
            places = _places_of(found, lorebook, slots, owner)
            places += [
                MatchPlace.trusted(term=term.text, kind=term.kind, start=start, end=end)
                for start, end in kept
            ]
    for own in (*found.entities.values(), *found.entries.values()):
        own[:] = _in_order(own)
    return found


def with_names(found: Detected, elsewhere: Detected) -> Detected:
    """Add the entities that are named in something beside the text, such as instructions or a speaker's name.

    Keywords do not count there. One match each, with an empty span, so that whoever the text itself names is
    more relevant.
    """
    entities = dict(found.entities)
    for slot, places in elsewhere.entities.items():
        named = next((place for place in places if place.kind != "keyword"), None)
        if named is not None:
            entities.setdefault(slot, [MatchPlace.trusted(term=named.term, kind=named.kind, start=0, end=0)])
    return Detected(entities, found.entries)


def told_as_one(found: Detected, leader: Callable[[int], int]) -> Detected:
    """Return the matches by the entity that each one is told as."""
    entities: dict[int, list[MatchPlace]] = {}
    for slot, places in found.entities.items():
        entities.setdefault(leader(slot), []).extend(places)
    if entities.keys() == found.entities.keys():
        return found
    return Detected({slot: _in_order(places) for slot, places in entities.items()}, found.entries)


def _first_of_each(terms: tuple[Term, ...]) -> dict[Hashable, Term]:
    best: dict[Hashable, Term] = {}
    for term in terms:
        best.setdefault(term.owner, term)
    return best


def _places_of(
    found: Detected, lorebook: Lorebook, slots: dict[str, int], owner: Hashable
) -> list[MatchPlace]:
    """Return the list for an owner's matches: that of its entity, or that of a custom entry."""
    if not isinstance(owner, EntryOwner):
        return found.entities.setdefault(slots[str(owner)], [])
    entity_id = lorebook.entity_of[owner.entry_id]
    if entity_id is None:
        return found.entries.setdefault(owner.entry_id, [])
    return found.entities.setdefault(slots[entity_id], [])


def _in_order(places: list[MatchPlace]) -> list[MatchPlace]:
    """Return the matches in text order, one per span."""
    by_span: dict[tuple[int, int], MatchPlace] = {}
    for place in sorted(places, key=lambda one: (one.start, KINDS.index(one.kind))):
        by_span.setdefault((place.start, place.end), place)
    return list(by_span.values())


def relevance(places: Sequence[MatchPlace], length: int) -> float:
    """Return how relevant something is to a text, from 0 to 1: named often, and near the end."""
    if not places:
        return 0.0
    return 0.4 + 0.3 * min(1.0, len(places) / 5) + 0.3 * places[-1].end / max(1, length)
