"""What a summary says came to pass in a scene: events to propose, in the step that keeps the snapshot."""

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
# A model says so without quoting the text.
CONFIDENCE = 0.6


def origin_of(scene: Scene) -> ProposalOrigin:
    """Where the events of a summary come from."""
    place = TextPlace(manuscript_id=scene.id, chapter=scene.chapter_index, scene=scene.scene_index)
    return ProposalOrigin(place, SUMMARY_READER, scene.text)


def key_event_drafts(reader: Reader, scene: Scene, summary: SceneSummary) -> list[Draft]:
    """The events of a summary that somebody or some place of the scene has a part in.

    One that speaks of an event which waits already is that event.
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
    """Take back what an earlier summary of the scene proposed, nobody reviewed, and this one does not say."""
    said = {proposal_identity(draft) for draft in drafts}
    gone = [
        one
        for one in _waiting(step, scene)
        if one.extractor == SUMMARY_READER and proposal_identity(one) not in said
    ]
    step.remove(gone)


def _waiting(reader: Reader, scene: Scene) -> list[Proposal]:
    """The events of a scene that wait for review."""
    return [
        one
        for one in proposals_from(reader, scene.project_id, scene.chapter_index)
        if one.kind is ProposalKind.EVENT
        and one.scene == scene.scene_index
        and one.review_action is ReviewAction.PENDING
    ]
