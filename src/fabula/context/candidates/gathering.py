"""Gathering the lore, snapshot and character candidates for a text and a moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate, found_at
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.context.audience import ModelView
from fabula.context.detection import Detected, detect, relevance
from fabula.context.edition_cache import named_in, recalled, stale_of, withholds_stale_facts
from fabula.context.entity_texts import believed_content, joined_text, states_by_entity
from fabula.context.point_of_view import PointOfView
from fabula.context.stale_entities import StaleEntity, stale_entities
from fabula.index.appearances import NameOfEntity
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.matching import Term
from fabula.model.activation import ActivationRules
from fabula.model.audience import OpenText, Withheld
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import FactKind
from fabula.model.level import AiContextLevel
from fabula.model.lore import (
    DEFAULT_TOKEN_BUDGET,
    InsertionPosition,
    LoreEntry,
    category_of,
)
from fabula.model.manuscript import Snapshot, SnapshotCharacter
from fabula.model.moment import Moment, first_instant
from fabula.model.names import name_key
from fabula.store.reader import Reader

NOTHING_DETECTED = Detected()
MOST_LATER = 20
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
    found: Detected = NOTHING_DETECTED,
    pov: PointOfView | None = None,
) -> SceneView:
    """Return the view for a call; pinned ids may be those of entities or entries, and others are ignored.

    What was found in the text may be told although the manuscript names it only later.
    """
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
    view = SceneView(reader, index, instant, *pins, text, pov=pov, deadline=deadline)
    introduced = frozenset(_introduced(view, found, instant))
    return replace(view, introduced=introduced) if introduced else view


def _introduced(view: SceneView, found: Detected, instant: int) -> Iterator[Hashable]:
    """Yield the slots, entry ids and names in the text that the manuscript uses only after an instant."""
    appearances, ids = view.index.appearances, view.index.roster.ids
    for slot, places in found.entities.items():
        if view.is_named_later(slot):
            yield slot
        for term in {place.term for place in places}:
            name = NameOfEntity(ids[slot], term)
            if appearances.is_used_later(name, instant):
                yield name
    yield from (key for key in found.entries if appearances.entries.get(key, -1) > instant)


def ids_called(
    reader: Reader, index: StoryIndex, name: str, unknown: Callable[[Term], bool] | None = None
) -> Iterator[str]:
    """Yield the ids of the entities and entries that a name stands for, which may itself be an id."""
    yield name
    found = named_in(reader, index, name) if unknown is None else detect(reader, index, name, unknown=unknown)
    entities = {index.roster.ids[slot]: places for slot, places in found.entities.items()}
    for key, places in {**entities, **found.entries}.items():
        if any((place.start, place.end) == (0, len(name)) for place in places):
            yield key


def lore_candidates(on: SceneView, found: Detected) -> list[LoreCandidate]:
    """Return all lore that is always included, was detected in the text, or was pinned."""
    index, reader = on.index, on.reader
    lorebook = index.lorebook(reader)
    always = {index.roster.slot_of[key] for key in index.roster.always}
    slots = sorted({on.leader(slot) for slot in found.entities.keys() | always | on.pinned_slots})
    candidates = entity_candidates(on, slots, found)
    custom = sorted(found.entries.keys() | lorebook.always | on.pinned_entries)
    stale_of(reader, index, FactKind.ENTRY, custom)
    candidates += [entry_candidate(on, entry, found) for entry in index.entries(reader, custom)]
    return candidates + entity_candidates(on, _neighbours_named_later(on, slots))


def _neighbours_named_later(on: SceneView, slots: Iterable[int]) -> list[int]:
    """Return the related entities that are only left out because the manuscript names them later."""
    graph, later = on.graph, on.index.roster.named_later
    if not later:
        return []
    near = {peer for slot in slots for peer, _ in islice(graph.steps(slot, on.instant), MOST_LATER)}
    near = {on.leader(slot) for slot in near}
    return sorted(slot for slot in near.difference(slots) if on.is_named_later(slot))[:MOST_LATER]


def entity_candidates(
    on: SceneView, slots: Sequence[int], found: Detected = NOTHING_DETECTED
) -> list[LoreCandidate]:
    """Return a candidate for each of these entities, with its matches in the text.

    An entity that was revealed to be another is part of the candidate of the one that both are told as.
    """
    known: dict[int, LoreCandidate] = recalled(on.index, ("candidates", on.key), dict)
    missing = [slot for slot in slots if slot not in known]
    if missing:
        known.update(zip(missing, _unmatched_candidates(on, missing), strict=True))
    return [_matched(on, known[slot], found.entities.get(slot, ())) for slot in slots]


def _matched(on: SceneView, candidate: LoreCandidate, places: Sequence[MatchPlace]) -> LoreCandidate:
    if not places:
        return candidate
    score = max(relevance(places, len(on.text)), candidate.score)
    return found_at(candidate, tuple(places), score)


def _unmatched_candidates(on: SceneView, slots: Sequence[int]) -> list[LoreCandidate]:
    """Return the candidates of these entities for any text, which stay as they are between key presses."""
    index, reader = on.index, on.reader
    lorebook = index.lorebook(reader)
    groups = {slot: on.members(slot) for slot in slots}
    everybody = list(dict.fromkeys(one for group in groups.values() for one in group))
    entities = dict(zip(everybody, index.entities(reader, everybody), strict=True))
    states = states_by_entity(on, [entity.id for entity in entities.values()])
    stale = stale_entities(on.reader, index, list(entities.values()), states)
    linked = [lorebook.entry_of[one.id] for one in entities.values() if one.id in lorebook.entry_of]
    entry_of = {entry.entity_id: entry for entry in index.entries(reader, linked)}
    candidates = []
    for slot, group in groups.items():
        people = [(entities[one], states.get(entities[one].id, ())) for one in group]
        entry = next((entry_of[one.id] for one, _ in people if one.id in entry_of), None)
        candidates.append(_of_entity(on, slot, people, entry, stale))
    return candidates


def _of_entity(
    on: SceneView,
    slot: int,
    people: Sequence[tuple[Entity, Iterable[EntityState]]],
    entry: LoreEntry | None,
    stale: Mapping[str, StaleEntity],
) -> LoreCandidate:
    on.check_time()
    entity = people[0][0]
    lost = [stale.get(one.id) for one, _ in people]
    said = [
        (one, holding) if stale_one is None or not stale_one.withheld else stale_one.without(one, holding)
        for (one, holding), stale_one in zip(people, lost, strict=True)
    ]
    content, is_cut = joined_text(on, said)
    name = _name_of_all(on, [one for one, _ in people])
    since, until = on.index.clock.period_at(entity, on.instant)
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
        level=_level_of([one for one, _ in people]),
        enabled=entry is None or entry.enabled,
        since=since,
        until=until,
        pinned=not on.pinned_slots.isdisjoint(on.members(slot)),
        rules=ActivationRules() if entry is None else entry.rules,
        score=0.3 * entity.significance,
        withheld=Withheld.of(sentences=is_cut, whole=not name),
        title=entity.name if entry is None else entry.display_name or entity.name,
        named_later=on.is_named_later(slot),
        is_unknown=on.is_not_known(slot),
        stale=any(one is not None for one in lost),
        outdated=all(one is not None and one.withheld and one.is_whole for one in lost),
    )
    return candidate if name and on.may_be_told(slot) else _without_words(candidate)


def _name_of_all(on: SceneView, people: Sequence[Entity]) -> OpenText:
    """Return the name of an entity, or the names of entities that are told as one, each once."""
    if len(people) == 1:
        return (on.own_names(people[0]) or (_NOTHING,))[0]
    return OpenText(" / ".join(dict.fromkeys(on.name_alone(one) for one in people)))


def _level_of(people: Sequence[Entity]) -> AiContextLevel:
    """Return the level of entities that are told as one: whoever is always told is."""
    levels = [one.ai_context_level for one in people]
    return AiContextLevel.ALWAYS if AiContextLevel.ALWAYS in levels else levels[0]


def entry_candidate(on: SceneView, entry: LoreEntry, found: Detected = NOTHING_DETECTED) -> LoreCandidate:
    """Return the candidate of a custom entry, with its matches in the text."""
    places = found.entries.get(entry.id, [])
    on.check_time()
    content = on.redaction_of(entry).prose(believed_content(on, entry))
    (stale,) = stale_of(on.reader, on.index, FactKind.ENTRY, [entry.id])
    name = on.entry_name(entry)
    since, until = on.index.clock.period_at(entry, on.instant)
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
        enabled=entry.enabled and on.index.books.is_enabled(on.reader, entry.book_id),
        since=since,
        until=until,
        pinned=entry.id in on.pinned_entries,
        matches=tuple(places),
        rules=entry.rules,
        score=relevance(places, len(on.text)),
        withheld=Withheld.of(sentences=content != entry.content, whole=not name),
        title=entry.display_name or entry.entry_key,
        named_later=on.is_entry_named_later(entry),
        is_unknown=on.is_entry_not_known(entry.id),
        stale=bool(stale),
        outdated=bool(stale) and withholds_stale_facts(on.reader, on.index),
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
            withheld=Withheld.of(sentences=bool(on.redaction.spans(snapshot.summary))),
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
            slot = None if slot is None else on.leader(slot)
            key = str(slot) if slot is not None else name_key(character.name)
            places = found.entities.get(slot, []) if slot is not None else []
            if key in candidates or (age > 0 and not places):
                continue
            about = on.redaction_about(() if slot is None else (on.index.roster.ids[slot],))
            candidates[key] = CharacterCandidate(
                name=_name_of(on, slot, character),
                current_state=about.label(character.current_state),
                emotional_state=about.label(character.emotional_state),
                entity_id=None if slot is None else on.index.roster.ids[slot],
                withheld=Withheld.of(whole=_is_secret(on, slot, character.name)),
                active=age == 0,
                matches=tuple(places),
                score=relevance(places, len(on.text)),
            )
    return list(candidates.values())


def _name_of(on: SceneView, slot: int | None, character: SnapshotCharacter) -> OpenText:
    """Return what somebody on stage is called now; a summary has the main name, which may come later."""
    if slot is None or not on.label(character.name):
        return on.label(character.name)
    (entity,) = on.index.entities(on.reader, [slot])
    is_main = entity.names or name_key(entity.name) == name_key(character.name)
    return (on.own_names(entity) or (_NOTHING,))[0] if is_main else on.label(character.name)


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
