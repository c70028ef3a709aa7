"""A cache per edition of a story, because writers query at every key press."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from fabula.context.detection import Detected, detect
from fabula.context.name_origins import Names, name_origins
from fabula.context.stale_facts import StaleFound, stale_facts
from fabula.index.story_index import StoryIndex
from fabula.index.value_cache import TextCache, ValueCache
from fabula.matching.matcher import TimeCheck
from fabula.model.entity import EntityState
from fabula.model.event import Event, Part
from fabula.model.fact import FactKind
from fabula.model.manuscript import Snapshot
from fabula.model.moment import Moment, first_instant, instant_of, place_of
from fabula.model.story_settings import Cover, covers_in, withholds_stale
from fabula.store.reader import Edition, Reader

TEXT_BYTES = 16 << 20
NAMES_KEPT = 20_000
MOMENTS_KEPT = 100
STATES_KEPT = 20_000
# Several scenes in turn, with the handful of questions that each asks.
OUTCOMES_KEPT = 160
READINGS_KEPT = 16
RECENT_SNAPSHOTS = 3
# In a flashback, what is told last has mostly not happened yet.
LOOKED_AT = 200

T = TypeVar("T")


@dataclass(slots=True)
class _Kept:
    """The cached values of one edition of a story."""

    edition: Edition
    naming: int
    named: TextCache[Detected] = field(default_factory=lambda: TextCache(TEXT_BYTES))
    spoken: TextCache[frozenset[Hashable]] = field(default_factory=lambda: TextCache(TEXT_BYTES))
    hidden: TextCache[Any] = field(default_factory=lambda: TextCache(TEXT_BYTES))
    origins: dict[str, Names] = field(default_factory=dict)
    covers: frozenset[Cover] | None = None
    called: dict[int, str] = field(default_factory=dict)
    states: ValueCache[list[EntityState]] = field(default_factory=lambda: ValueCache(STATES_KEPT))
    event_parts: ValueCache[tuple[Event | None, tuple[Part, ...]]] = field(
        default_factory=lambda: ValueCache(STATES_KEPT)
    )
    snapshots: dict[Moment, tuple[Snapshot, ...]] = field(default_factory=dict)
    stale: dict[FactKind, ValueCache[tuple[StaleFound, ...]]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    outcomes: dict[Hashable, Any] = field(default_factory=dict)
    readings: dict[Hashable, Any] = field(default_factory=dict)
    of_names: dict[Hashable, Any] = field(default_factory=dict)


_KEPT: WeakKeyDictionary[StoryIndex, _Kept] = WeakKeyDictionary()
_NOTHING = Detected()
_NOBODY: frozenset[Hashable] = frozenset()


def named_in(reader: Reader, index: StoryIndex, text: str) -> Detected:
    """Return the entities and entries named in one of the story's own texts, such as a description."""
    return _kept(index).named.take(text, lambda: detect(reader, index, text) if text else _NOTHING)


def secrets_spoken_of(
    reader: Reader, index: StoryIndex, text: str, watch: TimeCheck | None
) -> frozenset[Hashable]:
    """Return the owners of secret names that a text may contain, possibly with false positives.

    Owners are those of `StoryIndex.secret_names`; the result is a cheap filter before an exact search.
    """
    return _kept(index).spoken.take(
        text, lambda: frozenset(index.secret_names(reader).owners(text, watch)) or _NOBODY
    )


def kept_redaction(index: StoryIndex, key: Hashable, text: str, find: Callable[[], T]) -> T:
    """Return the cached redaction of a text, which is valid while names and context levels stay the same."""
    found: T = _kept(index).hidden.take(text, find, beside=key)
    return found


def origins_of(reader: Reader, index: StoryIndex, row_id: str) -> Names:
    """Return who gave an entity or an entry its names."""
    known = _kept(index).origins
    found = known.get(row_id)
    if found is None:
        found = known[row_id] = name_origins(reader, index.project_id, row_id)
    return found


def confirmed_covers(reader: Reader, index: StoryIndex) -> frozenset[Cover]:
    """Return the pairs of an open name and a hidden one inside it that the author has confirmed."""
    kept = _kept(index)
    if kept.covers is None:
        kept.covers = frozenset(covers_in(reader.story(index.project_id).settings))
    return kept.covers


def names_of(reader: Reader, index: StoryIndex, slots: Collection[int]) -> dict[int, str]:
    """Return the names of these entities, by slot."""
    known, ids = _kept(index).called, index.roster.ids
    missing = {ids[slot]: slot for slot in slots if slot not in known}
    if missing:
        if len(known) + len(missing) > NAMES_KEPT:
            known.clear()
            missing = {ids[slot]: slot for slot in slots}
        names = reader.events.names(index.project_id, missing)
        known.update((missing[key], name) for key, name in names.items())
    return {slot: known[slot] for slot in slots}


