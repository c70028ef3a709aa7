"""States of entities: what is true of an entity for a part of the story."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.scope import existing_entity
from fabula.canon.state import StateFields, existing_state, new_state, remove, save
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.canon.world_time import resolved
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.entity import EntityState
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation


class KnowledgeStateCreateResponse(EntityState):
    """The new state."""


class KnowledgeStateCreateRequest(StateFields, Request[KnowledgeStateCreateResponse]):
    """A state of an entity, from a moment on or for a period."""

    entity_id: Id


class KnowledgeStateUpdateResponse(EntityState):
    """The state after the change."""


class KnowledgeStateUpdateRequest(StateFields, Request[KnowledgeStateUpdateResponse]):
    """The new content of a state; with `expectedVersion` it is refused if the state has changed meanwhile."""

    id: Id
    expected_version: Version | None = None


class KnowledgeStateDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeStateDeleteRequest(Request[KnowledgeStateDeleteResponse]):
    """A state to delete."""

    id: Id


class KnowledgeStateListResponse(Value):
    """The states of an entity, ordered by their start."""

    items: tuple[EntityState, ...]
    total_count: int


class KnowledgeStateListRequest(Request[KnowledgeStateListResponse]):
    """The states of an entity."""

    entity_id: Annotated[Id, Field()]


@operation("state.create", role=Role.EDITOR, channel="knowledge:state:create")
@in_step("knowledge:state:create")
def create_state(step: Step, request: KnowledgeStateCreateRequest) -> KnowledgeStateCreateResponse:
    """Add a state that holds for an entity from a moment on or for a period."""
    entity = existing_entity(step, request.project_id, request.entity_id)
    state = save(step, None, new_state(step, entity, request))
    return KnowledgeStateCreateResponse.trusted(**dict(state))


@operation("state.update", role=Role.EDITOR, channel="knowledge:state:update")
@in_step("knowledge:state:update")
def update_state(step: Step, request: KnowledgeStateUpdateRequest) -> KnowledgeStateUpdateResponse:
    """Change a state."""
    before = existing_state(step, request.project_id, request.id)
    refuse_stale_version("The state", before.version, request.expected_version, before)
    fields = {name: getattr(request, name) for name in StateFields.model_fields}
    after = save(step, before, before.model_copy(update=resolved(step, request.project_id, fields)))
    return KnowledgeStateUpdateResponse.trusted(**dict(after))


@operation("state.delete", role=Role.EDITOR, channel="knowledge:state:delete")
@in_step("knowledge:state:delete")
def delete_state(step: Step, request: KnowledgeStateDeleteRequest) -> KnowledgeStateDeleteResponse:
    """Delete a state."""
    remove(step, existing_state(step, request.project_id, request.id))
    return KnowledgeStateDeleteResponse()


@operation("state.list", role=Role.READER, channel="knowledge:state:list")
def list_states(call: Call, request: KnowledgeStateListRequest) -> KnowledgeStateListResponse:
    """List the states of an entity, ordered by their start."""
    with call.store.read() as reader:
        entity = existing_entity(reader, request.project_id, request.entity_id)
        states = reader.states_of(request.project_id, [entity.id])
    return KnowledgeStateListResponse.trusted(items=states, total_count=len(states))
