"""Gathering the lore, snapshot and character candidates for a text and a moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.context.audience import ModelView
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
    InsertionPosition,
    LoreEntry,
    category_of,
)
from fabula.model.manuscript import Snapshot, SnapshotCharacter
from fabula.model.moment import Moment, first_instant, last_instant
from fabula.model.names import name_key
from fabula.store.reader import Reader

NOTHING_DETECTED = Detected()
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
    candidates = entity_candidates(on, slots, found)
    custom = sorted(found.entries.keys() | lorebook.always | on.pinned_entries)
    candidates += [entry_candidate(on, entry, found) for entry in index.entries(reader, custom)]
    return candidates


def entity_candidates(
    on: SceneView, slots: Sequence[int], found: Detected = NOTHING_DETECTED
) -> list[LoreCandidate]:
    """Return a candidate for each of these entities, with its matches in the text."""
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


def entry_candidate(on: SceneView, entry: LoreEntry, found: Detected = NOTHING_DETECTED) -> LoreCandidate:
    """Return the candidate of a custom entry, with its matches in the text."""
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
