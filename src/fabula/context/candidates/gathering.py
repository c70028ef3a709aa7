"""Gathering the lore, snapshot and character candidates for a text and a moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.context.audience import ModelView
from fabula.context.candidates.recalled import RecalledLore
from fabula.context.detection import Detected, relevance
from fabula.context.edition_cache import named_in, states_of
from fabula.context.entity_texts import entity_text
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.model.activation import ActivationRules
from fabula.model.audience import OpenText, Withheld
from fabula.model.entity import Entity, EntityState
from fabula.model.lore import (
    DEFAULT_TOKEN_BUDGET,
    Category,
    InsertionPosition,
    LoreEntry,
    category_of,
    is_recallable,
)
from fabula.model.manuscript import Snapshot, SnapshotCharacter
from fabula.model.moment import Moment, first_instant, last_instant
from fabula.model.names import name_key
from fabula.store.reader import Reader

_NOTHING = OpenText("")


@dataclass(frozen=True, slots=True)
class SceneView(ModelView):
    """The view of the model that writes a scene, with the scene's text so far."""

    text: str = ""


def stage(
    reader: Reader,
    index: StoryIndex,
    moment: Moment,
    text: str,
    pinned: Iterable[str],
    deadline: Deadline | None = None,
) -> SceneView:
    """Return the view for a call; pinned ids may be those of entities or entries, and others are ignored."""
    slots, lorebook = index.roster.slot_of, index.lorebook(reader)
    pinned_slots: set[int] = set()
    pinned_entries: set[str] = set()
    for key in pinned:
        if key in slots:
            pinned_slots.add(slots[key])
        elif key in lorebook.entity_of:
            entity_id = lorebook.entity_of[key]
            if entity_id is None:
                pinned_entries.add(key)
            else:
                pinned_slots.add(slots[entity_id])
    instant = first_instant(moment)
    pins = frozenset(pinned_slots), frozenset(pinned_entries)
    return SceneView(reader, index, instant, *pins, text, deadline=deadline)


def lore_candidates(on: SceneView, found: Detected) -> list[LoreCandidate]:
    """Return all lore that is always included, was detected in the text, or was pinned."""
    index, reader = on.index, on.reader
    lorebook = index.lorebook(reader)
    always = {index.roster.slot_of[key] for key in index.roster.always}
    slots = sorted(found.entities.keys() | always | on.pinned_slots)
    candidates = _of_entities(on, slots, found)
    custom = sorted(found.entries.keys() | lorebook.always | on.pinned_entries)
    candidates += [_of_entry(on, entry, found) for entry in index.entries(reader, custom)]
    return candidates


def recalled_lore_candidates(
    on: SceneView, recalled: Iterable[RecalledLore], others: Iterable[LoreCandidate]
) -> list[LoreCandidate]:
    """Return the lore that the text recalls, without other candidates and without events.

    Events have a section of their own.
    """
    index, nothing = on.index, Detected()
    known = {key for one in others for key in (one.id, one.entity_id)}
    by_slot = {one.key: one for one in recalled if isinstance(one.key, int)}
    by_entry = {one.key: one for one in recalled if isinstance(one.key, str)}
    slots = _recallable(on, (slot for slot in by_slot if index.roster.ids[slot] not in known))
    told = [
        replace(candidate, **_as_recalled(by_slot[slot]))
        for slot, candidate in zip(slots, _of_entities(on, slots, nothing), strict=True)
        if candidate.category is not Category.EVENT
    ]
    entries = index.entries(on.reader, sorted(key for key in by_entry if key not in known))
    told += [
        replace(_of_entry(on, entry, nothing), **_as_recalled(by_entry[entry.id]))
        for entry in entries
        if is_recallable(entry)
    ]
    return told


def _recallable(on: SceneView, slots: Iterable[int]) -> list[int]:
    """Return the slots of the entities that may be told without being named, in order."""
    ids, entry_of = on.index.roster.ids, on.index.lorebook(on.reader).entry_of
    entries = {slot: entry_of.get(ids[slot]) for slot in sorted(slots)}
    linked = on.index.entries(on.reader, [key for key in entries.values() if key is not None])
    foreign = {entry.id for entry in linked if not is_recallable(entry)}
    return [slot for slot, entry_id in entries.items() if entry_id not in foreign]


def _as_recalled(one: RecalledLore) -> dict[str, Any]:
    return {"recalled": True, "score": one.score, "threshold": one.threshold, "hop_path": one.hop_path}


def _of_entities(on: SceneView, slots: Sequence[int], found: Detected) -> list[LoreCandidate]:
    index, reader = on.index, on.reader
    lorebook = index.lorebook(reader)
    entities = index.entities(reader, slots)
    states = _states_by_entity(on, entities)
    linked = [lorebook.entry_of[entity.id] for entity in entities if entity.id in lorebook.entry_of]
    entry_of = {entry.entity_id: entry for entry in index.entries(reader, linked)}
    return [
        _of_entity(on, slot, entity, entry_of.get(entity.id), states.get(entity.id, ()), found)
        for slot, entity in zip(slots, entities, strict=True)
    ]


