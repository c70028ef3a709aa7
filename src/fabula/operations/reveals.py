"""Operations on reveals: two entities that turn out to be one."""

from __future__ import annotations

from typing import Literal

from fabula.call import Call
from fabula.canon.reveal import change, create, existing_reveal, remove
from fabula.canon.step import Step, in_step
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.reveal import Reveal, RevealFields, RevealPatch
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation


class KnowledgeRevealListResponse(Value):
    """The reveals of a story, in the order of their moments."""

    items: tuple[Reveal, ...]
    total_count: int


class KnowledgeRevealListRequest(Request[KnowledgeRevealListResponse]):
    """The reveals of a story."""


class KnowledgeRevealCreateResponse(Reveal):
    """The new reveal."""


class KnowledgeRevealCreateRequest(RevealFields, Request[KnowledgeRevealCreateResponse]):
    """Two entities that turn out to be one at a moment."""


class KnowledgeRevealUpdateResponse(Reveal):
    """The reveal after the change."""


class KnowledgeRevealUpdateRequest(RevealPatch, Request[KnowledgeRevealUpdateResponse]):
    """A change to a reveal; with `expectedVersion` it is refused if the reveal has changed meanwhile."""

    id: Id
    expected_version: Version | None = None

    def patch(self) -> RevealPatch:
        """The fields to change."""
        return RevealPatch(**{k: v for k, v in self.given().items() if k in RevealPatch.model_fields})


class KnowledgeRevealDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeRevealDeleteRequest(Request[KnowledgeRevealDeleteResponse]):
    """A reveal to delete."""

    id: Id


@operation("reveal.list", role=Role.READER, channel="knowledge:reveal:list")
def list_reveals(call: Call, request: KnowledgeRevealListRequest) -> KnowledgeRevealListResponse:
    """List the reveals of a story, in the order of their moments."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        found = reader.reveals.all_of(request.project_id)
    return KnowledgeRevealListResponse.trusted(items=found, total_count=len(found))


@operation("reveal.create", role=Role.EDITOR, channel="knowledge:reveal:create")
@in_step("knowledge:reveal:create")
def create_reveal(step: Step, request: KnowledgeRevealCreateRequest) -> KnowledgeRevealCreateResponse:
    """Keep two entities apart until a moment, from which on they are told as one."""
    return KnowledgeRevealCreateResponse.trusted(**dict(create(step, request)))


@operation("reveal.update", role=Role.EDITOR, channel="knowledge:reveal:update")
@in_step("knowledge:reveal:update")
def update_reveal(step: Step, request: KnowledgeRevealUpdateRequest) -> KnowledgeRevealUpdateResponse:
    """Change a reveal: its moment, its two entities, or who learns it."""
    before = existing_reveal(step, request.project_id, request.id)
    after = change(step, before, request.patch(), request.expected_version)
    return KnowledgeRevealUpdateResponse.trusted(**dict(after))


@operation("reveal.delete", role=Role.EDITOR, channel="knowledge:reveal:delete")
@in_step("knowledge:reveal:delete")
def delete_reveal(step: Step, request: KnowledgeRevealDeleteRequest) -> KnowledgeRevealDeleteResponse:
    """Delete a reveal; its two entities are two again at every moment."""
    remove(step, existing_reveal(step, request.project_id, request.id))
    return KnowledgeRevealDeleteResponse()
