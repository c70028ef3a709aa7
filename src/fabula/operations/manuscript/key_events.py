"""Proposing the key events of a scene summary, in the step that saves the snapshot."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.canon.step import Step
from fabula.extraction.summary import SceneSummary
from fabula.model.manuscript import Scene
from fabula.model.proposal import (
    EVENT_TYPE,
    SUMMARY_READER,
    Draft,
    Proposal,
    ProposalKind,
    ReviewAction,
    proposal_identity,
)
from fabula.operations.proposals.sorting import ProposalOrigin
from fabula.operations.proposals.values import TextPlace
from fabula.store.export_reader import proposals_from
from fabula.store.reader import Reader

LONGEST_NAME = 60
# Moderate, because a summary does not quote the text.
CONFIDENCE = 0.6


def origin_of(scene: Scene) -> ProposalOrigin:
    """Return the origin of events proposed from a summary."""
    place = TextPlace(manuscript_id=scene.id, chapter=scene.chapter_index, scene=scene.scene_index)
    return ProposalOrigin(place, SUMMARY_READER, scene.text)


def key_event_drafts(reader: Reader, scene: Scene, summary: SceneSummary) -> list[Draft]:
    """Return the events of a summary that involve a character or location of the scene.

    One that names an event already waiting for review is merged into that proposal.
    """
    waiting = _waiting(reader, scene)
    drafts = (_draft(said, summary, waiting) for said in summary.key_events)
    return [draft for draft in drafts if draft is not None]


def _draft(said: str, summary: SceneSummary, waiting: Iterable[Proposal]) -> Draft | None:
    people = [name for name in summary.active_characters if name in said]
    places = [name for name in summary.active_locations if name in said]
    if not people and not places:
        return None
    known = next((one.entity_name for one in waiting if one.entity_name in said), None)
    fields = {
        "summary": said,
        "roles": [{"name": name} for name in people],
        "location": places,
        "timeAnchor": summary.timeline_position,
    }
    return Draft(
        kind=ProposalKind.EVENT,
        entity_name=known or said[:LONGEST_NAME].rstrip("。！？.!?…，, "),
        entity_type=EVENT_TYPE,
        attributes={key: value for key, value in fields.items() if value},
        confidence=CONFIDENCE,
    )


def withdraw_unsaid(step: Step, scene: Scene, drafts: Iterable[Draft]) -> None:
    """Withdraw unreviewed proposals of an earlier summary of the scene that this one does not repeat."""
    said = {proposal_identity(draft) for draft in drafts}
    gone = [
        one
        for one in _waiting(step, scene)
        if one.extractor == SUMMARY_READER and proposal_identity(one) not in said
    ]
    step.remove(gone)


def _waiting(reader: Reader, scene: Scene) -> list[Proposal]:
    """Return the events of a scene that wait for review."""
    return [
        one
        for one in proposals_from(reader, scene.project_id, scene.chapter_index)
        if one.kind is ProposalKind.EVENT
        and one.scene == scene.scene_index
        and one.review_action is ReviewAction.PENDING
    ]
