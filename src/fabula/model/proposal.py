"""Proposals: facts found in a text that wait for review."""

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
# What the local extractor tells the reviewer of a find; it never becomes part of the story.
TIMES, FIRST_CHAPTER, LAST_CHAPTER, JOINS = "times", "firstChapter", "lastChapter", "joins"
# What the proposal of a world time says: of which scene, and how many days after the scene before.
OF_SCENE, DAYS_LATER = "sceneId", "days"
FOR_REVIEW = frozenset((TIMES, FIRST_CHAPTER, LAST_CHAPTER, JOINS))


class ProposalKind(StrEnum):
    """What is proposed: an entity, a relation, an alias, an event, or the world time of a scene."""

    ENTITY = "entity"
    RELATION = "relation"
    ALIAS = "alias"
    EVENT = "event"
    TIME = "time"


class ReviewAction(StrEnum):
    """The outcome of a review."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    MERGED = "merged"


class Suggestion(StrEnum):
    """What a proposal would do to the story: add an entity, update one, or add an alias to one."""

    NEW = "new"
    UPDATE = "update"
    ALIAS = "alias"


class ReadFact(Value):
    """What a text says about an entity at one place: in words, and as attributes.

    The span is in the text that was read, or in the scene if `scene_id` is set.
    """

    text: str
    attributes: dict[str, Any] = Field(default_factory=dict)
    source_text: str
    source_start: int | None = None
    source_end: int | None = None
    scene_id: str | None = None


class Draft(Value):
    """A fact an extractor found in a text; it has no id and is not saved.

    `attributes` is open. For a relation it holds `target`, `type` and `description`, for an alias `aliasOf`,
    for an event the fields of a structured event and `summary`, for a time `sceneId` and `days`. The span is
    None if the quotation does not occur in the text. `same_as` is the name of the known entity that this is.
    `facts` are what the text says about a new entity, each from the place where it is said.
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
    facts: tuple[ReadFact, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.entity_name, *self.aliases)


class Proposal(Draft):
    """A draft saved for review, with the outcome once it was reviewed."""

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
    def story_attributes(self) -> dict[str, Any]:
        """The attributes without what the local extractor tells the reviewer only."""
        return attributes_for_story(self.attributes, self.extractor)

    @property
    def moment(self) -> Moment | None:
        """The chapter and scene of the source text, if known."""
        return None if self.chapter is None else Moment.trusted(chapter=self.chapter, scene=self.scene)


def attributes_for_story(attributes: dict[str, Any], extractor: str) -> dict[str, Any]:
    """The attributes that may become part of the story."""
    if extractor != LOCAL_READER:
        return attributes
    return {key: value for key, value in attributes.items() if key not in FOR_REVIEW}


def is_own_reader(extractor: str) -> bool:
    """Whether the extractor is one of Fabula's own, by rules or with the author's model."""
    return extractor in (LOCAL_READER, SUMMARY_READER) or extractor.startswith(MODEL_READER)


def proposal_identity(draft: Draft) -> tuple[str, ...]:
    """The key by which two proposals are the same, in whatever spelling."""
    key = name_key(draft.entity_name)
    if draft.kind is ProposalKind.RELATION:
        word = relation_type(str(draft.attributes["type"]))
        return ("relation", key, name_key(str(draft.attributes["target"])), word)
    if draft.kind is ProposalKind.ALIAS:
        return ("alias", key, name_key(str(draft.attributes["aliasOf"])))
    if draft.kind is ProposalKind.TIME:
        return ("time", str(draft.attributes[OF_SCENE]))
    return ("entity", key, EVENT_TYPE if draft.kind is ProposalKind.EVENT else draft.entity_type)
