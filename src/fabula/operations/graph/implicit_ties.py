"""Implicit ties: characters who share scenes; computed, never stored, never told as facts."""

from __future__ import annotations

from fabula.call import Call
from fabula.context.edition_cache import recalled
from fabula.index.shared_scenes import shared_scenes
from fabula.index.story_index import StoryIndex
from fabula.model.moment import Moment, place_of
from fabula.model.wire import Value
from fabula.operations.graph.scene_casts import scene_casts
from fabula.store.reader import Reader

_WHO = "character"


class ImplicitTie(Value):
    """Two characters by id who share scenes: how closely, from 0 to 1, and the first and last such scene."""

    source_id: str
    target_id: str
    weight: float
    first: Moment
    last: Moment


def implicit_ties(
    call: Call, reader: Reader, project_id: str, instant: int | None
) -> tuple[ImplicitTie, ...]:
    """Return the closest pairs of characters in the scenes up to an instant, or in all of them."""
    with call.indexes.lease(reader, project_id) as index:
        people, casts = recalled(index, ("people by scene",), lambda: _people(reader, index))
        told = [cast for cast in casts if instant is None or cast[0] <= instant]
        return tuple(
            ImplicitTie.trusted(
                source_id=people[pair.one],
                target_id=people[pair.other],
                weight=round(pair.weight, 3),
                first=_place(pair.first),
                last=_place(pair.last),
            )
            for pair in shared_scenes(told)
        )


def _people(reader: Reader, index: StoryIndex) -> tuple[list[str], tuple[tuple[int, frozenset[int]], ...]]:
    """Return the characters by name, and the numbers of those named in each scene, in story order.

    They are numbered by name, so that a story that was exported and imported again has the same ties.
    """
    slots = index.roster.slot_of
    people = sorted(
        (entity.name, entity.id)
        for entity in index.entities(reader, slots.values())
        if entity.type == _WHO and entity.id in slots
    )
    number_of = {slots[entity_id]: number for number, (_, entity_id) in enumerate(people)}
    casts = tuple(
        (cast.instant, frozenset(number_of[slot] for slot in cast.times if slot in number_of))
        for cast in scene_casts(reader, index)
    )
    return [entity_id for _, entity_id in people], casts


def _place(instant: int) -> Moment:
    chapter, scene = place_of(instant)
    return Moment.trusted(chapter=chapter, scene=scene)
