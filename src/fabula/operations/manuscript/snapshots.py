"""Snapshots of saved scenes: written by the model if one is configured, otherwise extractive.

A snapshot written by the author stays. The states of characters carry over from scene to scene until a
text says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fabula.assembly.prose import sentences
from fabula.call import Call
from fabula.canon.snapshot import save as save_snapshot
from fabula.canon.step import Step
from fabula.context.audience import ModelView
from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.extraction.port import Reading
from fabula.extraction.scene_states import carried_on
from fabula.extraction.short_summary import short_summary
from fabula.extraction.summary import CharacterState, SceneSummary
from fabula.extraction.summary_by_model import summary_by_model
from fabula.extraction.summary_prompts import SceneToSum
from fabula.jobs.task import Task
from fabula.model.entity import Entity
from fabula.model.manuscript import (
    AUTHOR,
    Scene,
    Snapshot,
    SnapshotCharacter,
    SnapshotLocation,
    SnapshotSource,
)
from fabula.model.moment import Moment, first_instant
from fabula.model.relation import Language
from fabula.operations.manuscript.after_saving import place_of
from fabula.operations.manuscript.key_events import key_event_drafts, origin_of, withdraw_unsaid
from fabula.operations.proposals.cast import Cast
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.extractors import known_names
from fabula.store.log import MAKE_SNAPSHOT

# How many scenes back the state of an absent character is remembered.
REMEMBERED_SCENES = 40
LONGEST_DESCRIPTION = 200


class _Before(NamedTuple):
    """What precedes a scene: the story's title and language, and the earlier snapshots, latest first."""

    title: str
    language: Language
    earlier: tuple[Snapshot, ...]

    @property
    def states(self) -> dict[str, CharacterState]:
        """The last known state of each character."""
        return states_of(self.earlier)


def make_snapshot(call: Call, task: Task) -> None:
    """Run the snapshot job of a scene."""
    project_id, place = task.project_id, place_of(task.job.subject)
    with call.store.read() as reader:
        story = reader.story(project_id)
        kept = reader.manuscript.scene(project_id, *place)
        known = reader.manuscript.snapshot(project_id, *place)
        earlier = reader.manuscript.snapshots_before(project_id, *place, REMEMBERED_SCENES)
    if kept is None or not kept.text.strip() or (known is not None and known.source == AUTHOR):
        return
    before = _Before(story.title, story.language, earlier)
    summary, source = _summed_up(call, kept, before, task)
    _keep(call, task, kept, summary, source, before)


class _Changed(Exception):
    """The scene has changed since it was read."""


def _keep(
    call: Call, task: Task, scene: Scene, summary: SceneSummary, source: SnapshotSource, before: _Before
) -> None:
    """Save a snapshot and propose its events in one step, unless the scene has changed meanwhile."""
    with call.store.read() as reader:
        drafts = key_event_drafts(reader, scene, summary)

    def first(step: Step) -> None:
        current = step.manuscript.scene(scene.project_id, scene.chapter_index, scene.scene_index)
        if current is None or current.text != scene.text:
            raise _Changed
        put_made(step, scene, summary, source, before.states)
        withdraw_unsaid(step, scene, drafts)

    with suppress(_Changed):
        propose_reading(
            call, scene.project_id, MAKE_SNAPSHOT, Reading(drafts), origin_of(scene), first, task.insist
        )


def put_made(
    step: Step,
    scene: Scene,
    summary: SceneSummary,
    source: SnapshotSource,
    before: dict[str, CharacterState],
) -> Snapshot | None:
    """Save a generated snapshot unless the author wrote one; None if there is nothing to save."""
    place = (scene.chapter_index, scene.scene_index)
    known = step.manuscript.snapshot(step.project_id, *place)
    if known is not None and known.source == AUTHOR:
        return None
    cast = Cast(step)
    cast.expect([*summary.active_characters, *summary.active_locations])
    places = {name: cast.whom(name, "location") for name in summary.active_locations}
    told = step.entities(step.project_id, filter(None, places.values()))
    states = carried_on(summary.active_characters, summary.character_states, before)
    fields: dict[str, Any] = {
        "active_characters": tuple(_character(cast, state) for state in states),
        "active_locations": tuple(
            _location(name, key, None if key is None else told.get(key)) for name, key in places.items()
        ),
        "timeline_position": summary.timeline_position[:200],
        "summary": summary.summary,
        "emotional_tone": summary.emotional_tone[:100],
        "word_count": scene.word_count,
        "source": source,
        "manuscript_id": scene.id,
        "chapter_index": scene.chapter_index,
        "scene_index": scene.scene_index,
    }
    if known is not None and known.model_copy(update=fields) == known:
        return None
    return save_snapshot(step, known, fields)


def states_of(snapshots: Sequence[Snapshot]) -> dict[str, CharacterState]:
    """Return the last known state of each character, from snapshots with the latest first."""
    states: dict[str, CharacterState] = {}
    for snapshot in reversed(snapshots):
        for one in snapshot.active_characters:
            states[one.name] = CharacterState(
                name=one.name, current_state=one.current_state, emotional_state=one.emotional_state
            )
    return states


def _summed_up(call: Call, kept: Scene, before: _Before, task: Task) -> tuple[SceneSummary, SnapshotSource]:
    """Summarise the scene, by the model or, if it fails on the last attempt, extractively."""
    if call.chat is not None:
        try:
            model = call.model("sum_up")
            return summary_by_model(model, _told(call, kept, before), before.language), "model"
        except (LlmUnavailable, LlmRateLimited):
            if not task.is_last_attempt:
                raise
        except ValueError:
            pass  # the model's answer contains no summary
    with call.store.read() as reader:
        known = known_names(call, reader, kept.project_id)
    return short_summary(kept.text, known, before.language), "extractive"


def _told(call: Call, kept: Scene, before: _Before) -> SceneToSum:
    """Return the scene for the model, with what came before redacted."""
    moment = Moment(chapter=kept.chapter_index, scene=kept.scene_index)
    with call.store.read() as reader, call.indexes.lease(reader, kept.project_id) as index:
        ear = ModelView(reader, index, first_instant(moment))
        previous = ear.prose(before.earlier[0].summary) if before.earlier else ""
        lines = (_line(state) for state in _named_in(kept.text, before.states.values()))
        states = tuple(line for line in lines if line and ear.label(line))
        title = ear.label(before.title)
    place = (kept.chapter_index + 1, kept.scene_index + 1)
    return SceneToSum(title, *place, kept.text, previous, states)


def _named_in(text: str, states: Iterable[CharacterState]) -> list[CharacterState]:
    return [state for state in states if state.name in text]


def _line(state: CharacterState) -> str:
    said = [word for word in (state.current_state, state.emotional_state) if word]
    return f"{state.name}: {', '.join(said)}" if said else ""


def _character(cast: Cast, state: CharacterState) -> SnapshotCharacter:
    return SnapshotCharacter.trusted(
        character_id=cast.whom(state.name, "character"),
        name=state.name,
        current_state=(state.current_state or "")[:2000],
        emotional_state=(state.emotional_state or "")[:2000],
    )


def _location(name: str, key: str | None, known: Entity | None) -> SnapshotLocation:
    """Return a location of the scene, with the first sentence of its description."""
    described = "" if known is None else " ".join(known.description.split())
    _, end = next(iter(sentences(described)), (0, 0))
    return SnapshotLocation.trusted(
        location_id=key, name=name, description=described[: min(end, LONGEST_DESCRIPTION)].strip()
    )
