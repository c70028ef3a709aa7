"""States of entities: the only way to save, change and remove them."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.canon.world_time import refuse_backward_world, resolved
from fabula.errors import NotFound
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import Secrecy
from fabula.model.validity import WHEN, ValidityGiven
from fabula.model.wire import Description, OpenJson, is_same
from fabula.store.reader import Reader


class StateFields(ValidityGiven):
    """The fields of a state: text added to the entity's description, and attributes that override its own."""

    description: Description = ""
    attributes: OpenJson = Field(default_factory=dict)
    secrecy: Secrecy = Secrecy.PUBLIC

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.description.strip() and not self.attributes:
            raise ValueError("a state says something in description or attributes")
        return self


def new_state(step: Step, entity: Entity, fields: StateFields) -> EntityState:
    """Return the new state that the fields describe."""
    return EntityState.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        entity_id=entity.id,
        description=fields.description,
        attributes=fields.attributes,
        secrecy=fields.secrecy,
        **resolved(step, step.project_id, {name: getattr(fields, name) for name in WHEN}),
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )


def save(step: Step, before: EntityState | None, after: EntityState) -> EntityState:
    """Save a new or changed state."""
    refuse_backward_world(after, "The state")
    if before is None:
        step.add([after])
    elif not is_same(after, before):
        after = touched(step, after)
        step.replace([(before, after)])
    return after


def remove(step: Step, state: EntityState) -> None:
    """Remove a state."""
    step.remove([state])


def existing_state(reader: Reader, project_id: str, state_id: str) -> EntityState:
    """Return the state; NotFound if the story has none with this id."""
    state = reader.state(project_id, state_id)
    if state is None:
        reader.story(project_id)
        raise NotFound(f"There is no state '{state_id}' in this story.", details={"id": state_id})
    return state
