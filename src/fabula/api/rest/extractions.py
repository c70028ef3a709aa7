"""`/stories/{storyId}/extract-entities` and `/extractions`: what was found in a text, and its review."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from fabula.api.rest.caller import Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.errors import RateLimited
from fabula.model.job import TaskAccepted, accepted
from fabula.model.moment import MAX_CHAPTER
from fabula.model.proposal import ProposalKind
from fabula.operations.proposals import extraction, review
from fabula.operations.proposals.values import (
    BatchReviewed,
    BatchReviewRequest,
    Extracted,
    Extraction,
    ExtractRequest,
    ProposeRequest,
    Reviewed,
    ReviewRequest,
)
from fabula.store.proposal_reader import ProposalFilter

router = APIRouter(prefix="/stories/{storyId}", tags=["extraction"])

TypeFilter = Annotated[str | None, Query(min_length=1, max_length=64)]
PlaceFilter = Annotated[int | None, Query(ge=0, le=MAX_CHAPTER)]
LeastConfidence = Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False)]


class ExtractBody(ExtractRequest):
    """A text to look through, now or in the background."""

    background: bool = False


@router.post("/extract-entities", responses={RateLimited.status: {}, 202: {"model": TaskAccepted}})
def extract_entities(
    call: Caller, storyId: str, request: ExtractBody, response: Response
) -> Extracted | TaskAccepted:
    """Look through a text and propose what is found, or let that be done in the background."""
    if request.background:
        response.status_code = 202
        return accepted(extraction.queue_extraction(call, storyId, request))
    return extraction.extract_entities(call, storyId, request)


@router.get("/extractions")
def list_extractions(
    call: Caller,
    storyId: str,
    reviewed: bool | None = None,
    entityType: TypeFilter = None,
    kind: ProposalKind | None = None,
    minConfidence: LeastConfidence = None,
    chapter: PlaceFilter = None,
    scene: PlaceFilter = None,
    page: PageNumber = 0,
    size: PageSize = 20,
) -> RestPage[Extraction]:
    """List proposals: newest first, the surest of one reading before the others."""
    wanted = ProposalFilter(
        reviewed=reviewed,
        entity_type=entityType,
        kind=kind,
        min_confidence=minConfidence,
        chapter=chapter,
        scene=scene,
    )
    return rest_page(extraction.list_extractions(call, storyId, wanted, page, size), page, size)


@router.post("/extractions")
def propose_extractions(call: Caller, storyId: str, request: ProposeRequest) -> Extracted:
    """Propose what the caller found with means of their own."""
    return extraction.propose_extractions(call, storyId, request)


@router.post("/extractions/review")
def review_extractions(call: Caller, storyId: str, request: BatchReviewRequest) -> BatchReviewed:
    """Decide about many proposals in one step, or see what that would do."""
    return review.review_extractions(call, storyId, request)


@router.get("/extractions/{extractionId}")
def read_extraction(call: Caller, storyId: str, extractionId: str) -> Extraction:
    """Read a proposal."""
    return extraction.read_extraction(call, storyId, extractionId)


@router.put("/extractions/{extractionId}/review")
def review_extraction(call: Caller, storyId: str, extractionId: str, request: ReviewRequest) -> Reviewed:
    """Approve, reject or merge a proposal."""
    return review.review_extraction(call, storyId, extractionId, request)
