"""All stories as a home page shows them: how much is written, and where writing went on last."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.story import Story
from fabula.model.wire import Value
from fabula.operations.table import NoFields, operation
from fabula.store.manuscript_reader import WrittenSoFar


class LastScene(Value):
    """The scene that was changed last; of several changed at once, the last of the book."""

    chapter: int
    scene: int
    chapter_title: str
    title: str


class StoryOverview(Value):
    """A story, how much of it is written, and where writing went on last."""

    story: Story
    word_count: int
    scene_count: int
    last_scene: LastScene | None


@operation("story.overview", role=None)
def overview(call: Call, _: NoFields) -> tuple[StoryOverview, ...]:
    """List the caller's stories with their size and the scene that was changed last."""
    with call.store.read() as reader:
        stories = reader.stories()
        written = reader.manuscript.written_so_far([story.id for story in stories])
    return tuple(_shown(story, written.get(story.id)) for story in stories)


def _shown(story: Story, written: WrittenSoFar | None) -> StoryOverview:
    if written is None:
        return StoryOverview(story=story, word_count=0, scene_count=0, last_scene=None)
    return StoryOverview(
        story=story,
        word_count=written.word_count,
        scene_count=written.scene_count,
        last_scene=LastScene(
            chapter=written.chapter_index,
            scene=written.scene_index,
            chapter_title=written.chapter_title,
            title=written.title,
        ),
    )
