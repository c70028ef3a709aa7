"""When a scene plays, read from the phrase with which it begins, and written when that is approved."""

from __future__ import annotations

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.errors import Conflict, NotFound
from fabula.extraction.time_phrases import time_phrase
from fabula.index.world_clock import WorldClock
from fabula.model.manuscript import Scene
from fabula.model.moment import instant_of
from fabula.model.proposal import DAYS_LATER, OF_SCENE, UNKNOWN_TYPE, Draft, Proposal, ProposalKind
from fabula.model.world_time import SceneTime


def scene_time_drafts(scene: Scene, start: int = 0) -> list[Draft]:
    """Return the world time that the head of a scene proposes, unless it has one; `start` moves the span."""
    found = time_phrase(scene.text) if scene.world_time is None else None
    if found is None:
        return []
    return [
        Draft(
            kind=ProposalKind.TIME,
            entity_name=found.text,
            entity_type=UNKNOWN_TYPE,
            attributes={OF_SCENE: scene.id, DAYS_LATER: found.days},
            source_text=found.text,
            source_start=start + found.start,
            source_end=start + found.end,
            confidence=found.confidence,
        )
    ]


def write_scene_time(step: Step, proposal: Proposal) -> None:
    """Say when a scene plays, so many days after the scene before; never against the author's word."""
    scene = step.manuscript.scene_of_id(step.project_id, str(proposal.attributes[OF_SCENE]))
    if scene is None:
        raise NotFound(
            "The scene of this proposal is gone.",
            details={"id": proposal.id},
            suggestion="Reject the proposal.",
        )
    if scene.world_time is not None:
        raise Conflict(
            "The scene has a world time already.",
            details={"id": scene.id, "day": scene.world_time.day},
            suggestion="Change the scene's world time yourself, or reject the proposal.",
        )
    clock = WorldClock.of(step, step.project_id)
    before = clock.end_before(instant_of(scene.chapter_index, scene.scene_index))
    time = SceneTime(day=before + float(proposal.attributes[DAYS_LATER]), label=proposal.entity_name)
    step.replace([(scene, touched(step, scene, world_time=time))])
