"""Operations on stories: create, read, update, delete, list."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from fabula.call import Call
from fabula.canon.step import Step, in_step
from fabula.canon.story import new_story
from fabula.model.account import Role
from fabula.model.patch import Patch
from fabula.model.relation import Language
from fabula.model.story import Story
from fabula.model.story_settings import StorySettings
from fabula.model.wire import Id, Name, Value, is_same
from fabula.operations.table import NoFields, StoryRequest, operation

Title = Annotated[Name, StringConstraints(max_length=256)]


class CreateStoryRequest(Value):
    """A new story; without an id it gets one."""

    title: Title
    language: Language = "zh"
    settings: StorySettings = Field(default_factory=dict)
    id: Id | None = None


class StoryPatch(Patch):
    """The fields of a story to change; the others stay as they are."""

    title: Title | None = None
    language: Language | None = None
    settings: StorySettings | None = None


class DeleteStoryResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True
    deleted_entity_count: int
    deleted_relation_count: int


@operation("story.create", role=None)
def create_story(call: Call, request: CreateStoryRequest) -> Story:
    """Create a story."""
    beginning = new_story(
        call,
        request.id or call.clock.new_id(),
        title=request.title,
        language=request.language,
        settings=request.settings,
    )
    return call.store.create_story(beginning, actor=call.actor)


@operation("story.read", role=Role.READER)
def read_story(call: Call, request: StoryRequest) -> Story:
    """Read a story's own fields."""
    project_id = request.project_id
    with call.store.read() as reader:
        return reader.story(project_id)


@operation("story.list", role=None)
def list_stories(call: Call, _: NoFields) -> tuple[Story, ...]:
    """List the caller's stories, the most recently changed first."""
    with call.store.read() as reader:
        return reader.stories()


class UpdateStoryRequest(StoryRequest):
    """A change to the fields of a story."""

    patch: StoryPatch


@operation("story.update", role=Role.EDITOR)
def update_story(call: Call, request: UpdateStoryRequest) -> Story:
    """Change a story's own fields."""
    project_id, patch = request.project_id, request.patch
    _change(call, project_id, patch)
    return read_story(call, StoryRequest(project_id=project_id))


@in_step("story:update")
def _change(step: Step, project_id: str, patch: StoryPatch) -> None:
    before = step.story(project_id)
    after = before.model_copy(update=patch.given())
    if not is_same(after, before):
        step.replace([(before, after)])


@operation("story.delete", role=Role.OWNER)
def delete_story(call: Call, request: StoryRequest) -> DeleteStoryResponse:
    """Delete a story with everything in it, history included."""
    project_id = request.project_id
    story = call.store.delete_story(project_id)
    call.indexes.forget(project_id)
    return DeleteStoryResponse(
        deleted_entity_count=story.entity_count, deleted_relation_count=story.relation_count
    )
