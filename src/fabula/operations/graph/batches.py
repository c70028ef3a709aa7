"""Saving many entities and relations in one step, up to a whole story in one call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon import entity, relation
from fabula.canon.entity import EntityFields, EntityPatch
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import Profile, keep_relations
from fabula.canon.relation import RelationIdentity, relation_identity
from fabula.canon.relation_fields import RelationFields, told_fields
from fabula.canon.step import Step, in_step
from fabula.collector import collector_paused
from fabula.errors import Conflict, EntityDuplicate, FabulaError, InvalidInput, RelationInvalid
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.names import name_key
from fabula.model.parsing import SHOWN_ERRORS
from fabula.model.relation import Relation
from fabula.model.validity import WHEN
from fabula.model.wire import Id, Name, Value, is_same
from fabula.operations.table import Request, operation

CHUNK = 20_000


class BatchEntity(EntityFields):
    """An entity of a batch; with an explicit id, relations of the same batch can refer to it."""

    id: Id | None = None


class BatchRelation(RelationFields):
    """A relation of a batch; its ends are given by id, or by name where that is unambiguous."""

    id: Id | None = None
    source_entity_id: Id | None = None
    target_entity_id: Id | None = None
    source_name: Name | None = None
    target_name: Name | None = None


class KnowledgeBatchUpsertResponse(Value):
    """How many were created and updated, and the ids in request order."""

    created_entity_count: int
    updated_entity_count: int
    created_relation_count: int
    updated_relation_count: int
    entity_ids: tuple[str, ...]
    relation_ids: tuple[str, ...]


class KnowledgeBatchUpsertRequest(Request[KnowledgeBatchUpsertResponse]):
    """Entities and relations to save in one step, all of them or none.

    With mode `upsert`, an entity with a known type and name, or a relation with known ends, type and
    beginning, is updated with the given fields; with mode `create` it is refused.
    """

    mode: Literal["create", "upsert"] = "upsert"
    entities: Annotated[tuple[BatchEntity, ...], Field(max_length=1_000_000)] = ()
    relations: Annotated[tuple[BatchRelation, ...], Field(max_length=1_000_000)] = ()


@operation("batch.upsert", role=Role.EDITOR, channel="knowledge:batch:upsert", begins=True)
def upsert_batch(call: Call, request: KnowledgeBatchUpsertRequest) -> KnowledgeBatchUpsertResponse:
    """Create or update many entities and relations in one step."""
    with collector_paused():
        return _upserted(call, request)


@in_step("knowledge:batch:upsert", begins=True)
def _upserted(step: Step, request: KnowledgeBatchUpsertRequest) -> KnowledgeBatchUpsertResponse:
    entities = _EntityBatch(step, request)
    entity.save_all(step, entities.created, entities.updated)
    relations = _RelationBatch(step, request, entities)
    relation.save_all(step, relations.created, relations.updated, relations.words)
    kept = keep_relations(step, entities.profiles)
    return KnowledgeBatchUpsertResponse.trusted(
        created_entity_count=len(entities.created),
        updated_entity_count=len(entities.updated),
        created_relation_count=len(relations.created) + kept.created,
        updated_relation_count=len(relations.updated) + kept.updated,
        entity_ids=tuple(entities.ids),
        relation_ids=tuple(relations.ids),
    )


class _Problems:
    """The problems of a batch, collected so that all of them can be fixed at once."""

    def __init__(self) -> None:
        self.found: list[tuple[str, FabulaError]] = []

    def add(self, path: str, error: FabulaError) -> None:
        self.found.append((path, error))

    def refuse(self) -> None:
        """Raise the first problem, with all of them in its details."""
        if not self.found:
            return
        path, first = self.found[0]
        errors = [
            {"path": where, "code": error.code, "message": error.message}
            for where, error in self.found[:SHOWN_ERRORS]
        ]
        raise type(first)(
            f"{path}: {first.message}",
            details={**(first.details or {}), "errors": errors, "errorCount": len(self.found)},
            suggestion=first.suggestion,
        )


class _EntityBatch:
    """The entities of a batch, sorted into new and existing ones."""

    def __init__(self, step: Step, request: KnowledgeBatchUpsertRequest) -> None:
        self.created: list[Entity] = []
        self.updated: list[tuple[Entity, Entity]] = []
        self.ids: list[str] = []
        self.profiles: dict[str, Profile] = {}
        self.problems = _Problems()
        self._step, self._mode = step, request.mode
        self._ontology = story_ontology(step, step.project_id)
        keys = [name_key(item.name) for item in request.entities]
        known = step.entities_named(step.project_id, set(keys)) if step.entity_count else ()
        self._by_identity = {(one.type, name_key(one.name)): one for one in known}
        self._taken = set(step.entities(step.project_id, [i.id for i in request.entities if i.id]))
        self._seen: dict[tuple[str, str], int] = {}
        for number, (item, key) in enumerate(zip(request.entities, keys, strict=True)):
            try:
                self._take(number, item, key)
            except FabulaError as error:
                self.problems.add(f"entities[{number}]", error)
        self.problems.refuse()

    def _take(self, number: int, item: BatchEntity, key: str) -> None:
        new, profile = entity.drafted(self._step, item, self._ontology, item.id)
        entity.check(self._step, None, new)
        identity = (new.type, key)
        if (first := self._seen.setdefault(identity, number)) != number:
            raise EntityDuplicate(
                f"'{item.name}' stands in the batch twice.", details={"firstPath": f"entities[{first}]"}
            )
        known = self._by_identity.get(identity)
        if known is not None and self._mode == "create":
            raise EntityDuplicate(
                f"There is a {known.type} named '{known.name}' already.", details={"existingId": known.id}
            )
        if known is not None:
            self._update(known, item)
            self._speaks(known.id, profile)
            return
        if new.id in self._taken:
            raise InvalidInput(f"The id '{new.id}' is taken.", details={"id": new.id})
        self._taken.add(new.id)
        self.ids.append(new.id)
        self.created.append(new)
        self._speaks(new.id, profile)

    def _speaks(self, entity_id: str, profile: Profile) -> None:
        if profile.relations or profile.parted:
            self.profiles[entity_id] = profile

    def _update(self, known: Entity, item: BatchEntity) -> None:
        if item.id is not None and item.id != known.id:
            raise InvalidInput(
                f"'{known.name}' has the id '{known.id}' already.", details={"existingId": known.id}
            )
        given = {field: getattr(item, field) for field in item.model_fields_set - {"id", "type", "name"}}
        self.ids.append(known.id)
        if not given:
            return
        patch = EntityPatch.model_construct(_fields_set=set(given), **given)
        after = entity.patched(self._step, known, patch).entity
        if not is_same(after, known):
            entity.check(self._step, known, after)
            self.updated.append((known, after))


class _RelationBatch:
    """The relations of a batch, sorted into new and existing ones, with their ends resolved."""

    def __init__(self, step: Step, request: KnowledgeBatchUpsertRequest, entities: _EntityBatch) -> None:
        self.created: list[Relation] = []
        self.updated: list[tuple[Relation, Relation]] = []
        self.ids: list[str] = []
        self.words: dict[str, str] = {}
        self._seen: dict[RelationIdentity, int] = {}
        self._step, self._mode = step, request.mode
        self._fresh = {one.id for one in entities.created}
        self._ids_named = self._resolve_names(request.relations)
        self._present = self._fresh | set(step.entities(step.project_id, self._older_ends(request.relations)))
        self._known = self._known_relations()
        self._taken = set(step.relations(step.project_id, [i.id for i in request.relations if i.id]))
        problems = _Problems()
        for number, item in enumerate(request.relations):
            try:
                self._take(number, item)
            except FabulaError as error:
                problems.add(f"relations[{number}]", error)
        problems.refuse()

    def _resolve_names(self, items: Iterable[BatchRelation]) -> dict[str, list[str]]:
        named: dict[str, list[str]] = {}
        wanted = {name_key(name) for item in items for name in (item.source_name, item.target_name) if name}
        if wanted:
            for one in self._step.entities_named(self._step.project_id, wanted):
                named.setdefault(name_key(one.name), []).append(one.id)
        return named

    def _older_ends(self, items: Iterable[BatchRelation]) -> set[str]:
        ends: set[str] = {key for keys in self._ids_named.values() for key in keys}
        for item in items:
            ends.update(key for key in (item.source_entity_id, item.target_entity_id) if key)
        return ends - self._fresh

    def _known_relations(self) -> dict[RelationIdentity, Relation]:
        older = sorted(self._present - self._fresh)
        return {
            relation_identity(one): one
            for part in _chunks(older)
            for one in self._step.relations_from(self._step.project_id, part)
        }

    def _end(self, entity_id: str | None, name: str | None, which: str) -> str:
        if (entity_id is None) == (name is None):
            raise InvalidInput(f"Give {which}EntityId or {which}Name, one of them.", details={"field": which})
        if entity_id is not None:
            if entity_id not in self._present:
                raise relation.bad_ends(self._step, self._step.project_id, [entity_id])
            return entity_id
        found = self._ids_named.get(name_key(name or ""), [])
        if len(found) != 1:
            raise RelationInvalid(
                f"{len(found)} entities are named '{name}'.",
                details={"reason": "ambiguous_name" if found else "missing_entity", "candidates": found},
                suggestion="Give the id of the one that is meant." if found else None,
            )
        return found[0]

    def _take(self, number: int, item: BatchRelation) -> None:
        source = self._end(item.source_entity_id, item.source_name, "source")
        target = self._end(item.target_entity_id, item.target_name, "target")
        if source == target:
            raise RelationInvalid(
                "An entity cannot be related to itself.", details={"reason": "self_loop", "entityId": source}
            )
        new = relation.new_relation(self._step, source, target, item, item.id)
        self.words.setdefault(new.relation_type, item.relation_type)
        identity = relation_identity(new)
        if (first := self._seen.setdefault(identity, number)) != number:
            raise Conflict(
                f"This '{new.relation_type}' relation stands in the batch twice.",
                details={"firstPath": f"relations[{first}]"},
                suggestion="Leave one of them out, or give it another `since`.",
            )
        known = self._known.get(identity)
        if known is None:
            self._create(new)
            return
        if self._mode == "create":
            raise relation.same_relation(known)
        self._update(known, item)

    def _create(self, new: Relation) -> None:
        if new.id in self._taken:
            raise InvalidInput(f"The id '{new.id}' is taken.", details={"id": new.id})
        self._taken.add(new.id)
        self.ids.append(new.id)
        self.created.append(new)

    def _update(self, known: Relation, item: BatchRelation) -> None:
        self.ids.append(known.id)
        given = item.model_fields_set & {"description", "properties", *WHEN}
        said = told_fields(self._step, self._step.project_id, item) if given else {}
        told = given | {name for name in ("description", "since", "until") if said.get(name)}
        after = known.model_copy(update={name: said[name] for name in told})
        if not is_same(after, known):
            relation.refuse_backward_period(after)
            self.updated.append((known, after))


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    for begin in range(0, len(ids), CHUNK):
        yield ids[begin : begin + CHUNK]
