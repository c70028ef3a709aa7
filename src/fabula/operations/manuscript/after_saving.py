"""What saving a scene brings with it: its people and things proposed, and a snapshot of how it ended.

Both are jobs. They are queued in the step that saves, and done a while after the last saving, so that a
writer who saves at every pause is read once. They are queued where somebody is there to do them: in a server.
"""

from __future__ import annotations

from fabula.call import Call
from fabula.canon.step import Step
from fabula.model.story_settings import AUTO_EXTRACT, AUTO_SNAPSHOT, wants

EXTRACTION, SNAPSHOT = "scene-extraction", "scene-snapshot"
DELAY_S = 5.0
# A model that is asked over the network is paid by the word.
DELAY_WITH_MODEL_S = 30.0


def queue_after_scene(
    call: Call, project_id: str, chapter: int, scene: int, step: Step | None = None
) -> None:
    """Let a scene be looked through and summed up, as the story's settings want it.

    With a step this is a part of it; `call.jobs.crew.notice` when that is over.
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


def subject_of(chapter: int, scene: int) -> str:
    """A scene as the subject of a job."""
    return f"{chapter}/{scene}"


def place_of(subject: str) -> tuple[int, int]:
    """Chapter and scene that a job is about."""
    chapter, scene = subject.split("/")
    return int(chapter), int(scene)
