"""Relations: create, update, delete, list, and the words for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.relation_fields import RelationFields, RelationPatch, changes_of, told_fields
from fabula.canon.scope import existing_relation, foreign_ids
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import Conflict, RelationInvalid
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.moment import first_instant
from fabula.model.ontology import relation_type
from fabula.model.participation import ROLE, Participation, event_of
from fabula.model.relation import Language, Period, Relation, RelationType
from fabula.model.wire import Id, RelationWord, Value, is_same
from fabula.operations.table import Request, operation
from fabula.store.failures import repeatable
from fabula.store.reader import Reader, RelationFilter
from fabula.store.writer import Change, Writer


class KnowledgeRelationCreateResponse(Relation):
    """The new relation."""


class KnowledgeRelationCreateRequest(RelationFields, Request[KnowledgeRelationCreateResponse]):
    """A new relation. A word that the story does not know yet becomes a relation type of its own."""

    source_entity_id: Id
    target_entity_id: Id


class KnowledgeRelationUpdateResponse(Relation):
    """The relation after the change."""


class KnowledgeRelationUpdateRequest(Request[KnowledgeRelationUpdateResponse]):
    """A change to a relation; with `expectedVersion` it is refused if somebody else was first."""

    id: Id
    expected_version: Version | None = None
    patch: RelationPatch


class KnowledgeRelationDeleteResponse(Value):
    """What went."""

    deleted: Literal[True] = True


class KnowledgeRelationDeleteRequest(Request[KnowledgeRelationDeleteResponse]):
    """A relation that is to go; its entities stay."""

    id: Id


class KnowledgeRelationListResponse(Value):
    """A part of the relations, the one changed last first."""

    items: tuple[Relation, ...]
    total_count: int


class RelationListFilter(Value):
    """Which relations are meant; `entityId` is at either end."""

    relation_type: RelationWord | None = None
    entity_id: Id | None = None
    source_entity_id: Id | None = None
    target_entity_id: Id | None = None


class KnowledgeRelationListRequest(Request[KnowledgeRelationListResponse]):
    """A part of the relations of a story."""

    filter: RelationListFilter = RelationListFilter()
    limit: Limit = 1000
    offset: Offset = 0


class KnowledgeRelationTypeListResponse(Value):
    """The words for relations that the story knows, built-in ones first."""

    items: tuple[RelationType, ...]
    total_count: int


class KnowledgeRelationTypeListRequest(Request[KnowledgeRelationTypeListResponse]):
    """The relation types of a story, with `label` in the language asked for, else in the story's."""

    language: Annotated[Language | None, Field(default=None)]


@operation("relation.create", role=Role.EDITOR, channel="knowledge:relation:create")
@repeatable
def create_relation(call: Call, request: KnowledgeRelationCreateRequest) -> KnowledgeRelationCreateResponse:
    """Relate two entities of the story."""
    project_id = request.project_id
    with call.store.write(project_id, action="knowledge:relation:create", actor=call.actor) as writer:
        refuse_bad_ends(writer, project_id, request.source_entity_id, request.target_entity_id)
        relation = new_relation(
            writer, call.clock.new_id(), request.source_entity_id, request.target_entity_id, request
        )
        refuse_same_relation(writer, relation)
        register_types(call, writer, [(relation.relation_type, request.relation_type)])
        writer.add([relation])
        return KnowledgeRelationCreateResponse.trusted(**_as_kept(writer, relation))


@operation("relation.update", role=Role.EDITOR, channel="knowledge:relation:update")
@repeatable
def update_relation(call: Call, request: KnowledgeRelationUpdateRequest) -> KnowledgeRelationUpdateResponse:
    """Change what is said of a relation; to join others, create a new one."""
    patch, project_id = request.patch, request.project_id
    with call.store.write(project_id, action="knowledge:relation:update", actor=call.actor) as writer:
        before = existing_relation(writer, project_id, request.id)
        refuse_stale_version("The relation", before.version, request.expected_version, before)
        after = before.model_copy(update=changes_of(before, patch))
        if not is_same(after, before):
            refuse_backward_period(after)
            refuse_same_relation(writer, after)
            if patch.relation_type is not None:
                register_types(call, writer, [(after.relation_type, patch.relation_type)])
            after = touched(writer, after)
            writer.replace([(before, after)])
        return KnowledgeRelationUpdateResponse.trusted(**_as_kept(writer, after))


@operation("relation.delete", role=Role.EDITOR, channel="knowledge:relation:delete")
@repeatable
def delete_relation(call: Call, request: KnowledgeRelationDeleteRequest) -> KnowledgeRelationDeleteResponse:
    """Delete a relation; its entities stay."""
    project_id = request.project_id
    with call.store.write(project_id, action="knowledge:relation:delete", actor=call.actor) as writer:
        writer.remove([existing_relation(writer, project_id, request.id)])
    return KnowledgeRelationDeleteResponse()


@operation("relation.list", role=Role.READER, channel="knowledge:relation:list")
def list_relations(call: Call, request: KnowledgeRelationListRequest) -> KnowledgeRelationListResponse:
    """List relations, the one changed last first."""
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
    """List the words for relations, with their Chinese and English labels."""
    with call.store.read() as reader:
        language = request.language or reader.story(request.project_id).language
        types = reader.relation_types(request.project_id)
    items = tuple(kind.model_copy(update={"label": kind.labels.get(language, kind.label)}) for kind in types)
    return KnowledgeRelationTypeListResponse.trusted(items=items, total_count=len(items))


def _as_kept(writer: Writer, relation: Relation) -> dict[str, Any]:
    """The fields of a relation after it was written: what is a role in an event shows the event's version."""
    writer.settle()
    kept = existing_relation(writer, writer.project_id, relation.id)
    return {name: getattr(kept, name) for name in Relation.model_fields}