def _states_by_entity(on: SceneView, entities: list[Entity]) -> dict[str, list[EntityState]]:
    ids = [entity.id for entity in entities]
    return {
        key: [state for state in states if _holds(state, on.instant)]
        for key, states in zip(ids, states_of(on.reader, on.index, ids), strict=True)
        if states
    }


def _holds(state: EntityState, instant: int | None) -> bool:
    return instant is None or first_instant(state.since) <= instant <= last_instant(state.until)


def _of_entity(
    on: SceneView,
    slot: int,
    entity: Entity,
    entry: LoreEntry | None,
    states: Iterable[EntityState],
    found: Detected,
) -> LoreCandidate:
    places = found.entities.get(slot, [])
    on.check_time()
    content, is_cut = entity_text(on, entity, states)
    name = (on.own_names(entity) or (_NOTHING,))[0]
    candidate = LoreCandidate(
        id=entity.id if entry is None else entry.id,
        entity_id=entity.id,
        entry_key=name,
        display_name=name if entry is None else on.entry_name(entry) or name,
        category=category_of(entity),
        content=content,
        priority=0 if entry is None else entry.priority,
        position=InsertionPosition.BEFORE_SCENE if entry is None else entry.insertion_position,
        token_budget=DEFAULT_TOKEN_BUDGET if entry is None else entry.token_budget,
        level=entity.ai_context_level,
        enabled=entry is None or entry.enabled,
        since=entity.since,
        until=entity.until,
        pinned=slot in on.pinned_slots,
        matches=tuple(places),
        rules=ActivationRules() if entry is None else entry.rules,
        score=max(relevance(places, len(on.text)), 0.3 * entity.significance),
        withheld=Withheld.of(sentences=is_cut, whole=not name),
        title=entity.name if entry is None else entry.display_name or entity.name,
    )
    return candidate if name and on.may_be_told(slot) else _without_words(candidate)


def _of_entry(on: SceneView, entry: LoreEntry, found: Detected) -> LoreCandidate:
    places = found.entries.get(entry.id, [])
    on.check_time()
    content = on.prose(entry.content)
    name = on.entry_name(entry)
    candidate = LoreCandidate(
        id=entry.id,
        entity_id=None,
        entry_key=name and on.label(entry.entry_key),
        display_name=name,
        category=category_of(None),
        content=content,
        priority=entry.priority,
        position=entry.insertion_position,
        token_budget=entry.token_budget,
        level=entry.ai_context_level,
        enabled=entry.enabled,
        since=entry.since,
        until=entry.until,
        pinned=entry.id in on.pinned_entries,
        matches=tuple(places),
        rules=entry.rules,
        score=relevance(places, len(on.text)),
        withheld=Withheld.of(sentences=content != entry.content, whole=not name),
        title=entry.display_name or entry.entry_key,
    )
    return candidate if name and on.may_be_read(entry) else _without_words(candidate)


def _without_words(candidate: LoreCandidate) -> LoreCandidate:
    """Remove the texts of a candidate that must not be told now; only the trace shows its title."""
    return replace(candidate, entry_key=_NOTHING, display_name=_NOTHING, content=_NOTHING)


def snapshot_candidates(on: SceneView, snapshots: Iterable[Snapshot]) -> list[SnapshotCandidate]:
    """Return the summaries of the last scenes, without the sentences that name a secret."""
    return [
        SnapshotCandidate(
            id=snapshot.id,
            chapter=snapshot.chapter_index,
            scene=snapshot.scene_index,
            summary=on.prose(snapshot.summary),
            withheld=Withheld.of(sentences=bool(on.hidden(snapshot.summary))),
        )
        for snapshot in snapshots
        if snapshot.summary.strip()
    ]


def character_candidates(
    on: SceneView, snapshots: tuple[Snapshot, ...], found: Detected
) -> list[CharacterCandidate]:
    """Return the characters of the last scene and those the text names, with their latest state."""
    candidates: dict[str, CharacterCandidate] = {}
    for age, snapshot in enumerate(snapshots):
        for character in snapshot.active_characters:
            slot = _slot_of(on, character)
            key = str(slot) if slot is not None else name_key(character.name)
            places = found.entities.get(slot, []) if slot is not None else []
            if key in candidates or (age > 0 and not places):
                continue
            candidates[key] = CharacterCandidate(
                name=on.label(character.name),
                current_state=on.label(character.current_state),
                emotional_state=on.label(character.emotional_state),
                entity_id=None if slot is None else on.index.roster.ids[slot],
                withheld=Withheld.of(whole=_is_secret(on, slot, character.name)),
                active=age == 0,
                matches=tuple(places),
                score=relevance(places, len(on.text)),
            )
    return list(candidates.values())


def _is_secret(on: SceneView, slot: int | None, name: str) -> bool:
    return (slot is not None and not on.may_be_told(slot)) or bool(on.hidden(name))


def _slot_of(on: SceneView, character: SnapshotCharacter) -> int | None:
    slots = on.index.roster.slot_of
    if character.character_id in slots:
        return slots[character.character_id]
    whole = named_in(on.reader, on.index, character.name).entities
    for slot, places in whole.items():
        if any(place.start == 0 and place.end == len(character.name) for place in places):
            return slot
    return None
