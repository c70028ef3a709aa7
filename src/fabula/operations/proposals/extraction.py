"""Extraction: reading a text for entities, relations and events, which then wait for review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon.ontology import listed_type, story_ontology
from fabula.canon.step import Step, write
from fabula.extraction.port import Reading
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, PageNumber, PageSize
from fabula.model.job import Job, TaskAccepted, accepted
from fabula.model.proposal import ProposalKind
from fabula.model.story_ontology import Ontology
from fabula.model.story_settings import auto_approve
from fabula.operations.proposals.extractors import read_text
from fabula.operations.proposals.review import Review, existing_proposal
from fabula.operations.proposals.screening import screened
from fabula.operations.proposals.sorting import Located, ProposalOrigin, Sorting, in_order_of_kind
from fabula.operations.proposals.values import (
    Extraction,
    ExtractRequest,
    ProposeRequest,
    ProposeResponse,
    ReviewDecision,
    ReviewExtractionResponse,
    TextPlace,
    UnreadPart,
    shown_extraction,
)
from fabula.operations.table import StoryRequest, operation
from fabula.store.log import EXTRACT, PROPOSE
from fabula.store.page import Page
from fabula.store.proposal_reader import ProposalFilter

KIND = "extraction"

_FILTERS = ("reviewed", "entity_type", "kind", "min_confidence", "chapter", "scene")

# The confidence from which proposals of a kind are approved automatically.
Threshold = Callable[[ProposalKind], float]


class ExtractEntitiesRequest(ExtractRequest, StoryRequest):
    """A text to extract from, now or in the background."""

    background: bool = False


@operation("extraction.extract", role=Role.EDITOR)
def look_through(call: Call, request: ExtractEntitiesRequest) -> ProposeResponse | TaskAccepted:
    """Extract proposals from a text, at once or in the background."""
    if request.background:
        return accepted(queue_extraction(call, request.project_id, request))
    return extract_entities(call, request.project_id, request)


def extract_entities(call: Call, project_id: str, request: ExtractRequest) -> ProposeResponse:
    """Extract proposals from a text; nothing is locked while it is read."""
    name, reading = read_text(call, project_id, request)
    origin = ProposalOrigin(_of_scene(call, project_id, request, request.text), name, request.text)
    return propose_reading(call, project_id, EXTRACT, reading, origin)


def queue_extraction(call: Call, project_id: str, request: ExtractRequest) -> Job:
    """Queue an extraction as a job; LlmUnavailable if a model is requested and none is configured."""
    with call.store.read() as reader:
        reader.story(project_id)
    if request.extractor == "model":
        call.model("read")
    asked = {name: getattr(request, name) for name in ExtractRequest.model_fields}
    return call.jobs.queue(call, KIND, project_id, call.clock.new_id(), "", asked)


def extract(call: Call, task: Task) -> None:
    """Run an extraction job."""
    request = ExtractRequest.model_validate(task.payload)
    name, reading = read_text(call, task.project_id, request)
    origin = ProposalOrigin(_of_scene(call, task.project_id, request, request.text), name, request.text)
    extracted = propose_reading(call, task.project_id, EXTRACT, reading, origin, last=task.insist)
    task.report(1.0, str(extracted.total_extracted))


@operation("extraction.propose", role=Role.EDITOR)
def propose_extractions(call: Call, request: ProposeRequest) -> ProposeResponse:
    """Propose what the caller has found by other means."""
    project_id = request.project_id
    ontology = _ontology(call, project_id)
    reading = Reading([given.draft(ontology) for given in request.proposals])
    place = _of_scene(call, project_id, request, request.text)
    origin = ProposalOrigin(place, request.extractor, request.text)
    return propose_reading(call, project_id, PROPOSE, reading, origin)


class ListExtractionsRequest(StoryRequest):
    """A page of the proposals, optionally filtered."""

    reviewed: bool | None = None
    entity_type: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    kind: ProposalKind | None = None
    min_confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    chapter: ChapterIndex | None = None
    scene: ChapterIndex | None = None
    page: PageNumber = 0
    size: PageSize = 20


@operation("extraction.list", role=Role.READER)
def list_extractions(call: Call, request: ListExtractionsRequest) -> Page[Extraction]:
    """List proposals, newest first, the most confident of one reading before the others."""
    given = {name: getattr(request, name) for name in _FILTERS}
    return extractions_page(call, request.project_id, ProposalFilter(**given), request.page, request.size)


def extractions_page(
    call: Call, project_id: str, wanted: ProposalFilter, page: int, size: int
) -> Page[Extraction]:
    """Return a page of the proposals that match a filter."""
    with call.store.read() as reader:
        reader.story(project_id)
        if wanted.entity_type is not None:
            meant = listed_type(reader, project_id, wanted.entity_type)
            wanted = replace(wanted, entity_type=meant)
        found = reader.proposals.page(project_id, wanted, size, page * size)
    return Page(tuple(map(shown_extraction, found.items)), found.total)


class ExtractionRequest(StoryRequest):
    """A proposal by its id."""

    extraction_id: str


@operation("extraction.read", role=Role.READER)
def read_extraction(call: Call, request: ExtractionRequest) -> Extraction:
    """Read a proposal."""
    project_id, proposal_id = request.project_id, request.extraction_id
    with call.store.read() as reader:
        return shown_extraction(existing_proposal(reader, project_id, proposal_id))


def propose_reading(
    call: Call,
    project_id: str,
    action: str,
    reading: Reading,
    origin: Located,
    first: Callable[[Step], None] = lambda step: None,
    last: Callable[[Step], None] = lambda step: None,
    threshold: Threshold | None = None,
) -> ProposeResponse:
    """Propose what was found in a text; `first` and `last` run in the same step and may refuse it.

    Without a threshold, the story's setting decides what is approved automatically.
    """
    ontology = _ontology(call, project_id)
    fit, unusable = screened(reading.drafts, origin.text, call.limits.max_attribute_keys, ontology)

    def work(step: Step) -> ProposeResponse:
        first(step)
        sorting = Sorting(step, fit, origin)
        step.add(sorting.fresh)
        step.replace(sorting.grown)
        approved = _approved_at_once(step, sorting, threshold)
        fresh = [proposal.id for proposal in sorting.fresh]
        kept = step.proposals.proposals(project_id, fresh)
        last(step)
        return ProposeResponse(
            extractions=tuple(shown_extraction(kept[key]) for key in fresh),
            total_extracted=len(fresh),
            extractor=origin.extractor,
            skipped=sorting.skipped(unusable),
            unread=tuple(UnreadPart(**part._asdict()) for part in reading.failed),
            auto_approved=approved,
        )

    return write(call, project_id, action, work)


def _of_scene(call: Call, project_id: str, place: TextPlace, text: str) -> TextPlace:
    """The place of a text, with the id of the saved scene that it stands in, so that it becomes evidence."""
    if place.manuscript_id is not None or place.chapter is None or place.scene is None or not text.strip():
        return place
    with call.store.read() as reader:
        scene = reader.manuscript.scene(project_id, place.chapter, place.scene)
    if scene is None or text.strip() not in scene.text:
        return place
    return TextPlace(manuscript_id=scene.id, chapter=place.chapter, scene=place.scene)


def _ontology(call: Call, project_id: str) -> Ontology:
    with call.store.read() as reader:
        reader.story(project_id)
        return story_ontology(reader, project_id)


def _approved_at_once(step: Step, sorting: Sorting, threshold: Threshold | None) -> int:
    """Approve proposals that reach the threshold; those that cannot be written stay pending."""
    if threshold is None:
        own = auto_approve(step.story(step.project_id).settings)
        if own is None:
            return 0
        threshold = dict.fromkeys(ProposalKind, own).__getitem__
    review, wish = Review(step), ReviewDecision(action="approved")
    sure = [*sorting.fresh, *(after for _, after in sorting.grown)]
    review.expect(sure)
    done = [
        review.attempt(proposal, wish)
        for proposal in in_order_of_kind(sure)
        # When a scene plays decides what is told there, so that is always the author's word.
        if proposal.kind is not ProposalKind.TIME and proposal.confidence >= threshold(proposal.kind)
    ]
    return sum(isinstance(outcome, ReviewExtractionResponse) for outcome in done)
