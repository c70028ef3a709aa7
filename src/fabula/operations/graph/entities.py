"""Operations on entities: create, read, update, delete, list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon import entity as entities
from fabula.canon.entity import EntityFields, EntityPatch, TypeWord
from fabula.canon.ontology import listed_type, story_ontology
from fabula.canon.profile_relations import shown_profile
from fabula.canon.scope import existing_entity
from fabula.canon.step import Step, in_step
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.wire import Id, Text, Value
from fabula.operations.table import Request, operation
from fabula.store.kinds import ENTITY
from fabula.store.reader import EntityFilter, Reader


class KnowledgeEntityCreateResponse(Entity):
    """The new entity."""


class KnowledgeEntityCreateRequest(EntityFields, Request[KnowledgeEntityCreateResponse]):
    """A new entity; a story that does not exist yet is created with it."""


class KnowledgeEntityReadResponse(Entity):
    """The entity; `attributes.relations` lists its outgoing relations, if any."""


class KnowledgeEntityReadRequest(Request[KnowledgeEntityReadResponse]):
    """One entity by its id."""

    id: Id


class KnowledgeEntityUpdateResponse(Entity):
    """The entity after the change."""


class KnowledgeEntityUpdateRequest(Request[KnowledgeEntityUpdateResponse]):
    """A change to an entity that was last read at `expectedVersion`."""

    id: Id
    expected_version: Version
    patch: EntityPatch


class KnowledgeEntityDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True
    deleted_relation_count: int


class KnowledgeEntityDeleteRequest(Request[KnowledgeEntityDeleteResponse]):
    """An entity to delete, with its relations."""

    id: Id
    expected_version: Version | None = None


class KnowledgeEntityListResponse(Value):
    """A page of entities, the most recently changed first."""

    items: tuple[Entity, ...]
    total_count: int


class EntityListFilter(Value):
    """Which entities to list; `keyword` searches names, aliases and descriptions."""

    type: TypeWord | None = None
    ai_context_level: AiContextLevel | None = None
    keyword: Annotated[Text, Field(max_length=256)] | None = None


class KnowledgeEntityListRequest(Request[KnowledgeEntityListResponse]):
    """A page of the entities of a story."""

    filter: EntityListFilter = EntityListFilter()
    limit: Limit = 1000
    offset: Offset = 0


@operation("entity.create", role=Role.EDITOR, channel="knowledge:entity:create", begins=True)
@in_step("knowledge:entity:create", begins=True)
def create_entity(step: Step, request: KnowledgeEntityCreateRequest) -> KnowledgeEntityCreateResponse:
    """Create an entity; a duplicate name within its type is refused."""
    draft = entities.drafted(step, request, story_ontology(step, step.project_id))
    entity = entities.kept(step, entities.save(step, None, draft))
    # What is new and alone in its step has no relations yet.
    shown = dict(entity) if all(change.kind is ENTITY for change in step.done) else _alone(step, entity)
    return KnowledgeEntityCreateResponse.trusted(**shown)


@operation("entity.read", role=Role.READER, channel="knowledge:entity:read")
def read_entity(call: Call, request: KnowledgeEntityReadRequest) -> KnowledgeEntityReadResponse:
    """Read an entity."""
    with call.store.read() as reader, call.indexes.glimpse(reader, request.project_id) as index:
        shown = None if index is None else index.shown.get(ENTITY.name, request.id)
        if shown is None:
            entity, made_of = existing_entity(reader, request.project_id, request.id), set[str]()
            shown = {**dict(entity), "attributes": shown_profile(reader, entity, made_of)}
            if index is not None:
                index.shown.put(ENTITY.name, request.id, shown, made_of)
    # The caller's own, who may change it.
    return KnowledgeEntityReadResponse.trusted(**{**shown, "attributes": dict(shown["attributes"])})


@operation("entity.update", role=Role.EDITOR, channel="knowledge:entity:update")
@in_step("knowledge:entity:update")
def update_entity(step: Step, request: KnowledgeEntityUpdateRequest) -> KnowledgeEntityUpdateResponse:
    """Change an entity, unless it has changed since `expectedVersion`."""
    before = existing_entity(step, request.project_id, request.id)
    entities.refuse_stale(before, request.expected_version)
    after = entities.save(step, before, entities.patched(step, before, request.patch))
    return KnowledgeEntityUpdateResponse.trusted(**_alone(step, entities.kept(step, after)))


@operation("entity.delete", role=Role.EDITOR, channel="knowledge:entity:delete")
@in_step("knowledge:entity:delete")
def delete_entity(step: Step, request: KnowledgeEntityDeleteRequest) -> KnowledgeEntityDeleteResponse:
    """Delete an entity with its relations, and return how many relations were deleted."""
    entity = existing_entity(step, request.project_id, request.id)
    entities.refuse_stale(entity, request.expected_version)
    return KnowledgeEntityDeleteResponse(deleted_relation_count=len(entities.remove(step, [entity])))


@operation("entity.list", role=Role.READER, channel="knowledge:entity:list")
def list_entities(call: Call, request: KnowledgeEntityListRequest) -> KnowledgeEntityListResponse:
    """List entities, the most recently changed first."""
    wanted = request.filter
    with call.store.read() as reader:
        reader.story(request.project_id)
        page = reader.entity_page(
            request.project_id,
            EntityFilter(
                type=wanted.type and listed_type(reader, request.project_id, wanted.type),
                level=wanted.ai_context_level,
                keyword=wanted.keyword,
            ),
            request.limit,
            request.offset,
        )
    return KnowledgeEntityListResponse.trusted(items=page.items, total_count=page.total)


def _alone(reader: Reader, entity: Entity) -> dict[str, Any]:
    """Return an entity as shown on its own, with its outgoing relations among its attributes."""
    return {**dict(entity), "attributes": shown_profile(reader, entity)}
