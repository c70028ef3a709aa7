"""Proposals as shown, and the requests to extract and review them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AliasChoices, Field, StringConstraints, model_validator

from fabula.canon.entity import TypeWord
from fabula.canon.entry_values import LorebookEntryPatch
from fabula.model.as_of import StoryPlace
from fabula.model.bounds import Version
from fabula.model.entity import Aliases
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.proposal import (
    EVENT_TYPE,
    OF_SCENE,
    UNKNOWN_TYPE,
    Draft,
    Proposal,
    ProposalKind,
    ReadFact,
    ReviewAction,
    Suggestion,
    is_own_reader,
)
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Id, Name, OpenJson, RelationWord, Text, Value, visible_text
from fabula.operations.table import StoryRequest

MAX_NAME = 200
MAX_QUOTATION = 4_000
MAX_AT_ONCE = 1_000
MAX_REVIEWED = 10_000

ExtractorWish = Literal["auto", "local", "model"]
Decision = Literal["approved", "rejected", "merged"]
Confidence = Annotated[float, Field(ge=0, le=1, strict=True)]
ProposedName = Annotated[Name, StringConstraints(max_length=MAX_NAME)]


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


class Extraction(Value):
    """A proposal as shown; `source_found` is false if the quotation is not in the text."""

    id: str
    story_id: str
    manuscript_id: str | None
    chapter: int | None
    scene: int | None
    kind: ProposalKind
    suggestion: Suggestion
    entity_name: str
    entity_type: str
    attributes: dict[str, Any] = Field(serialization_alias="attributesJson")
    aliases: tuple[str, ...]
    same_as: str | None
    source_text: str
    source_start: int | None
    source_end: int | None
    source_found: bool
    facts: tuple[ReadFact, ...] = ()
    confidence: float
    extractor: str
    reviewed: bool
    review_action: ReviewAction
    linked_lorebook_id: str | None
    linked_entity_id: str | None
    version: int
    created_at: str
    updated_at: str


class TextPlace(StoryPlace):
    """Where a text comes from: the caller's manuscript id, and the position in the story."""

    manuscript_id: Id | None = None
    chapter: Annotated[int, Field(ge=0, le=MAX_CHAPTER, strict=True)] | None = None
    scene: Annotated[int, Field(ge=0, le=MAX_SCENE, strict=True)] | None = None


class ExtractRequest(TextPlace):
    """A text to extract from; `auto` uses the model if one is configured, else the local extractor."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH), AfterValidator(_not_blank)]
    extractor: ExtractorWish = "auto"


class DraftGiven(Value):
    """A proposal that the caller found by other means."""

    kind: ProposalKind = ProposalKind.ENTITY
    entity_name: ProposedName
    entity_type: TypeWord | None = None
    attributes: OpenJson = Field(
        default_factory=dict, validation_alias=AliasChoices("attributesJson", "attributes")
    )
    aliases: Aliases = ()
    source_text: Annotated[Text, Field(max_length=MAX_QUOTATION)] = ""
    confidence: Confidence = 0.5
    same_as: Name | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind is ProposalKind.RELATION:
            _require_names(self.attributes, ("target", MAX_NAME), ("type", 64))
        elif self.kind is ProposalKind.ALIAS:
            _require_names(self.attributes, ("aliasOf", 256))
        elif self.kind is ProposalKind.TIME:
            _require_names(self.attributes, (OF_SCENE, 128))
        elif self.kind is ProposalKind.ENTITY and self.entity_type is None:
            raise ValueError("an entity needs its entityType")
        return self

    def draft(self, ontology: Ontology) -> Draft:
        """Return it as an extractor's draft; InvalidInput if the type is not one of the story's."""
        given = self.entity_type or (EVENT_TYPE if self.kind is ProposalKind.EVENT else None)
        key = UNKNOWN_TYPE if given is None else ontology.entity_type(given)
        fields = {name: getattr(self, name) for name in Draft.model_fields if hasattr(self, name)}
        return Draft(**{**fields, "entity_type": key})


def _require_names(attributes: dict[str, Any], *wanted: tuple[str, int]) -> None:
    for key, longest in wanted:
        name = attributes.get(key)
        if not isinstance(name, str) or len(visible_text(name)) > longest:
            raise ValueError(f"attributes need `{key}`, a text of at most {longest} characters")


def _not_our_own(extractor: str) -> str:
    """Refuse the name of a built-in extractor, whose finds count as read from the manuscript."""
    if is_own_reader(extractor):
        raise ValueError("is the name of one of Fabula's own extractors")
    return extractor


class ProposeRequest(TextPlace, StoryRequest):
    """The caller's own proposals; if the text is given, each quotation is located in it."""

    proposals: Annotated[tuple[DraftGiven, ...], Field(min_length=1, max_length=MAX_AT_ONCE)]
    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] = ""
    extractor: Annotated[RelationWord, AfterValidator(_not_our_own)] = "agent"