def states_of(reader: Reader, index: StoryIndex, ids: list[str]) -> list[list[EntityState]]:
    """Return the states of each of these entities."""

    def fetch(missing: list[str]) -> dict[str, list[EntityState]]:
        states: dict[str, list[EntityState]] = {key: [] for key in missing}
        for state in reader.states_of(index.project_id, missing):
            states[state.entity_id].append(state)
        return states

    return _kept(index).states.take(ids, fetch)


def event_parts_of(
    reader: Reader, index: StoryIndex, ids: list[str]
) -> list[tuple[Event | None, tuple[Part, ...]]]:
    """Return each event's row and participants, with current names."""
    return _kept(index).event_parts.take(ids, lambda missing: reader.events.parts(index.project_id, missing))


def stale_of(
    reader: Reader, index: StoryIndex, kind: FactKind, ids: Iterable[str]
) -> list[tuple[StaleFound, ...]]:
    """Return what is stale of each of these facts."""

    def fetch(missing: list[str]) -> dict[str, tuple[StaleFound, ...]]:
        found: dict[str, tuple[StaleFound, ...]] = dict.fromkeys(missing, ())
        evidence = reader.evidence.of_facts(index.project_id, kind, missing)
        for one in stale_facts(reader, index.project_id, evidence):
            found[one.id] += (one,)
        return found

    return _kept(index).stale.setdefault(kind, ValueCache(STATES_KEPT)).take(ids, fetch)


def withholds_stale_facts(reader: Reader, index: StoryIndex) -> bool:
    """Whether the story's settings keep stale facts from models."""
    return withholds_stale(reader.story(index.project_id).settings)


def snapshots_before(reader: Reader, index: StoryIndex, moment: Moment) -> tuple[Snapshot, ...]:
    """Return the snapshots of the last scenes that are told and play before a moment, latest first."""
    known = _kept(index).snapshots
    found = known.get(moment)
    if found is None:
        if len(known) >= MOMENTS_KEPT:
            known.clear()
        now = first_instant(moment)
        limit = LOOKED_AT if index.clock.is_used_at(now) else RECENT_SNAPSHOTS
        earlier = reader.manuscript.snapshots_before(index.project_id, *place_of(now), limit)
        happened = (
            one
            for one in earlier
            if index.clock.has_happened(instant_of(one.chapter_index, one.scene_index), now)
        )
        found = known[moment] = tuple(islice(happened, RECENT_SNAPSHOTS))
    return found


def recalled(index: StoryIndex, question: Hashable, answer: Callable[[], T]) -> T:
    """Return the cached answer to a query about the story, computing it once per edition."""
    return _recalled(_kept(index).outcomes, OUTCOMES_KEPT, question, answer)


def recalled_reading(index: StoryIndex, audience: Hashable, read: Callable[[], T]) -> T:
    """Return the cached reading of the manuscript by an audience, made once per edition."""
    return _recalled(_kept(index).readings, READINGS_KEPT, audience, read)


def _recalled(known: dict[Hashable, Any], most: int, question: Hashable, answer: Callable[[], T]) -> T:
    found: T = known.pop(question) if question in known else answer()
    # Reinserting moves it to the end, so that the least recently used entry is evicted first.
    known[question] = found
    if len(known) > most:
        del known[next(iter(known))]
    return found


def recalled_of_names(index: StoryIndex, question: Hashable, answer: Callable[[], T]) -> T:
    """Return the cached answer to a query about names, computing it once while the names stay the same."""
    known = _kept(index).of_names
    if question not in known:
        known[question] = answer()
    found: T = known[question]
    return found


def relation_labels(reader: Reader, index: StoryIndex) -> dict[str, str]:
    """Return the story's label of each relation type, by key."""
    known = _kept(index).labels
    if not known:
        known.update((kind.key, kind.label) for kind in reader.relation_types(index.project_id))
    return known


def _kept(index: StoryIndex) -> _Kept:
    kept = _KEPT.get(index)
    if kept is None or kept.edition != index.edition:
        # Detection depends on names only, so these caches survive changes that leave names alone.
        if kept is not None and kept.naming == index.naming:
            kept = _Kept(
                index.edition,
                index.naming,
                named=kept.named,
                spoken=kept.spoken,
                hidden=kept.hidden,
                origins=kept.origins,
                covers=kept.covers,
                called=kept.called,
                of_names=kept.of_names,
            )
        else:
            kept = _Kept(index.edition, index.naming)
        _KEPT[index] = kept
    return kept
