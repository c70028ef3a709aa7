"""Stories: begin, read, change, delete, list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from fabula.call import Call
from fabula.canon.step import Step, in_step
from fabula.canon.story import new_story
from fabula.model.parsing import invalid_input
from fabula.model.patch import Patch
from fabula.model.relation import Language
from fabula.model.story import Story
from fabula.model.story_settings import StorySettings
from fabula.model.wire import Id, Name, Value, is_same

Title = Annotated[Name, StringConstraints(max_length=256)]


class StoryCreate(Value):
    """A new story; without an id it gets one."""

    title: Title
    language: Language = "zh"
    settings: StorySettings = Field(default_factory=dict)
    id: Id | None = None


class StoryPatch(Patch):
    """What is to change of a story; what is not named stays."""

    title: Title | None = None
    language: Language | None = None
    settings: StorySettings | None = None


class StoryDeleted(Value):
    """What went."""

    deleted: Literal[True] = True
    deleted_entity_count: int
    deleted_relation_count: int


def begin_request(**fields: Any) -> StoryCreate:
    """The request for a new story; InvalidInput if the fields make none."""
    try:
        return StoryCreate.model_validate(fields)
    except ValidationError as error:
        raise invalid_input(error) from error


def create_story(call: Call, request: StoryCreate) -> Story:
    """Begin a story."""
    beginning = new_story(
        call,
        request.id or call.clock.new_id(),
        title=request.title,
        language=request.language,
        settings=request.settings,
    )
    return call.store.create_story(beginning, actor=call.actor)


def read_story(call: Call, project_id: str) -> Story:
    """Read a story's own fields."""
    with call.store.read() as reader:
        return reader.story(project_id)


def list_stories(call: Call) -> tuple[Story, ...]:
    """List the caller's stories, the one changed last first."""
    with call.store.read() as reader:
        return reader.stories()


def update_story(call: Call, project_id: str, patch: StoryPatch) -> Story:
    """Change a story's own fields."""
    _change(call, project_id, patch)
    return read_story(call, project_id)


@in_step("story:update")
def _change(step: Step, project_id: str, patch: StoryPatch) -> None:
    before = step.story(project_id)
    after = before.model_copy(update=patch.given())
    if not is_same(after, before):
        step.replace([(before, after)])


def delete_story(call: Call, project_id: str) -> StoryDeleted:
    """Delete a story with everything in it, history included."""
    story = call.store.delete_story(project_id)
    call.indexes.forget(project_id)
    return StoryDeleted(deleted_entity_count=story.entity_count, deleted_relation_count=story.relation_count)
