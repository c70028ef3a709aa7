"""Proposals: what was found in a text and waits for somebody to look at it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.ontology import relation_type
from fabula.model.wire import Value

EVENT_TYPE = "event"
UNKNOWN_TYPE = "unknown"
PROSE = "description"
LOCAL_READER = "local"
MODEL_READER = "model:"
SUMMARY_READER = "summary"


class ProposalKind(StrEnum):
    """What is proposed: somebody or something, what is between two, another name, or a happening."""

    ENTITY = "entity"
    RELATION = "relation"
    ALIAS = "alias"
    EVENT = "event"


class ReviewAction(StrEnum):
    """What became of a proposal."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    MERGED = "merged"


class Suggestion(StrEnum):
    """What a proposal would do to the story: add somebody, add to somebody, or give somebody another name."""

    NEW = "new"
    UPDATE = "update"
    ALIAS = "alias"


class Draft(Value):
    """What an extractor finds in a text; it has no id and is not saved.

    `attributes` is open. For a relation it holds `target`, `type` and `description`, for an alias `aliasOf`,
    for an event the fields of a structured event and `summary`. The span is None when the quotation does not
    occur in the text. `same_as` is the name of somebody known whom this is.
    """

    kind: ProposalKind
    entity_name: str
    entity_type: str
    attributes: dict[str, Any] = Field(default_factory=dict, alias="attributesJson")
    aliases: tuple[str, ...] = ()
    source_text: str = ""
    source_start: int | None = None
    source_end: int | None = None
    confidence: float = Field(ge=0, le=1)
    same_as: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.entity_name, *self.aliases)


class Proposal(Draft):
    """A draft that waits for review, or was reviewed, and what came of it."""

    id: str
    project_id: str
    manuscript_id: str | None
    chapter: int | None
    scene: int | None
    reviewed: bool
    review_action: ReviewAction
    linked_lorebook_id: str | None
    linked_entity_id: str | None
    extractor: str
    suggestion: Suggestion
    version: int
    created_at: str
    updated_at: str

    @property
    def moment(self) -> Moment | None:
        """Where in the telling the text stands, if that was said."""
        return None if self.chapter is None else Moment.trusted(chapter=self.chapter, scene=self.scene)


def is_own_reader(extractor: str) -> bool:
    """Whether finds of this extractor were read by Fabula itself, by rule or with the author's model."""
    return extractor in (LOCAL_READER, SUMMARY_READER) or extractor.startswith(MODEL_READER)


def proposal_identity(draft: Draft) -> tuple[str, ...]:
    """What makes a proposal the same proposal, however its names are written."""
    key = name_key(draft.entity_name)
    if draft.kind is ProposalKind.RELATION:
        word = relation_type(str(draft.attributes["type"]))
        return ("relation", key, name_key(str(draft.attributes["target"])), word)
    if draft.kind is ProposalKind.ALIAS:
        return ("alias", key, name_key(str(draft.attributes["aliasOf"])))
    return ("entity", key, EVENT_TYPE if draft.kind is ProposalKind.EVENT else draft.entity_type)
