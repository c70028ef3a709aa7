"""Review: approving, rejecting or merging proposals, singly or many in one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from fabula.call import Call
from fabula.canon.entry import existing_entry
from fabula.canon.ontology import listed_type
from fabula.canon.scope import existing_entity
from fabula.canon.step import Step, in_step, write
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import ExtractionAlreadyReviewed, FabulaError, InvalidInput
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.proposal import Proposal, ReviewAction
from fabula.operations.proposals.approval import Approval, Linked, Wish, no_proposal
from fabula.operations.proposals.cast import Cast
from fabula.operations.proposals.sorting import in_order_of_kind, names_in
from fabula.operations.proposals.values import (
    MAX_REVIEWED,
    BatchDecision,
    ReviewCounts,
    ReviewDecision,
    ReviewExtractionResponse,
    ReviewExtractionsResponse,
    ReviewProblem,
    WrittenRow,
)
from fabula.operations.table import StoryRequest, operation
from fabula.store.change import Change
from fabula.store.log import REVIEW, REVIEW_MANY
from fabula.store.proposal_reader import ProposalFilter
from fabula.store.reader import Reader


class ReviewExtractionRequest(StoryRequest):
    """A proposal, and the decision about it."""

    extraction_id: str
    decision: ReviewDecision


@operation("extraction.review", role=Role.EDITOR)
@in_step(REVIEW)
def review_extraction(step: Step, request: ReviewExtractionRequest) -> ReviewExtractionResponse:
    """Review a proposal; if approved or merged, it is written and linked in the same step."""
    project_id, proposal_id, decision = request.project_id, request.extraction_id, request.decision
    proposal = existing_proposal(step, project_id, proposal_id)
    refuse_stale_version("The extraction", proposal.version, decision.expected_version, proposal)
    return Review(step).decide(proposal, decision)


class ReviewExtractionsRequest(StoryRequest):
    """One decision about many proposals."""

    decision: BatchDecision


@operation("extraction.review_many", role=Role.EDITOR)
def review_extractions(call: Call, request: ReviewExtractionsRequest) -> ReviewExtractionsResponse:
    """Review many proposals in one step; those that cannot be decided stay pending and are reported."""
    project_id, decision = request.project_id, request.decision
    return write(
        call, project_id, REVIEW_MANY, lambda step: _decided(step, decision), dry_run=decision.dry_run
    )


def existing_proposal(reader: Reader, project_id: str, proposal_id: str) -> Proposal:
    """Return the proposal; NotFound if the story has none with this id."""
    proposal = reader.proposals.proposal(project_id, proposal_id)
    if proposal is None:
        reader.story(project_id)
        raise no_proposal(proposal_id)
    return proposal


class Review:
    """The decisions of one step."""

    def __init__(self, step: Step) -> None:
        self._step, self._cast = step, Cast(step)

    def decide(self, proposal: Proposal, request: ReviewDecision) -> ReviewExtractionResponse:
        """Carry out the decision and record it."""
        if proposal.reviewed:
            raise ExtractionAlreadyReviewed(
                f"'{proposal.entity_name}' was {proposal.review_action} already.",
                details={"id": proposal.id, "reviewAction": proposal.review_action},
            )
        begun = len(self._step.done)
        linked = Linked()
        if request.action != "rejected":
            linked = self._written(proposal, request)
            # Binds pending names now, so that the bindings count among the written rows.
            self._step.settle()
            self._cast.follow(self._step.done[begun:])
        written = tuple(map(_row_of, self._step.done[begun:]))
        after = touched(
            self._step,
            proposal,
            reviewed=True,
            review_action=ReviewAction(request.action),
            linked_entity_id=linked.entity_id,
            linked_lorebook_id=linked.entry_id,
        )
        self._step.replace([(proposal, after)])
        return _shown(after, written)

    def expect(self, proposals: Iterable[Proposal]) -> None:
        """Look up the names in many proposals at once."""
        self._cast.expect(names_in(proposals))

    def attempt(self, proposal: Proposal, request: ReviewDecision) -> ReviewExtractionResponse | FabulaError:
        """Decide, or roll back and return the error."""
        try:
            with self._step.attempt():
                return self.decide(proposal, request)
        except FabulaError as error:
            self._cast.forget()
            return error

    def _written(self, proposal: Proposal, request: ReviewDecision) -> Linked:
        target = self._target(proposal, request) if request.action == "merged" else None
        wish = Wish(request.create_lorebook_entry, request.overrides, target)
        return Approval(self._step, self._cast).write(proposal, wish)

    def _target(self, proposal: Proposal, request: ReviewDecision) -> Entity:
        """Return the entity to merge with: the requested one, or the one the proposal names."""
        project_id = self._step.project_id
        wanted = request.merge_target_entity_id
        if request.merge_target_lorebook_id is not None:
            entry = existing_entry(self._step, project_id, request.merge_target_lorebook_id)
            if entry.entity_id is None:
                raise InvalidInput(
                    f"'{entry.entry_key}' is a custom entry, which has no entity to merge with.",
                    details={"field": "mergeTargetLorebookId"},
                    suggestion="Choose an entry of another category.",
                )
            wanted = entry.entity_id
        wanted = wanted or self._cast.whom(proposal.same_as, proposal.entity_type)
        if wanted is None:
            raise InvalidInput(
                "Say with whom the proposal is to be merged.",
                details={"field": "mergeTargetLorebookId"},
                suggestion="Give mergeTargetLorebookId or mergeTargetEntityId.",
            )
        return existing_entity(self._step, project_id, wanted)


def _decided(step: Step, request: BatchDecision) -> ReviewExtractionsResponse:
    review = Review(step)
    wish = ReviewDecision(action=request.action, create_lorebook_entry=request.create_lorebook_entry)
    waiting, problems = _meant(step, request)
    results: list[ReviewExtractionResponse] = []
    review.expect(waiting)
    for proposal in in_order_of_kind(waiting):
        done = review.attempt(proposal, wish)
        if isinstance(done, FabulaError):
            problems.append(_problem(proposal.id, done))
        else:
            results.append(done)
    if request.dry_run:
        results = [_unlinked(result) for result in results]
    counts = Counter(result.review_action.value for result in results)
    return ReviewExtractionsResponse(
        action=request.action,
        dry_run=request.dry_run,
        counts=ReviewCounts(
            **{action: counts[action] for action in ("approved", "rejected", "merged")}, failed=len(problems)
        ),
        results=tuple(results),
        errors=tuple(problems),
    )


def _meant(step: Step, request: BatchDecision) -> tuple[Sequence[Proposal], list[ReviewProblem]]:
    """Return the proposals of a batch, and a problem for each id that does not exist."""
    project_id = step.project_id
    if request.ids is None:
        wanted = ProposalFilter(
            reviewed=False,
            entity_type=request.entity_type and listed_type(step, project_id, request.entity_type),
            kind=request.kind,
            min_confidence=request.min_confidence,
        )
        return step.proposals.page(project_id, wanted, MAX_REVIEWED, 0).items, []
    found = step.proposals.proposals(project_id, request.ids)
    ids = dict.fromkeys(request.ids)
    missing = [_problem(key, no_proposal(key)) for key in ids if key not in found]
    return [found[key] for key in ids if key in found], missing


def _problem(proposal_id: str, error: FabulaError) -> ReviewProblem:
    return ReviewProblem(id=proposal_id, code=error.code, message=error.message)


def _shown(proposal: Proposal, written: tuple[WrittenRow, ...]) -> ReviewExtractionResponse:
    return ReviewExtractionResponse(
        id=proposal.id,
        kind=proposal.kind,
        entity_name=proposal.entity_name,
        entity_type=proposal.entity_type,
        reviewed=proposal.reviewed,
        review_action=proposal.review_action,
        linked_lorebook_id=proposal.linked_lorebook_id,
        linked_entity_id=proposal.linked_entity_id,
        # The graph is read from the rows just written, so nothing can lag behind.
        graph_node_synced=proposal.linked_entity_id is not None,
        version=proposal.version,
        written=written,
    )


def _unlinked(result: ReviewExtractionResponse) -> ReviewExtractionResponse:
    """Return a result without the ids of rows that a dry run has rolled back."""
    is_new = {row.kind for row in result.written if row.operation == "add"}
    return result.model_copy(
        update={
            "linked_entity_id": None if "entity" in is_new else result.linked_entity_id,
            "linked_lorebook_id": None if "entry" in is_new else result.linked_lorebook_id,
        }
    )


_NAME_OF = {
    "entity": "name",
    "entry": "entry_key",
    "relation": "relation_type",
    "pending_relation": "relation_type",
    "relation_type": "label",
    "event": "event",
    "event_role": "name",
}


def _row_of(change: Change) -> WrittenRow:
    """Return a change as a row that says what it adds."""
    before, after = change.before or {}, change.after or {}
    return WrittenRow(
        kind=change.kind.name,
        operation=change.operation,
        name=str((after or before).get(_NAME_OF.get(change.kind.name, ""), "")),
        aliases=tuple(
            name for name in _json(after, "aliases_json", []) if name not in _json(before, "aliases_json", [])
        ),
        attributes=_added(_json(before, "attributes_json", {}), _json(after, "attributes_json", {})),
    )


def _json(image: dict[str, Any], column: str, empty: Any) -> Any:
    return orjson.loads(image[column]) if column in image else empty


def _added(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in after.items() if key not in before}