def new_relation(
    writer: Writer, relation_id: str, source: str, target: str, fields: RelationFields
) -> Relation:
    """The relation that the fields describe, before it is kept."""
    relation = Relation.trusted(
        id=relation_id,
        project_id=writer.project_id,
        source_entity_id=source,
        target_entity_id=target,
        relation_type=relation_type(fields.relation_type),
        **told_fields(fields),
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )
    refuse_backward_period(relation)
    return relation


def register_types(call: Call, writer: Writer, words: Iterable[tuple[str, str]]) -> None:
    """Make relation types of the words (key, as written) that the story does not know yet."""
    known = {kind.key for kind in writer.relation_types(writer.project_id)}
    fresh = {key: word for key, word in words if key not in known}
    writer.add(
        [
            RelationType.trusted(
                id=call.clock.new_id(),
                project_id=writer.project_id,
                key=key,
                label=word,
                labels={"zh": word, "en": word},
                builtin=False,
                created_at=writer.now,
            )
            for key, word in fresh.items()
        ]
    )


def refuse_bad_ends(reader: Reader, project_id: str, source: str, target: str) -> None:
    """Refuse a relation from an entity to itself, to nobody, or to another story."""
    if source == target:
        raise RelationInvalid(
            "An entity cannot be related to itself.",
            details={"reason": "self_loop", "entityId": source},
            suggestion="Choose two different entities; say what concerns one alone in its attributes.",
        )
    found = reader.entities(project_id, [source, target])
    missing = [entity_id for entity_id in (source, target) if entity_id not in found]
    if not missing:
        return
    raise bad_ends(reader, project_id, missing)


def bad_ends(reader: Reader, project_id: str, missing: list[str]) -> RelationInvalid:
    """The refusal of a relation whose ends the story does not have."""
    foreign = foreign_ids(reader, project_id, missing)
    return RelationInvalid(
        "A relation joins two entities of one story; "
        + ("some of these belong to another." if foreign else "some of these do not exist."),
        details={
            "reason": "foreign_entity" if foreign else "missing_entity",
            "missingEntityIds": [entity_id for entity_id in missing if entity_id not in foreign],
            "foreignEntityIds": foreign,
        },
    )


def refuse_same_relation(reader: Reader, relation: Relation) -> None:
    """Refuse a relation that says what another says already, from the same moment on."""
    identity = relation_identity(relation)
    ends = (relation.source_entity_id, relation.target_entity_id)
    for other in reader.relations_between(relation.project_id, *ends):
        is_same = other.id != relation.id and relation_identity(other) == identity
        if is_same and not _are_two_roles(relation, other):
            raise same_relation(other)


def _are_two_roles(one: Relation, other: Relation) -> bool:
    """Whether these are two parts that somebody has in an event."""
    words = {str(relation.properties.get(ROLE) or "") for relation in (one, other)}
    return isinstance(other, Participation) and len(words) == 2 and "" not in words


def same_relation(known: Relation) -> Conflict:
    """The refusal of a relation that is there already."""
    return Conflict(
        f"This '{known.relation_type}' relation exists already.",
        details={"existingId": known.id},
        suggestion="Update the existing relation, or give the new one another `since`.",
    )


def refuse_broken_relations(writer: Writer, changes: Iterable[Change]) -> None:
    """Refuse changes after which a relation stands twice or has a word that the story does not know."""
    changes = list(changes)
    _refuse_broken_roles(writer, [change.row_id for change in changes if change.kind.name == "event_role"])
    rows = [change for change in changes if change.kind.name == "relation"]
    words = [change for change in changes if change.kind.name == "relation_type"]
    touched = writer.relations(writer.project_id, [change.row_id for change in rows]).values()
    sources = {relation.source_entity_id for relation in touched}
    held = writer.relations_from(writer.project_id, sources)
    said = Counter(relation_identity(one) for one in held if not isinstance(one, Participation))
    known = {kind.key for kind in writer.relation_types(writer.project_id)}
    for relation in touched:
        if said[relation_identity(relation)] > 1 or relation.relation_type not in known:
            raise _later_steps_depend(relation.id)
    for key in {change.before["key"] for change in words if change.before} - known:
        for relation in writer.relation_page(writer.project_id, RelationFilter(key), 1, 0).items:
            raise _later_steps_depend(relation.id)


def _refuse_broken_roles(writer: Writer, ids: list[str]) -> None:
    """Refuse changes after which somebody would be the same in an event twice."""
    touched = writer.links.of_ids(writer.project_id, ids).values()
    events = {event_of(role) for role in touched}
    said = Counter(_role_identity(role) for role in writer.links.at(writer.project_id, events))
    for role in touched:
        if said[_role_identity(role)] > 1:
            raise _later_steps_depend(role.id)


def _role_identity(role: Participation) -> tuple[Any, ...]:
    return (*relation_identity(role), role.properties.get(ROLE, ""))


def _later_steps_depend(relation_id: str) -> Conflict:
    return Conflict(
        "This cannot be taken back or brought back: a relation would stand twice, or without its word.",
        details={"kind": "relation", "id": relation_id},
        suggestion="Undo the later steps first.",
    )


def relation_identity(relation: Relation) -> tuple[str, str, str, int]:
    """What makes a relation the same relation: its ends, its word, its beginning."""
    return (
        relation.source_entity_id,
        relation.target_entity_id,
        relation.relation_type,
        first_instant(relation.since),
    )


def refuse_backward_period(relation: Relation) -> None:
    """Refuse a relation that ends before it begins."""
    if not Period.is_forward(relation.since, relation.until):
        raise RelationInvalid(
            "The relation would end before it begins.",
            details={"reason": "backward_period"},
            suggestion="Give an `until` that is not before `since`.",
        )
