"""Proposals from agents, which wait for review like any other."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasChoices, Field

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.model.account import Role
from fabula.model.proposal import ProposalKind, ReviewAction, Suggestion
from fabula.model.wire import Name, OpenJson, Text, Value
from fabula.operations.agents.audience import listening
from fabula.operations.proposals.extraction import propose_extractions
from fabula.operations.proposals.values import (
    MAX_AT_ONCE,
    MAX_QUOTATION,
    DraftGiven,
    Extraction,
    ProposeRequest,
    Skipped,
)
from fabula.operations.table import operation

_ATTRIBUTES = (
    "What is said of it. A relation needs `target` and `type`, an alias `aliasOf`, an event `summary`."
)

_SOURCE_TEXT = "The words of the text that say so, letter for letter."
_SAME_AS = "The name of somebody the story knows, if it is the same one."


class ProposalGiven(DraftGiven):
    """A find of an agent: an entity with its entityType, a relation, an alias, or an event."""

    attributes: OpenJson = Field(
        default_factory=dict,
        validation_alias=AliasChoices("attributes", "attributesJson"),
        description=_ATTRIBUTES,
    )
    source_text: Annotated[Text, Field(max_length=MAX_QUOTATION, description=_SOURCE_TEXT)] = ""
    same_as: Annotated[Name | None, Field(description=_SAME_AS)] = None


class ProposeFindsRequest(ProposeRequest):
    """Finds, and the text they come from, so that each quotation can be located in it."""

    proposals: Annotated[tuple[ProposalGiven, ...], Field(min_length=1, max_length=MAX_AT_ONCE)]


class ToldProposal(Value):
    """A proposal as the agent made it; `sourceFound` is false if its quotation is not in the text."""

    id: str
    kind: ProposalKind
    entity_name: str
    entity_type: str
    suggestion: Suggestion
    source_start: int | None
    source_end: int | None
    source_found: bool
    confidence: float
    review_action: ReviewAction


class ProposeFindsResponse(Value):
    """The new proposals, what was skipped and why, and how many were approved automatically."""

    proposals: tuple[ToldProposal, ...]
    total_proposed: int
    skipped: Skipped
    auto_approved: int


@operation("agent.proposal.create", role=Role.EDITOR, audience="model")
def told_proposals(call: Call, request: ProposeFindsRequest) -> ProposeFindsResponse:
    """Propose what an agent found; proposals that touch a secret are counted but not shown."""
    project_id = request.project_id
    made = propose_extractions(call, request)
    with listening(call, project_id, request.moment) as view:
        shown = tuple(_shown(one) for one in made.extractions if not _touches_a_secret(view, one))
        is_about_a_secret = any(_names_a_secret(view, one) for one in request.proposals)
    return ProposeFindsResponse(
        proposals=shown,
        total_proposed=made.total_extracted,
        skipped=_told_skipped(made.skipped, is_about_a_secret),
        auto_approved=made.auto_approved,
    )


def _touches_a_secret(view: ModelView, one: Extraction) -> bool:
    said = (one.entity_name, one.entity_type, one.same_as or "", one.attributes, one.aliases)
    return view.redaction.together(*said) != said


def _names_a_secret(view: ModelView, one: ProposalGiven) -> bool:
    said = (one.entity_name, one.same_as or "", one.attributes)
    return view.redaction.together(*said) != said


def _told_skipped(skipped: Skipped, is_about_a_secret: bool) -> Skipped:
    """What an agent hears: that two are one, or that a secret is known, is to it a refusal like any other."""
    unsaid = skipped.kept_apart + (skipped.known if is_about_a_secret else 0)
    known = 0 if is_about_a_secret else skipped.known
    return skipped.model_copy(update={"known": known, "kept_apart": 0, "rejected": skipped.rejected + unsaid})


def _shown(one: Extraction) -> ToldProposal:
    return ToldProposal(**{name: getattr(one, name) for name in ToldProposal.model_fields})