class Skipped(Value):
    """How many finds were not proposed: known, already pending, rejected before, or unusable.

    Those under `keptApart` would have joined two whom the story keeps apart until a reveal.
    """

    known: int = 0
    pending: int = 0
    rejected: int = 0
    unusable: int = 0
    kept_apart: int = 0


class UnreadPart(Value):
    """A part of a text that could not be read, and why."""

    start: int
    end: int
    reason: str


class ProposeResponse(Value):
    """The new proposals, the extractor, what was skipped, and how many were approved automatically."""

    extractions: tuple[Extraction, ...]
    total_extracted: int
    extractor: str
    skipped: Skipped
    unread: tuple[UnreadPart, ...]
    auto_approved: int


class ReviewDecision(Value):
    """A decision about a proposal."""

    action: Decision
    merge_target_lorebook_id: Id | None = None
    merge_target_entity_id: Id | None = None
    create_lorebook_entry: bool = True
    lorebook_overrides: LorebookEntryPatch | None = None
    expected_version: Version | None = None

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        targets = [t for t in (self.merge_target_lorebook_id, self.merge_target_entity_id) if t is not None]
        if len(targets) > 1:
            raise ValueError("name one target of the merge")
        if targets and self.action != "merged":
            raise ValueError("a target of a merge goes with the action merged")
        return self

    @property
    def overrides(self) -> LorebookEntryPatch | None:
        """The overrides, if there are any."""
        given = self.lorebook_overrides
        return given if given is not None and given.given() else None


class WrittenRow(Value):
    """A row that a review wrote or would write, and what it adds to an existing one."""

    kind: str
    operation: str
    name: str
    aliases: tuple[str, ...] = ()
    attributes: dict[str, Any] = Field(default_factory=dict)


class ReviewExtractionResponse(Value):
    """A proposal after its review, what it is linked to, and every row written for it."""

    id: str
    kind: ProposalKind
    entity_name: str
    entity_type: str
    reviewed: bool
    review_action: ReviewAction
    linked_lorebook_id: str | None
    linked_entity_id: str | None
    graph_node_synced: bool
    version: int
    written: tuple[WrittenRow, ...]


class BatchDecision(Value):
    """One decision about many proposals: those named, or all pending ones that match the filter."""

    action: Decision
    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_REVIEWED)] | None = None
    min_confidence: Confidence | None = None
    entity_type: TypeWord | None = None
    kind: ProposalKind | None = None
    create_lorebook_entry: bool = True
    dry_run: bool = False

    @model_validator(mode="after")
    def _says_which(self) -> Self:
        filtered = self.min_confidence is not None or self.entity_type is not None or self.kind is not None
        if filtered == (self.ids is not None):
            raise ValueError("give either ids or a filter: minConfidence, entityType, kind")
        return self


class ReviewProblem(Value):
    """A proposal that stays as it was, and why."""

    id: str
    code: str
    message: str


class ReviewCounts(Value):
    """How many proposals had which outcome."""

    approved: int
    rejected: int
    merged: int
    failed: int


class ReviewExtractionsResponse(Value):
    """The outcome for each proposal, or with `dry_run` the expected one."""

    action: Decision
    dry_run: bool
    counts: ReviewCounts
    results: tuple[ReviewExtractionResponse, ...]
    errors: tuple[ReviewProblem, ...]


def shown_extraction(proposal: Proposal) -> Extraction:
    """Return a proposal as shown."""
    own = {"story_id": proposal.project_id, "source_found": proposal.source_start is not None}
    return Extraction.trusted(
        **{name: own[name] if name in own else getattr(proposal, name) for name in Extraction.model_fields}
    )
