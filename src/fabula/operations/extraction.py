"""Extraction: a text is read for who and what is in it, and what is found waits for review."""

from __future__ import annotations

from fabula.extraction.port import Reading
from fabula.model.story import auto_approve
from fabula.operations.extractors import read_text
from fabula.operations.proposal_screening import screened
from fabula.operations.proposal_sorting import Origin, Sorting, in_order_of_kind
from fabula.operations.proposal_values import (
    Extracted,
    Extraction,
    ExtractRequest,
    ProposeRequest,
    Reviewed,
    ReviewRequest,
    UnreadPart,
    shown_extraction,
)
from fabula.operations.review import Review, existing_proposal
from fabula.operations.table import Call
from fabula.store.page import Page
from fabula.store.proposal_reader import ProposalFilter
from fabula.store.writer import Writer


def extract_entities(call: Call, project_id: str, request: ExtractRequest) -> Extracted:
    """Look through a text and propose what is found; nothing is locked while somebody reads."""
    name, reading = read_text(call, project_id, request)
    origin = Origin(request, name, request.text)
    return _proposed(call, project_id, "extraction:extract", reading, origin)


def propose_extractions(call: Call, project_id: str, request: ProposeRequest) -> Extracted:
    """Propose what a caller found with means of their own."""
    reading = Reading([given.draft() for given in request.proposals])
    origin = Origin(request, request.extractor, request.text)
    return _proposed(call, project_id, "extraction:propose", reading, origin)


def list_extractions(
    call: Call, project_id: str, wanted: ProposalFilter, page: int, size: int
) -> Page[Extraction]:
    """A part of the proposals: newest first, the surest of one reading before the others."""
    with call.store.read() as reader:
        reader.story(project_id)
        found = reader.proposals.page(project_id, wanted, size, page * size)
    return Page(tuple(map(shown_extraction, found.items)), found.total)


def read_extraction(call: Call, project_id: str, proposal_id: str) -> Extraction:
    """Read a proposal."""
    with call.store.read() as reader:
        return shown_extraction(existing_proposal(reader, project_id, proposal_id))


def _proposed(call: Call, project_id: str, action: str, reading: Reading, origin: Origin) -> Extracted:
    fit, unusable = screened(reading.drafts, origin.text, call.limits.max_attribute_keys)
    with call.store.write(project_id, action=action, actor=call.actor) as writer:
        sorting = Sorting(call, writer, fit, origin)
        writer.add(sorting.fresh)
        writer.replace(sorting.grown)
        approved = _approved_at_once(call, writer, sorting)
        fresh = [proposal.id for proposal in sorting.fresh]
        kept = writer.proposals.proposals(project_id, fresh)
    return Extracted(
        extractions=tuple(shown_extraction(kept[key]) for key in fresh),
        total_extracted=len(fresh),
        extractor=origin.extractor,
        skipped=sorting.skipped(unusable),
        unread=tuple(UnreadPart(**part._asdict()) for part in reading.failed),
        auto_approved=approved,
    )


def _approved_at_once(call: Call, writer: Writer, sorting: Sorting) -> int:
    """Approve what the story's own threshold lets through; what cannot be written waits."""
    threshold = auto_approve(writer.story(writer.project_id).settings)
    if threshold is None:
        return 0
    review, wish = Review(call, writer), ReviewRequest(action="approved")
    sure = [*sorting.fresh, *(after for _, after in sorting.grown)]
    review.expect(sure)
    done = [
        review.attempt(proposal, wish)
        for proposal in in_order_of_kind(sure)
        if proposal.confidence >= threshold
    ]
    return sum(isinstance(outcome, Reviewed) for outcome in done)
