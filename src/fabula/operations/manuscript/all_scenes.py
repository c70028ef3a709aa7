"""Reading all scenes as one job: what was read before is not read again, so a stopped reading goes on."""

from __future__ import annotations

from fabula.call import Call
from fabula.errors import LlmUnavailable
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.job import TaskAccepted, accepted
from fabula.operations.manuscript.scene_extraction import read_scene_anew
from fabula.operations.proposals.values import ExtractorWish
from fabula.operations.table import StoryRequest, operation

KIND = "manuscript-reading"


class ReadAllScenesRequest(StoryRequest):
    """Who reads the scenes."""

    extractor: ExtractorWish = "auto"


@operation("extraction.all", role=Role.EDITOR)
def read_all_scenes(call: Call, request: ReadAllScenesRequest) -> TaskAccepted:
    """Read every scene in the background as one job, leaving out what was read before."""
    with call.store.read() as reader:
        reader.story(request.project_id)
    if request.extractor == "model":
        call.model("read")
    payload = {"extractor": request.extractor}
    return accepted(call.jobs.queue(call, KIND, request.project_id, "", "", payload))


def read_scenes(call: Call, task: Task) -> None:
    """Run the job: one scene after the other, each remembered once it is read.

    LlmUnavailable if some part could not be read; the other scenes are.
    """
    wish: ExtractorWish = task.payload.get("extractor", "auto")
    with call.store.read() as reader:
        places = [(one.chapter_index, one.scene_index) for one in reader.manuscript.headings(task.project_id)]
    proposed, unread = 0, ""
    for number, (chapter, scene) in enumerate(places):
        if not task.report(number / len(places), f"{number} / {len(places)}"):
            return
        try:
            proposed += read_scene_anew(
                call, task.project_id, chapter, scene, wish, lambda *_: not task.is_stopped, task.insist
            )
        except LlmUnavailable as error:
            unread = unread or error.message
    if task.is_stopped:
        return
    if unread:
        raise LlmUnavailable(unread)
    task.report(1.0, str(proposed))
