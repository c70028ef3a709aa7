"""Checks that ids belong to the story in question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabula.errors import NotFound, ScopeViolation
from fabula.model.entity import Entity
from fabula.model.relation import Relation
from fabula.store.reader import Reader


def existing_entity(reader: Reader, project_id: str, entity_id: str) -> Entity:
    """Return the entity; ScopeViolation if it belongs to another story, NotFound if it does not exist."""
    entity = reader.entity(project_id, entity_id)
    if entity is None:
        reader.story(project_id)
        refuse_foreign(reader, project_id, [entity_id])
        raise NotFound(f"There is no entity '{entity_id}' in this story.", details={"id": entity_id})
    return entity


def existing_relation(reader: Reader, project_id: str, relation_id: str) -> Relation:
    """Return the relation; NotFound if the story has none with this id."""
    relation = reader.relation(project_id, relation_id)
    if relation is None:
        reader.story(project_id)
        raise NotFound(f"There is no relation '{relation_id}' in this story.", details={"id": relation_id})
    return relation


def foreign_ids(reader: Reader, project_id: str, ids: Sequence[str]) -> list[str]:
    """Return the ids that belong to entities of other stories that the caller may see."""
    elsewhere = reader.in_other_stories(project_id, ids) if ids else set()
    return [entity_id for entity_id in ids if entity_id in elsewhere]


def refuse_strangers(reader: Reader, project_id: str, ids: Iterable[str]) -> None:
    """Refuse ids of entities that the story does not have."""
    wanted = list(dict.fromkeys(ids))
    missing = set(wanted) - reader.entities(project_id, wanted).keys() if wanted else set()
    if missing:
        unknown = [key for key in wanted if key in missing]
        raise NotFound("Some of these are not in this story.", details={"ids": unknown})


def refuse_foreign(reader: Reader, project_id: str, ids: Sequence[str]) -> None:
    """Refuse ids of entities in other stories."""
    foreign = foreign_ids(reader, project_id, ids)
    if foreign:
        raise ScopeViolation(
            "These entities belong to another story.",
            details={"foreignEntityIds": foreign},
        )
