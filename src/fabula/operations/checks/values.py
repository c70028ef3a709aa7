"""Requests and responses of checks and waivers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.model.as_of import StoryPlace
from fabula.model.bounds import Version
from fabula.model.check import CheckFinding, FixKind
from fabula.model.waiver import Waiver
from fabula.model.wire import Id, Text, Value
from fabula.operations.table import Request

MAX_REASON = 2_000
WaiverReason = Annotated[Text, Field(max_length=MAX_REASON)]


class KnowledgeChecksRunResponse(Value):
    """The findings of a check of saved scenes at a revision, in the order of the story."""

    findings: tuple[CheckFinding, ...]
    rule_count: int
    scene_count: int
    character_count: int
    revision: int


class KnowledgeChecksRunRequest(StoryPlace, Request[KnowledgeChecksRunResponse]):
    """Which saved scenes to check, and by which rules; without anything, all of them by all.

    With `sinceRevision`, only the scenes whose text was saved after that revision.
    """

    rules: tuple[Id, ...] | None = None
    since_revision: Annotated[int, Field(ge=0, strict=True)] | None = None


class KnowledgeChecksNewestResponse(KnowledgeChecksRunResponse):
    """The findings of the newest check of the whole story."""


class KnowledgeChecksNewestRequest(Request[KnowledgeChecksNewestResponse]):
    """The newest findings of a story."""


class KnowledgeChecksFixResponse(Value):
    """What a fix changed: a scene, an entity, a state or a waiver, by its id."""

    finding_id: str
    kind: FixKind
    changed: Literal["scene", "entity", "state", "waiver"]
    changed_id: str
    revision: int


class KnowledgeChecksFixRequest(Request[KnowledgeChecksFixResponse]):
    """A finding to mend in one of the ways it offers.

    `text` replaces the marked words instead of what the fix suggests, `reason` says why it is intended.
    With `expectedVersion`, the scene or the entity must have that version.
    """

    finding_id: Id
    kind: FixKind
    text: Annotated[Text, Field(max_length=10_000)] | None = None
    reason: WaiverReason = ""
    expected_version: Version | None = None


class KnowledgeWaiverListResponse(Value):
    """The waivers of a story, the oldest first."""

    items: tuple[Waiver, ...]
    total_count: int


class KnowledgeWaiverListRequest(Request[KnowledgeWaiverListResponse]):
    """The findings of a story that are intended."""


class KnowledgeWaiverCreateResponse(Waiver):
    """The new waiver, or the one that was there."""


class KnowledgeWaiverCreateRequest(Request[KnowledgeWaiverCreateResponse]):
    """A finding that is intended, and why."""

    finding_id: Id
    reason: WaiverReason = ""


class KnowledgeWaiverDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True


class KnowledgeWaiverDeleteRequest(Request[KnowledgeWaiverDeleteResponse]):
    """A waiver to delete, so that its finding is reported again."""

    id: Id
