"""States of entities: what is true of somebody for a part of the story."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fabula.call import Call
from fabula.canon.scope import existing_entity
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import NotFound
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.entity import EntityState
from fabula.model.relation import Period
from fabula.model.wire import Description, Id, OpenJson, Value, is_same
from fabula.operations.table import Request, operation
from fabula.store.failures import repeatable
from fabula.store.reader import Reader


class StateFields(Period):
    """Prose that is added to an entity's description, and attributes that are put over its own."""

    description: Description = ""
    attributes: OpenJson = Field(default_factory=dict)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.description.strip() and not self.attributes:
            raise ValueError("a state says something in description or attributes")
        return self


class KnowledgeStateCreateResponse(EntityState):
    """The new state."""


class KnowledgeStateCreateRequest(StateFields, Request[KnowledgeStateCreateResponse]):
    """A state of an entity, from a moment on or for a period."""

    entity_id: Id


class KnowledgeStateUpdateResponse(EntityState):
    """The state after the change."""


class KnowledgeStateUpdateRequest(StateFields, Request[KnowledgeStateUpdateResponse]):
    """A state that is to be as given here; with `expectedVersion`, unless somebody else was first."""

    id: Id
    expected_version: Version | None = None


class KnowledgeStateDeleteResponse(Value):
    """What went."""

    deleted: Literal[True] = True


class KnowledgeStateDeleteRequest(Request[KnowledgeStateDeleteResponse]):
    """A state that is to go."""

    id: Id


class KnowledgeStateListResponse(Value):
    """The states of an entity, in the order of their beginning."""

    items: tuple[EntityState, ...]
    total_count: int


class KnowledgeStateListRequest(Request[KnowledgeStateListResponse]):
    """The states of an entity."""

    entity_id: Annotated[Id, Field()]


@operation("state.create", role=Role.EDITOR, channel="knowledge:state:create")
@repeatable
def create_state(call: Call, request: KnowledgeStateCreateRequest) -> KnowledgeStateCreateResponse:
    """Say what is true of an entity from a moment on."""
    with call.store.write(request.project_id, action="knowledge:state:create", actor=call.actor) as writer:
        entity = existing_entity(writer, request.project_id, request.entity_id)
        state = EntityState.trusted(
            id=call.clock.new_id(),
            project_id=request.project_id,
            entity_id=entity.id,
            description=request.description,
            attributes=request.attributes,
            since=request.since,
            until=request.until,
            version=1,
            created_at=writer.now,
            updated_at=writer.now,
        )
        writer.add([state])
    return KnowledgeStateCreateResponse.trusted(**dict(state))


@operation("state.update", role=Role.EDITOR, channel="knowledge:state:update")
@repeatable
def update_state(call: Call, request: KnowledgeStateUpdateRequest) -> KnowledgeStateUpdateResponse:
    """Change a state."""
    fields = {name: getattr(request, name) for name in StateFields.model_fields}
    with call.store.write(request.project_id, action="knowledge:state:update", actor=call.actor) as writer:
        before = _existing(writer, request.project_id, request.id)
        refuse_stale_version("The state", before.version, request.expected_version, before)
        after = before.model_copy(update=fields)
        if not is_same(after, before):
            after = touched(writer, after)
            writer.replace([(before, after)])
    return KnowledgeStateUpdateResponse.trusted(**dict(after))


@operation("state.delete", role=Role.EDITOR, channel="knowledge:state:delete")
@repeatable
def delete_state(call: Call, request: KnowledgeStateDeleteRequest) -> KnowledgeStateDeleteResponse:
    """Delete a state."""
    with call.store.write(request.project_id, action="knowledge:state:delete", actor=call.actor) as writer:
        writer.remove([_existing(writer, request.project_id, request.id)])
    return KnowledgeStateDeleteResponse()


@operation("state.list", role=Role.READER, channel="knowledge:state:list")
def list_states(call: Call, request: KnowledgeStateListRequest) -> KnowledgeStateListResponse:
    """List the states of an entity, in the order of their beginning."""
    with call.store.read() as reader:
        entity = existing_entity(reader, request.project_id, request.entity_id)
        states = reader.states_of(request.project_id, [entity.id])
    return KnowledgeStateListResponse.trusted(items=states, total_count=len(states))


def _existing(reader: Reader, project_id: str, state_id: str) -> EntityState:
    state = reader.state(project_id, state_id)
    if state is None:
        reader.story(project_id)
        raise NotFound(f"There is no state '{state_id}' in this story.", details={"id": state_id})
    return state
