"""Entities as a model hears of them."""

from __future__ import annotations

from fabula.model.entity import Entity
from fabula.operations.contexts.ear import Ear


def as_heard(ear: Ear, entity: Entity) -> Entity:
    """The entity without what its text says of secrets."""
    description = ear.open_part(entity.description)
    told = ear.open_part(entity.prompt_text)
    if description == entity.description and told == entity.prompt_text:
        return entity
    attributes = ear.open_words(entity.attributes)
    return entity.model_copy(
        update={"description": description, "prompt_text": told, "attributes": attributes}
    )
