"""All scenes read as one job, which goes on where it was stopped."""

from __future__ import annotations

import pytest

from fabula.errors import LlmUnavailable
from fabula.memory import Memory
from fabula.model.job import Job
from fabula.operations.manuscript import all_scenes
from fabula.story_memory import StoryMemory
from waiting import eventually

SCENES = 5
NAMES = ("Mara Venn", "Tobias Reed", "Ada Quill", "Jonas Hale", "Ruth Calder")


@pytest.fixture
def book(memory: Memory) -> StoryMemory:
    story = memory.story("Glass", language="en")
    for number, name in enumerate(NAMES):
        story.scene(number, 0, f"{name} walked between the trees. “Wait,” said {name}.")
    return story


def begun(story: StoryMemory, **wish: str) -> str:
    task_id: str = story.ask("extraction.all", **wish).task_id
    return task_id


def done(memory: Memory, job_id: str) -> Job:
    jobs = memory.call().jobs
    jobs.crew.run_due()
    # A worker may have taken it before.
    eventually(lambda: jobs.job(job_id).status != "processing")
    return jobs.job(job_id)


def names(story: StoryMemory) -> set[str]:
    return {one.entity_name for one in story.proposals() if one.kind == "entity"}


def test_one_job_reads_every_scene_and_says_how_much_it_found(memory: Memory, book: StoryMemory) -> None:
    job = done(memory, begun(book))
    assert (job.status, job.kind) == ("done", all_scenes.KIND)
    assert int(job.message) == len(book.proposals()) >= SCENES
    assert names(book) >= set(NAMES)
    again = done(memory, begun(book))
    assert (again.status, again.message) == ("done", "0")


def test_a_cancelled_reading_keeps_what_it_read_and_goes_on_from_there(
    memory: Memory, book: StoryMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, read = memory.call().jobs, all_scenes.read_scene_anew

    def stopped(call: object, project_id: str, chapter: int, *rest: object) -> int:
        if chapter == 2:
            jobs.cancel(book.job.list(unfinished=True).items[0].id)
        return read(call, project_id, chapter, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(all_scenes, "read_scene_anew", stopped)
        assert done(memory, begun(book)).status == "cancelled"
    assert names(book) == set(NAMES[:2])
    rest = done(memory, begun(book))
    assert rest.status == "done"
    assert names(book) >= set(NAMES)
    assert int(rest.message) < len(book.proposals())


def test_a_scene_that_cannot_be_read_does_not_keep_the_others_from_being_read(
    memory: Memory, book: StoryMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = all_scenes.read_scene_anew

    def failing(call: object, project_id: str, chapter: int, *rest: object) -> int:
        if chapter == 1:
            raise LlmUnavailable("The model is asleep.")
        return read(call, project_id, chapter, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(all_scenes, "read_scene_anew", failing)
        job = done(memory, begun(book))
    assert job.status != "done"
    assert names(book) == set(NAMES) - {NAMES[1]}


def test_without_a_model_nothing_is_queued_for_one(memory: Memory, book: StoryMemory) -> None:
    with pytest.raises(LlmUnavailable):
        begun(book, extractor="model")
    assert book.job.list().total == 0
