"""Knowings: who knows which fact, since when, and how."""

from __future__ import annotations

from typing import Literal

from fabula.call import Call
from fabula.canon.knowing import KnowingFields, existing_knowing, remove, save
from fabula.canon.scope import existing_entity
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.bounds import Limit, Offset, Version
from fabula.model.fact import KeptKind
from fabula.model.knowing import Knowing
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation


class KnowledgeKnowingCreateResponse(Knowing):
    """The new knowing."""


class KnowledgeKnowingCreateRequest(KnowingFields, Request[KnowledgeKnowingCreateResponse]):
    """Somebody knows a fact, believes something else, or does not know it although they took part."""


class KnowledgeKnowingUpdateResponse(Knowing):
    """The knowing after the change."""


class KnowledgeKnowingUpdateRequest(KnowingFields, Request[KnowledgeKnowingUpdateResponse]):
    """The new content of a knowing; with `expectedVersion` it is refused if it has changed meanwhile."""

    id: Id
    expected_version: Version | None = None


class KnowledgeKnowingDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeKnowingDeleteRequest(Request[KnowledgeKnowingDeleteResponse]):
    """A knowing to delete."""

    id: Id


class KnowledgeKnowingListResponse(Value):
    """Knowings, the oldest first."""

    items: tuple[Knowing, ...]
    total_count: int


class KnowledgeKnowingListRequest(Request[KnowledgeKnowingListResponse]):
    """The stored knowings of a story, of one knower, or of one fact (`kind` and `factId`)."""

    knower_id: Id | None = None
    kind: KeptKind | None = None
    fact_id: Id | None = None
    limit: Limit = 1_000
    offset: Offset = 0


@operation("knowing.create", role=Role.EDITOR, channel="knowledge:knowing:create")
@in_step("knowledge:knowing:create")
def create_knowing(step: Step, request: KnowledgeKnowingCreateRequest) -> KnowledgeKnowingCreateResponse:
    """Note that somebody knows a fact, believes something else, or does not know it."""
    return KnowledgeKnowingCreateResponse.trusted(**dict(save(step, None, request)))


@operation("knowing.update", role=Role.EDITOR, channel="knowledge:knowing:update")
@in_step("knowledge:knowing:update")
def update_knowing(step: Step, request: KnowledgeKnowingUpdateRequest) -> KnowledgeKnowingUpdateResponse:
    """Change a knowing."""
    before = existing_knowing(step, request.project_id, request.id)
    refuse_stale_version("The knowing", before.version, request.expected_version, before)
    return KnowledgeKnowingUpdateResponse.trusted(**dict(save(step, before, request)))


@operation("knowing.delete", role=Role.EDITOR, channel="knowledge:knowing:delete")
@in_step("knowledge:knowing:delete")
def delete_knowing(step: Step, request: KnowledgeKnowingDeleteRequest) -> KnowledgeKnowingDeleteResponse:
    """Delete a knowing."""
    remove(step, existing_knowing(step, request.project_id, request.id))
    return KnowledgeKnowingDeleteResponse()


@operation("knowing.list", role=Role.READER, channel="knowledge:knowing:list")
def list_knowings(call: Call, request: KnowledgeKnowingListRequest) -> KnowledgeKnowingListResponse:
    """List the stored knowings, the oldest first."""
    if (request.kind is None) != (request.fact_id is None):
        raise InvalidInput("A fact is given by kind and factId.", details={"field": "factId"})
    with call.store.read() as reader:
        reader.story(request.project_id)
        if request.knower_id is not None:
            existing_entity(reader, request.project_id, request.knower_id)
            found = reader.knowings.of_knowers(request.project_id, [request.knower_id])
        elif request.kind is not None and request.fact_id is not None:
            found = reader.knowings.of_facts(request.project_id, request.kind, [request.fact_id])
        else:
            found = reader.knowings.all_of(request.project_id)
    if request.knower_id is not None and request.kind is not None:
        found = tuple(one for one in found if (one.fact.kind, one.fact.id) == (request.kind, request.fact_id))
    page = found[request.offset : request.offset + request.limit]
    return KnowledgeKnowingListResponse.trusted(items=page, total_count=len(found))
