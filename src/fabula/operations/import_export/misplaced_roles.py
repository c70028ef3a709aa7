"""Finding data that older versions stored in the wrong place, and moving it in one step per story.

A position among a relation's properties had no effect, so the relation applied too early; an entity
related to an event was not one of its participants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabula.canon import entity as entities
from fabula.canon import relation as relations
from fabula.canon.relation import relation_identity
from fabula.canon.step import Step, in_step
from fabula.errors import InvalidInput, RelationInvalid
from fabula.model.edge_fields import CHAPTER, SCENE, separate_fields
from fabula.model.entity import Entity
from fabula.model.event import separate_times
from fabula.model.moment import Moment
from fabula.model.participation import KIND_OF_WORD, event_of, role_of
from fabula.model.relation import Period, Relation
from fabula.store.misplaced import doubtful_events, doubtful_relations
from fabula.store.reader import Reader

REPAIR = "story:repair"


class Misplaced(NamedTuple):
    """What can be repaired, before and after, and what only the author can decide."""

    relations: tuple[tuple[Relation, Relation], ...]
    events: tuple[tuple[Entity, Entity], ...]
    unclear: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many items can be repaired."""
        return len(self.relations) + len(self.events)


def find_misplaced(reader: Reader, project_id: str) -> Misplaced:
    """Find the misplaced data of a story."""
    unclear: list[str] = []
    return Misplaced(
        tuple(_relations(reader, project_id, unclear)),
        tuple(_events(reader, project_id, unclear)),
        tuple(unclear),
    )


@in_step(REPAIR)
def mend_misplaced(step: Step, project_id: str) -> Misplaced:
    """Move misplaced data where it belongs, in one step that can be undone."""
    found = find_misplaced(step, project_id)
    relations.save_all(step, (), found.relations, {})
    entities.save_all(step, (), found.events)
    return found


def _relations(reader: Reader, project_id: str, unclear: list[str]) -> Iterator[tuple[Relation, Relation]]:
    doubtful = list(doubtful_relations(reader, project_id))
    linked = [one for one in doubtful if one.relation_type in KIND_OF_WORD]
    events = reader.links.events_among(project_id, {event_of(one) for one in linked}) if linked else set()
    held = {one.source_entity_id for one in doubtful}
    known = {relation_identity(one) for one in reader.relations_from(project_id, held)} if held else set()
    for relation in doubtful:
        is_role = relation.relation_type in KIND_OF_WORD and event_of(relation) in events
        try:
            after = _placed(relation)
            if is_role:
                role_of(after, "", 0)
        except (InvalidInput, RelationInvalid):
            unclear.append(f"relation {relation.id}")
            continue
        identity = relation_identity(after)
        if identity != relation_identity(relation) and identity in known:
            unclear.append(f"relation {relation.id}")
        elif is_role or after != relation:
            known.add(identity)
            yield relation, after


def _placed(relation: Relation) -> Relation:
    """Return the relation with misplaced properties moved to its fields, where these are empty."""
    own, said = separate_fields(relation.properties)
    fields = {name: value for name, value in said.items() if value and not getattr(relation, name)}
    since: Moment | None = fields.get("since", relation.since)
    if not Period.is_forward(since, fields.get("until", relation.until)):
        raise InvalidInput("The relation would end before it begins.")
    # A property that contradicts a field stays where it is, for the author to decide.
    kept = {
        key: value for key, value in relation.properties.items() if key in own or not _is_taken(key, fields)
    }
    return relation.model_copy(update={**fields, "properties": kept})


def _is_taken(key: str, fields: dict[str, object]) -> bool:
    return ("since" if key in (CHAPTER, SCENE) else key) in fields


def _events(reader: Reader, project_id: str, unclear: list[str]) -> Iterator[tuple[Entity, Entity]]:
    for event in doubtful_events(reader, project_id):
        try:
            said = separate_times(event.attributes)
        except InvalidInput:
            unclear.append(f"event {event.id}")
            continue
        if said.attributes == event.attributes:
            continue
        if not Period.is_forward(event.since or said.moment, event.until):
            unclear.append(f"event {event.id}")
        else:
            # Saving it unchanged is enough: the step's consequences date the event.
            yield event, event
