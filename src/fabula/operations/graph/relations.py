"""Operations on relations: create, update, delete, list, and list their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.relation import kept, new_relation, refuse_bad_ends, remove, save
from fabula.canon.relation_fields import RelationFields, RelationPatch, changes_of
from fabula.canon.scope import existing_relation
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.ontology import relation_type
from fabula.model.relation import Language, Relation, RelationType
from fabula.model.wire import Id, RelationWord, Value
from fabula.operations.table import Request, operation
from fabula.store.reader import RelationFilter


class KnowledgeRelationCreateResponse(Relation):
    """The new relation."""


class KnowledgeRelationCreateRequest(RelationFields, Request[KnowledgeRelationCreateResponse]):
    """A new relation; a type that the story does not know yet is added to its relation types."""

    source_entity_id: Id
    target_entity_id: Id


class KnowledgeRelationUpdateResponse(Relation):
    """The relation after the change."""


class KnowledgeRelationUpdateRequest(Request[KnowledgeRelationUpdateResponse]):
    """A change to a relation; with `expectedVersion` it is refused if the relation has changed meanwhile."""

    id: Id
    expected_version: Version | None = None
    patch: RelationPatch


class KnowledgeRelationDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeRelationDeleteRequest(Request[KnowledgeRelationDeleteResponse]):
    """A relation to delete; its entities stay."""

    id: Id


class KnowledgeRelationListResponse(Value):
    """A page of relations, the most recently changed first."""

    items: tuple[Relation, ...]
    total_count: int


class RelationListFilter(Value):
    """Which relations to list; `entityId` matches either end."""

    relation_type: RelationWord | None = None
    entity_id: Id | None = None
    source_entity_id: Id | None = None
    target_entity_id: Id | None = None


class KnowledgeRelationListRequest(Request[KnowledgeRelationListResponse]):
    """A page of the relations of a story."""

    filter: RelationListFilter = RelationListFilter()
    limit: Limit = 1000
    offset: Offset = 0


class KnowledgeRelationTypeListResponse(Value):
    """The relation types of the story, built-in ones first."""

    items: tuple[RelationType, ...]
    total_count: int


class KnowledgeRelationTypeListRequest(Request[KnowledgeRelationTypeListResponse]):
    """The relation types of a story, with `label` in the requested language or else in the story's."""

    language: Annotated[Language | None, Field(default=None)]


@operation("relation.create", role=Role.EDITOR, channel="knowledge:relation:create")
@in_step("knowledge:relation:create")
def create_relation(step: Step, request: KnowledgeRelationCreateRequest) -> KnowledgeRelationCreateResponse:
    """Create a relation between two entities of the story."""
    ends = (request.source_entity_id, request.target_entity_id)
    refuse_bad_ends(step, *ends, relation_type(request.relation_type))
    relation = save(step, None, new_relation(step, *ends, request), request.relation_type)
    return KnowledgeRelationCreateResponse.trusted(**_as_kept(step, relation))


@operation("relation.update", role=Role.EDITOR, channel="knowledge:relation:update")
@in_step("knowledge:relation:update")
def update_relation(step: Step, request: KnowledgeRelationUpdateRequest) -> KnowledgeRelationUpdateResponse:
    """Change a relation's fields; its ends cannot change."""
    before = existing_relation(step, request.project_id, request.id)
    refuse_stale_version("The relation", before.version, request.expected_version, before)
    after = before.model_copy(update=changes_of(step, before, request.patch))
    after = save(step, before, after, request.patch.relation_type)
    return KnowledgeRelationUpdateResponse.trusted(**_as_kept(step, after))


@operation("relation.delete", role=Role.EDITOR, channel="knowledge:relation:delete")
@in_step("knowledge:relation:delete")
def delete_relation(step: Step, request: KnowledgeRelationDeleteRequest) -> KnowledgeRelationDeleteResponse:
    """Delete a relation; its entities stay."""
    remove(step, [existing_relation(step, request.project_id, request.id)])
    return KnowledgeRelationDeleteResponse()


@operation("relation.list", role=Role.READER, channel="knowledge:relation:list")
def list_relations(call: Call, request: KnowledgeRelationListRequest) -> KnowledgeRelationListResponse:
    """List relations, the most recently changed first."""
    wanted = request.filter
    with call.store.read() as reader:
        reader.story(request.project_id)
        page = reader.relation_page(
            request.project_id,
            RelationFilter(
                relation_type=None if wanted.relation_type is None else relation_type(wanted.relation_type),
                entity=wanted.entity_id,
                source=wanted.source_entity_id,
                target=wanted.target_entity_id,
            ),
            request.limit,
            request.offset,
        )
    return KnowledgeRelationListResponse.trusted(items=page.items, total_count=page.total)


@operation("relationtype.list", role=Role.READER, channel="knowledge:relationtype:list")
def list_relation_types(
    call: Call, request: KnowledgeRelationTypeListRequest
) -> KnowledgeRelationTypeListResponse:
    """List the relation types, with their Chinese and English labels."""
    with call.store.read() as reader:
        language = request.language or reader.story(request.project_id).language
        types = reader.relation_types(request.project_id)
    items = tuple(kind.model_copy(update={"label": kind.labels.get(language, kind.label)}) for kind in types)
    return KnowledgeRelationTypeListResponse.trusted(items=items, total_count=len(items))


def _as_kept(step: Step, relation: Relation) -> dict[str, Any]:
    """Return the fields of a relation after all consequences of saving it."""
    after = kept(step, relation)
    return {name: getattr(after, name) for name in Relation.model_fields}
