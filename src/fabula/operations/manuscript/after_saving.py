"""The jobs that follow saving a scene: extraction, a snapshot of how it ended, and a check of the story.

They are queued in the step that saves and run a while after the last save, so that the text of a writer
who saves at every pause is read once. They are queued only where workers run them, that is, in a server.
"""

from __future__ import annotations

from fabula.call import Call
from fabula.canon.step import Step
from fabula.model.story_settings import AUTO_CHECK, AUTO_EXTRACT, AUTO_SNAPSHOT, wants

EXTRACTION, SNAPSHOT, CHECKS = "scene-extraction", "scene-snapshot", "story-checks"
DELAY_S = 5.0
# A remote model is paid per token, so scenes are read less often.
DELAY_WITH_MODEL_S = 30.0


def queue_after_scene(
    call: Call, project_id: str, chapter: int, scene: int, step: Step | None = None
) -> None:
    """Queue extraction and snapshot of a scene and the check of its story, as the story's settings say.

    With a step it is part of the step; call `call.jobs.crew.notice` once that is committed.
    """
    if not call.jobs.crew.sees_to_savings:
        return
    if step is None:
        with call.store.read() as reader:
            settings = reader.story(project_id).settings
    else:
        settings = step.story(project_id).settings
    delay = DELAY_S if call.chat is None else DELAY_WITH_MODEL_S
    for kind, setting in ((EXTRACTION, AUTO_EXTRACT), (SNAPSHOT, AUTO_SNAPSHOT)):
        if wants(settings, setting):
            call.jobs.queue(call, kind, project_id, subject_of(chapter, scene), "", delay=delay, writer=step)
    if wants(settings, AUTO_CHECK):
        # One for the story, however many scenes are saved meanwhile.
        call.jobs.queue(call, CHECKS, project_id, "", "", delay=DELAY_S, writer=step)


def subject_of(chapter: int, scene: int) -> str:
    """Return the subject of a job about a scene."""
    return f"{chapter}/{scene}"


def place_of(subject: str) -> tuple[int, int]:
    """Return the chapter and scene that a job is about."""
    chapter, scene = subject.split("/")
    return int(chapter), int(scene)
