"""Importing a whole novel as a story: its manuscript in one step, then a job that reads it."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from typing import Annotated
from uuid import UUID, uuid5

from pydantic import Field

from fabula.call import Call
from fabula.canon.step import Step, write
from fabula.canon.story import new_story
from fabula.errors import InvalidInput
from fabula.formats.novel import Novel, novel_of
from fabula.formats.novel_prose import prose
from fabula.model.manuscript import UNPLANNED, Chapter, Scene, word_count
from fabula.model.relation import Language
from fabula.model.wire import Text, Value
from fabula.operations.access import Role, require
from fabula.operations.proposals.values import Confidence
from fabula.operations.stories import Title
from fabula.operations.table import operation
from fabula.store.export_reader import is_empty
from fabula.store.failures import repeatable
from fabula.store.job_writer import JobWriter

KIND = "novel-reading"
ACTION = "novel:import"
# Measured on two novels of 800,000 characters: nine of ten approved entities are real ones.
DEFAULT_APPROVE = 0.8

_OPENING = 80
_NOVELS = UUID("9d0c9b7e-6f0e-5a63-8f55-1d9f6e2a4b01")


class ImportNovelRequest(Value):
    """A novel as one text; finds with at least the confidence `approve` become part of the story."""

    text: Annotated[Text, Field(min_length=1, max_length=100_000_000)]
    title: Title | None = None
    language: Language | None = None
    approve: Confidence | None = DEFAULT_APPROVE


class NovelStory(Value):
    """The story of a novel: whether it is new, its size, and the job that reads it, if any."""

    story_id: str
    title: str
    is_new: bool
    chapter_count: int
    scene_count: int
    task_id: str | None


class ChapterPreview(Value):
    """A chapter that was found in a file: its title, how much is in it, and how it begins."""

    title: str
    scenes: int
    words: int
    opening: str


def preview_of(novel: Novel, most: int) -> tuple[ChapterPreview, ...]:
    """Return the chapters of a novel as they would be imported, the first so many."""
    return tuple(
        ChapterPreview(
            title=chapter.title,
            scenes=len(chapter.scenes),
            words=sum(word_count(scene.text) for scene in chapter.scenes),
            opening=" ".join(chapter.scenes[0].text[:400].split())[:_OPENING],
        )
        for chapter in novel.chapters[:most]
    )


def novel_in(text: str) -> Novel:
    """Split the text of a file into chapters and scenes; InvalidInput if it contains no text or too much."""
    novel = novel_of(prose(text))
    if not novel.chapters:
        raise InvalidInput("There is no text in the novel.", suggestion="Look into the file.")
    return novel


def import_novel(call: Call, request: ImportNovelRequest, file_title: str = "") -> NovelStory:
    """Create the story of a novel, or find it if the same novel was imported before.

    A reading that was cancelled or given up is started again. InvalidInput if the novel contains no text.
    """
    novel = novel_in(request.text)
    title = request.title or novel.title[:256] or file_title[:256] or "Novel"
    language = request.language or ("zh" if novel.is_chinese else "en")
    story_id = _story_id(call.identity.user_id, title, request.text)
    with call.store.read() as reader:
        is_new = not reader.story_exists(story_id)
    task_id: str | None = None
    if is_new:
        begin = partial(new_story, call, story_id, title=title, language=language)
        task_id = write(
            call, story_id, ACTION, partial(_kept, novel=novel, approve=request.approve), begin=begin
        )
        # Another process may have imported the same novel meanwhile.
        is_new = task_id is not None
    if not is_new:
        require(call, story_id, Role.EDITOR)
        task_id = reading_of(call, story_id, request.approve)
    return NovelStory(
        story_id=story_id,
        title=title,
        is_new=is_new,
        chapter_count=len(novel.chapters),
        scene_count=sum(len(chapter.scenes) for chapter in novel.chapters),
        task_id=task_id,
    )


@repeatable
def reading_of(call: Call, story_id: str, approve: float | None = DEFAULT_APPROVE) -> str | None:
    """Return the job that reads the novel of a story, queued if there is none; None if it is fully read."""
    with call.store.write_jobs(story_id) as jobs:
        if jobs.novel_stage(story_id) == "read":
            return None
        waiting = jobs.unfinished(story_id, KIND, "")
        if waiting is not None:
            return waiting.job.id
        return call.jobs.queue(call, KIND, story_id, "", "", {"approve": approve}, writer=jobs).id


def begin_novel(call: Call, request: ImportNovelRequest, file_title: str = "") -> NovelStory:
    """Import a novel, and let it be read in the background."""
    story = import_novel(call, request, file_title)
    if story.task_id is not None:
        call.jobs.crew.wake()
    return story


@operation("novel.import", role=None)
def start_novel(call: Call, request: ImportNovelRequest) -> NovelStory:
    """Create a story from a whole novel, and read it in the background."""
    return begin_novel(call, request)


def _story_id(user_id: str | None, title: str, text: str) -> str:
    """Return an id that is the same for the same user, title and text, so that a repeated import resumes."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return str(uuid5(_NOVELS, f"{user_id or ''}\n{title}\n{digest}"))


def _kept(step: Step, novel: Novel, approve: float | None) -> str | None:
    """Save the novel's text and queue the job that reads it; None if the text is there already."""
    if not is_empty(step, step.project_id):
        return None
    own = {"project_id": step.project_id, "version": 1, "created_at": step.now, "updated_at": step.now}
    chapters = [
        Chapter.trusted(id=step.new_id(), chapter_index=number, title=chapter.title[:256], **own)
        for number, chapter in enumerate(novel.chapters)
        if chapter.title
    ]
    scenes = [
        Scene.trusted(
            id=step.new_id(),
            chapter_index=chapter,
            scene_index=number,
            title="",
            text=scene.text.strip("\n"),
            word_count=word_count(scene.text),
            world_time=None,
            plan=UNPLANNED,
            **own,
        )
        for chapter, one in enumerate(novel.chapters)
        for number, scene in enumerate(one.scenes)
    ]
    step.add(chapters)
    step.add(scenes)
    JobWriter(step.connection).note_novel(step.project_id, "stored")
    job = step.call.jobs.queue(step.call, KIND, step.project_id, "", "", {"approve": approve}, writer=step)
    return job.id
