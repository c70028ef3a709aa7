"""What of an entity and its states the manuscript no longer says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fabula.context.edition_cache import stale_of, withholds_stale_facts
from fabula.index.story_index import StoryIndex
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import FactKind
from fabula.model.prompt_text import prompt_text
from fabula.model.staleness import FactPart, text_without
from fabula.store.reader import Reader


class StaleEntity(NamedTuple):
    """What is stale of an entity: all of it, some parts, some of its states; and whether models hear it."""

    is_whole: bool
    parts: Sequence[FactPart]
    states: Mapping[str, Sequence[FactPart | None]]
    withheld: bool

    def without(self, entity: Entity, states: Iterable[EntityState]) -> tuple[Entity, list[EntityState]]:
        """Return the entity and its states without what is stale."""
        kept: list[EntityState] = []
        for state in states:
            lost = self.states.get(state.id, ())
            if None not in lost:
                text, attributes = text_without(state.description, state.attributes, lost)
                kept.append(state.model_copy(update={"description": text, "attributes": attributes}))
        text, attributes = text_without(entity.description, entity.attributes, self.parts)
        if (text, attributes) != (entity.description, entity.attributes):
            told = prompt_text(text, attributes)
            changes = {"description": text, "attributes": attributes, "prompt_text": told}
            entity = entity.model_copy(update=changes)
        return entity, kept


def stale_entities(
    reader: Reader,
    index: StoryIndex,
    entities: Sequence[Entity],
    states: Mapping[str, Sequence[EntityState]],
) -> dict[str, StaleEntity]:
    """Return what is stale of these entities and of the states that hold, by entity."""
    ids = [entity.id for entity in entities]
    of_entities = dict(zip(ids, stale_of(reader, index, FactKind.ENTITY, ids), strict=True))
    owners = {state.id: key for key, own in states.items() for state in own}
    of_states = zip(owners, stale_of(reader, index, FactKind.STATE, owners), strict=True)
    lost: dict[str, dict[str, list[FactPart | None]]] = {}
    for state_id, found in of_states:
        if found:
            lost.setdefault(owners[state_id], {})[state_id] = [one.part for one in found]
    touched = [key for key in ids if of_entities[key] or key in lost]
    withheld = bool(touched) and withholds_stale_facts(reader, index)
    return {
        key: StaleEntity(
            any(one.part is None for one in of_entities[key]),
            [one.part for one in of_entities[key] if one.part is not None],
            lost.get(key, {}),
            withheld,
        )
        for key in touched
    }
