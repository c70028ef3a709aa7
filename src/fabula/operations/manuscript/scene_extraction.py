"""Extracting from a saved scene only what is new since it was last read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fabula.call import Call
from fabula.canon.step import Step
from fabula.errors import LlmUnavailable
from fabula.extraction.local import LocalExtractor
from fabula.extraction.merging import moved
from fabula.extraction.port import FailedPiece, Reading
from fabula.extraction.rereading import Paragraph, Window, paragraphs_of, windows_of
from fabula.jobs.task import Task
from fabula.model.manuscript import Scene
from fabula.model.moment import Moment
from fabula.operations.manuscript.after_saving import place_of
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.extractors import reader_of
from fabula.operations.proposals.scene_times import scene_time_drafts
from fabula.operations.proposals.sorting import ProposalOrigin
from fabula.operations.proposals.values import ExtractorWish, TextPlace
from fabula.store.failures import repeatable
from fabula.store.job_reader import SceneReading
from fabula.store.job_writer import JobWriter
from fabula.store.log import READ_SCENE

# A model's results are saved piece by piece, so that an interrupted reading is not repeated.
LONGEST_FOR_MODEL = 6_000


class _Changed(Exception):
    """The scene has changed since it was read."""


def extract_scene(call: Call, task: Task) -> None:
    """Run the extraction job of a scene."""
    wish: ExtractorWish = task.payload.get("extractor", "auto")
    place = place_of(task.job.subject)
    proposed = read_scene_anew(call, task.project_id, *place, wish, task.report, task.insist)
    if not task.is_stopped:
        task.report(1.0, str(proposed))


def read_scene_anew(
    call: Call,
    project_id: str,
    chapter: int,
    scene: int,
    wish: ExtractorWish,
    report: Callable[[float, str], bool] = lambda progress, message: True,
    last: Callable[[Step], None] = lambda step: None,
) -> int:
    """Propose what is found in the new parts of a scene, and return the number of proposals.

    `last` is called at the end of each step, and may refuse it.

    LlmUnavailable if a part could not be read; what was read is not read again.
    """
    with call.store.read() as reader:
        kept = reader.manuscript.scene(project_id, chapter, scene)
        known = reader.jobs.reading(project_id, chapter, scene)
    if kept is None:
        return 0
    moment = Moment(chapter=chapter, scene=scene)
    name, read = reader_of(call, project_id, wish, kept.text, moment)
    paragraphs = paragraphs_of(kept.text)
    done = set(known.pieces) if known is not None and known.extractor == name else set()
    longest = None if name == LocalExtractor.name else LONGEST_FOR_MODEL
    windows = windows_of(paragraphs, done, longest)
    if not windows and (known is None or set(known.pieces) == {one.mark for one in paragraphs}):
        return 0
    proposed, unread = 0, ""
    origin = ProposalOrigin(TextPlace(manuscript_id=kept.id, chapter=chapter, scene=scene), name, kept.text)
    for number, window in enumerate(windows):
        if not report(number / len(windows), f"{number} / {len(windows)}"):
            return proposed
        reading = _in_place(read(kept.text[window.start : window.end]), window.start)
        if window.start == 0:
            reading = reading._replace(drafts=[*reading.drafts, *scene_time_drafts(kept)])
        done |= _read_marks(paragraphs, window, reading.failed)
        first = _noting(kept, paragraphs, name, done)
        try:
            found = propose_reading(call, project_id, READ_SCENE, reading, origin, first, last)
        except _Changed:
            return proposed  # the change has queued another reading
        proposed += found.total_extracted
        unread = reading.failed[0].reason if reading.failed else unread
    if not windows:
        _note(call, kept, _reading_of(name, paragraphs, done))
    if unread:
        raise LlmUnavailable(f"A part of the scene could not be read: {unread}")
    return proposed


@repeatable
def _note(call: Call, scene: Scene, reading: SceneReading) -> None:
    """Record which read paragraphs remain, when there are no new ones."""
    with call.store.write_jobs() as jobs:
        jobs.note_reading(scene.project_id, scene.chapter_index, scene.scene_index, reading)


def _noting(
    kept: Scene, paragraphs: Iterable[Paragraph], name: str, done: set[str]
) -> Callable[[Step], None]:
    """Return a function that records what was read, in the step that proposes what was found."""

    def first(step: Step) -> None:
        place = (kept.chapter_index, kept.scene_index)
        current = step.manuscript.scene(kept.project_id, *place)
        if current is None or current.text != kept.text:
            raise _Changed
        reading = _reading_of(name, paragraphs, done)
        JobWriter(step.connection).note_reading(kept.project_id, *place, reading)

    return first


def _reading_of(name: str, paragraphs: Iterable[Paragraph], done: set[str]) -> SceneReading:
    return SceneReading(name, tuple(dict.fromkeys(one.mark for one in paragraphs if one.mark in done)))


def _in_place(reading: Reading, start: int) -> Reading:
    return Reading(
        [moved(draft, start) for draft in reading.drafts],
        tuple(FailedPiece(start + one.start, start + one.end, one.reason) for one in reading.failed),
    )


def _read_marks(paragraphs: Iterable[Paragraph], window: Window, failed: Iterable[FailedPiece]) -> set[str]:
    """Return the new paragraphs of a window that could be read."""
    lost = {one.mark for one in paragraphs for gap in failed if one.start < gap.end and gap.start < one.end}
    return set(window.fresh) - lost
