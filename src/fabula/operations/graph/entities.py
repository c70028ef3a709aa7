"""Entities: create, read, update, delete, list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from fabula.call import Call
from fabula.canon.entry_links import remove_whole_entity, rename_entry_with
from fabula.canon.ontology import listed_type, story_ontology
from fabula.canon.profile_relations import keep_relations, profile_of, shown_profile
from fabula.canon.scope import existing_entity
from fabula.canon.versions import touched
from fabula.errors import EntityConflict, EntityDuplicate, InvalidInput
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.entity import (
    Aliases,
    Coordinate,
    Entity,
    Significance,
    aliases_beside,
    check_attribute_count,
)
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.patch import Patch
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Period
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Description, Id, Name, OpenJson, Text, Value, is_same
from fabula.operations.stories import story_under
from fabula.operations.table import Request, operation
from fabula.store.failures import repeatable
from fabula.store.reader import EntityFilter, Reader
from fabula.store.writer import Writer

TypeWord = Annotated[str, Field(min_length=1, max_length=64)]
# `profile` is another name of `attributes` on the way in.
PROFILE = AliasChoices("attributes", "profile")


class KnowledgeEntityCreateResponse(Entity):
    """The new entity."""


class EntityFields(Period):
    """What an author says of a new entity; `since` and `until` say when it is part of the story."""

    type: TypeWord
    name: Name
    description: Description = ""
    attributes: OpenJson = Field(default_factory=dict, validation_alias=PROFILE)
    aliases: Aliases = ()
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    significance: Significance = 0.5
    layout_x: Coordinate | None = None
    layout_y: Coordinate | None = None


class KnowledgeEntityCreateRequest(EntityFields, Request[KnowledgeEntityCreateResponse]):
    """A new entity of a story. A story that does not exist yet begins with it."""


class KnowledgeEntityReadResponse(Entity):
    """The entity; `attributes.relations` lists its outgoing relations, where it has any."""


class KnowledgeEntityReadRequest(Request[KnowledgeEntityReadResponse]):
    """One entity by its id."""

    id: Id


class EntityPatch(Patch):
    """What is to change of an entity; the rest stays. `attributes` and `aliases` are replaced whole."""

    nullable = frozenset({"layout_x", "layout_y", "since", "until"})

    type: TypeWord | None = None
    name: Name | None = None
    description: Description | None = None
    attributes: OpenJson | None = Field(default=None, validation_alias=PROFILE)
    aliases: Aliases | None = None
    ai_context_level: AiContextLevel | None = None
    significance: Significance | None = None
    layout_x: Coordinate | None = None
    layout_y: Coordinate | None = None
    since: Moment | None = None
    until: Moment | None = None


class KnowledgeEntityUpdateResponse(Entity):
    """The entity after the change."""


class KnowledgeEntityUpdateRequest(Request[KnowledgeEntityUpdateResponse]):
    """A change to an entity that was last seen at `expectedVersion`."""

    id: Id
    expected_version: Version
    patch: EntityPatch


class KnowledgeEntityDeleteResponse(Value):
    """What went."""

    deleted: Literal[True] = True
    deleted_relation_count: int


class KnowledgeEntityDeleteRequest(Request[KnowledgeEntityDeleteResponse]):
    """An entity that is to go, with its relations."""

    id: Id
    expected_version: Version | None = None


class KnowledgeEntityListResponse(Value):
    """A part of the entities, the one changed last first."""

    items: tuple[Entity, ...]
    total_count: int


class EntityListFilter(Value):
    """Which entities are meant; `keyword` looks in names, aliases and descriptions."""

    type: TypeWord | None = None
    ai_context_level: AiContextLevel | None = None
    keyword: Annotated[Text, Field(max_length=256)] | None = None


class KnowledgeEntityListRequest(Request[KnowledgeEntityListResponse]):
    """A part of the entities of a story."""

    filter: EntityListFilter = EntityListFilter()
    limit: Limit = 1000
    offset: Offset = 0


@operation("entity.create", role=Role.EDITOR, channel="knowledge:entity:create", begins=True)
@repeatable
def create_entity(call: Call, request: KnowledgeEntityCreateRequest) -> KnowledgeEntityCreateResponse:
    """Create an entity; a name that its type already has is refused."""
    profile = profile_of(request.attributes)
    check_attribute_count(profile.attributes, call.limits.max_attribute_keys)
    with call.store.write(
        request.project_id,
        action="knowledge:entity:create",
        actor=call.actor,
        begin=lambda: story_under(call, request.project_id),
    ) as writer:
        ontology = story_ontology(writer, writer.project_id)
        entity = new_entity(writer, call.clock.new_id(), request, ontology)
        refuse_duplicate(writer, entity)
        writer.add([entity])
        keep_relations(call, writer, {entity.id: profile})
        writer.settle()
        entity = existing_entity(writer, writer.project_id, entity.id)
        return KnowledgeEntityCreateResponse.trusted(**_alone(writer, entity))


@operation("entity.read", role=Role.READER, channel="knowledge:entity:read")
def read_entity(call: Call, request: KnowledgeEntityReadRequest) -> KnowledgeEntityReadResponse:
    """Read an entity."""
    with call.store.read() as reader:
        entity = existing_entity(reader, request.project_id, request.id)
        return KnowledgeEntityReadResponse.trusted(**_alone(reader, entity))


@operation("entity.update", role=Role.EDITOR, channel="knowledge:entity:update")
@repeatable
def update_entity(call: Call, request: KnowledgeEntityUpdateRequest) -> KnowledgeEntityUpdateResponse:
    """Change an entity, unless somebody else changed it first."""
    with call.store.write(request.project_id, action="knowledge:entity:update", actor=call.actor) as writer:
        before = existing_entity(writer, request.project_id, request.id)
        refuse_stale(before, request.expected_version)
        after = patched(before, _typed(writer, before, request.patch))
        if not is_same(after, before):
            check_attribute_count(after.attributes, call.limits.max_attribute_keys)
            refuse_duplicate(writer, after)
            refuse_backward(after)
            rename_entry_with(writer, before, after)
            after = touched(writer, after)
            writer.replace([(before, after)])
        keep_relations(call, writer, {after.id: profile_of(request.patch.attributes or {})})
        writer.settle()
        after = existing_entity(writer, request.project_id, after.id)
        return KnowledgeEntityUpdateResponse.trusted(**_alone(writer, after))


@operation("entity.delete", role=Role.EDITOR, channel="knowledge:entity:delete")
@repeatable
def delete_entity(call: Call, request: KnowledgeEntityDeleteRequest) -> KnowledgeEntityDeleteResponse:
    """Delete an entity together with its relations, and say how many went."""
    with call.store.write(request.project_id, action="knowledge:entity:delete", actor=call.actor) as writer:
        entity = existing_entity(writer, request.project_id, request.id)
        if request.expected_version is not None:
            refuse_stale(entity, request.expected_version)
        relation_count = remove_whole_entity(writer, entity)
    return KnowledgeEntityDeleteResponse(deleted_relation_count=relation_count)


@operation("entity.list", role=Role.READER, channel="knowledge:entity:list")
def list_entities(call: Call, request: KnowledgeEntityListRequest) -> KnowledgeEntityListResponse:
    """List entities, the one changed last first."""
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
    """An entity as it is shown by itself: its outgoing relations are a part of its attributes."""
    return {**dict(entity), "attributes": shown_profile(reader, entity)}


def new_entity(writer: Writer, entity_id: str, fields: EntityFields, ontology: Ontology) -> Entity:
    """The entity that the fields describe, before it is kept."""
    attributes = profile_of(fields.attributes).attributes
    return Entity.trusted(
        id=entity_id,
        project_id=writer.project_id,
        type=ontology.entity_type(fields.type),
        name=fields.name,
        description=fields.description,
        attributes=attributes,
        aliases=aliases_beside(fields.name, fields.aliases),
        ai_context_level=fields.ai_context_level,
        significance=fields.significance,
        layout_x=fields.layout_x,
        layout_y=fields.layout_y,
        prompt_text=prompt_text(fields.description, attributes),
        since=fields.since,
        until=fields.until,
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def _typed(writer: Writer, entity: Entity, patch: EntityPatch) -> EntityPatch:
    """The patch with the type as it is kept; a type that the ontology has lost may stay."""
    if patch.type is None:
        return patch
    is_same_type = name_key(patch.type) == entity.type
    ontology = story_ontology(writer, writer.project_id)
    return patch.model_copy(
        update={"type": entity.type if is_same_type else ontology.entity_type(patch.type)}
    )


def patched(entity: Entity, patch: EntityPatch) -> Entity:
    """The entity with the patch applied, at the same version."""
    changes = patch.given()
    if "attributes" in changes:
        changes["attributes"] = profile_of(changes["attributes"]).attributes
    after = entity.model_copy(update=changes)
    told = entity.prompt_text
    if (after.description, after.attributes) != (entity.description, entity.attributes):
        told = prompt_text(after.description, after.attributes)
    return after.model_copy(
        update={"aliases": aliases_beside(after.name, after.aliases), "prompt_text": told}
    )


def refuse_backward(entity: Entity) -> None:
    """Refuse an entity that leaves the story before it enters it."""
    if not Period.is_forward(entity.since, entity.until):
        raise InvalidInput(
            f"'{entity.name}' would leave the story before it enters it.",
            details={"field": "until"},
            suggestion="Give an `until` that is not before `since`.",
        )


def refuse_stale(entity: Entity, expected_version: int) -> None:
    """Refuse a change to an entity that has changed since it was read."""
    if entity.version == expected_version:
        return
    raise EntityConflict(
        f"'{entity.name}' is at version {entity.version}, not at version {expected_version}: "
        "it was changed by somebody else.",
        details={
            "expectedVersion": expected_version,
            "latestVersion": entity.version,
            "latestSnapshot": entity.model_dump(mode="json", by_alias=True),
        },
    )


def refuse_duplicate(reader: Reader, entity: Entity) -> None:
    """Refuse a second entity of the same type and name."""
    for other in reader.entities_named(entity.project_id, [name_key(entity.name)]):
        if other.type == entity.type and other.id != entity.id:
            raise EntityDuplicate(
                f"There is a {entity.type} named '{other.name}' already.",
                details={"existingId": other.id, "type": other.type, "name": other.name},
            )
