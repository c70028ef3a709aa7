"""What was read and found in a story, kept while the story stays the same: writers ask at every key press."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from fabula.index.lorebook import EntryOwner
from fabula.index.shelf import Shelf
from fabula.index.story_index import StoryIndex
from fabula.model.entity import EntityState
from fabula.model.manuscript import Snapshot
from fabula.model.moment import Moment
from fabula.operations.contexts.detection import Detected, detect
from fabula.store.reader import Edition, Reader

TEXTS_KEPT = 20_000
MOMENTS_KEPT = 100
STATES_KEPT = 20_000
OUTCOMES_KEPT = 32
RECENT_SNAPSHOTS = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What belongs to one edition of a story."""

    edition: Edition
    naming: int
    named: dict[str, Detected] = field(default_factory=dict)
    spoken: dict[str, tuple[int, ...]] = field(default_factory=dict)
    called: dict[int, str] = field(default_factory=dict)
    states: Shelf[list[EntityState]] = field(default_factory=lambda: Shelf(STATES_KEPT))
    snapshots: dict[Moment, tuple[Snapshot, ...]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    outcomes: dict[Hashable, Any] = field(default_factory=dict)


_KEPT: WeakKeyDictionary[StoryIndex, _Kept] = WeakKeyDictionary()
_NOTHING = Detected()


def named_in(reader: Reader, index: StoryIndex, text: str) -> Detected:
    """Whom a text of the story itself names: a description, a summary, a name.

    Names that cross each other all count, lest one hide a secret.
    """
    known = _kept(index).named
    found = known.get(text)
    if found is None:
        if len(known) >= TEXTS_KEPT:
            known.clear()
        found = detect(reader, index, text, crossing=True)
        known[text] = found if found.entities or found.entries else _NOTHING
    return found


def spoken_of(reader: Reader, index: StoryIndex, text: str) -> tuple[int, ...]:
    """The slots of everybody whom such a text names, and perhaps of some others; -1 for an entry of nobody.

    This is found in half the time, and seldom has to be looked at more closely.
    """
    known = _kept(index).spoken
    found = known.get(text)
    if found is None:
        if len(known) >= TEXTS_KEPT:
            known.clear()
        lorebook, slots = index.lorebook(reader), index.roster.slot_of
        owners: set[Any] = index.names(reader).owners(text)
        ids = (lorebook.entity_of[o.entry_id] if isinstance(o, EntryOwner) else o for o in owners)
        found = known[text] = tuple({-1 if key is None else slots[key] for key in ids})
    return found


def names_of(reader: Reader, index: StoryIndex, slots: Collection[int]) -> dict[int, str]:
    """What these entities are called."""
    known, ids = _kept(index).called, index.roster.ids
    missing = {ids[slot]: slot for slot in slots if slot not in known}
    if missing:
        if len(known) + len(missing) > TEXTS_KEPT:
            known.clear()
            missing = {ids[slot]: slot for slot in slots}
        names = reader.events.names(index.project_id, missing)
        known.update((missing[key], name) for key, name in names.items())
    return {slot: known[slot] for slot in slots}


def states_of(reader: Reader, index: StoryIndex, ids: list[str]) -> list[list[EntityState]]:
    """The states of each of these entities."""

    def fetch(missing: list[str]) -> dict[str, list[EntityState]]:
        states: dict[str, list[EntityState]] = {key: [] for key in missing}
        for state in reader.states_of(index.project_id, missing):
            states[state.entity_id].append(state)
        return states

    return _kept(index).states.take(ids, fetch)


def snapshots_before(reader: Reader, index: StoryIndex, moment: Moment) -> tuple[Snapshot, ...]:
    """The snapshots of the last scenes before a moment, the last one first."""
    known = _kept(index).snapshots
    found = known.get(moment)
    if found is None:
        if len(known) >= MOMENTS_KEPT:
            known.clear()
        place = (moment.chapter, moment.scene or 0)
        found = reader.manuscript.snapshots_before(index.project_id, *place, RECENT_SNAPSHOTS)
        known[moment] = found
    return found


def recalled(index: StoryIndex, question: Hashable, answer: Callable[[], T]) -> T:
    """The answer to a question about the story, thought of once while the story stays the same."""
    known = _kept(index).outcomes
    found: T = known.pop(question) if question in known else answer()
    # The one asked for longest ago goes first.
    known[question] = found
    if len(known) > OUTCOMES_KEPT:
        del known[next(iter(known))]
    return found


def relation_labels(reader: Reader, index: StoryIndex) -> dict[str, str]:
    """What the story calls each type of relation."""
    known = _kept(index).labels
    if not known:
        known.update((kind.key, kind.label) for kind in reader.relation_types(index.project_id))
    return known


def _kept(index: StoryIndex) -> _Kept:
    kept = _KEPT.get(index)
    if kept is None or kept.edition != index.edition:
        # Whom a text names changes with names only, not with every scene that is saved.
        if kept is not None and kept.naming == index.naming:
            kept = _Kept(index.edition, index.naming, kept.named, kept.spoken, kept.called)
        else:
            kept = _Kept(index.edition, index.naming)
        _KEPT[index] = kept
    return kept
