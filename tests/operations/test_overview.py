"""What a home page shows of every story, and a copy of one."""

from __future__ import annotations

from fabula.memory import Memory
from fabula.operations.manuscript.novel_import import ImportNovelRequest, import_novel
from fabula.operations.overview import overview
from fabula.operations.table import NoFields
from fabula.story_memory import StoryMemory


def shown(memory: Memory) -> dict[str, tuple[int, int, tuple[int, int, str] | None]]:
    tiles = overview(memory.call(), NoFields())
    return {
        one.story.title: (
            one.word_count,
            one.scene_count,
            one.last_scene and (one.last_scene.chapter, one.last_scene.scene, one.last_scene.chapter_title),
        )
        for one in tiles
    }


def test_words_and_the_scene_that_was_changed_last(memory: Memory) -> None:
    memory.story("Empty")
    book = memory.story("Book", language="en")
    book.scene(0, 0, "One two three.")
    book.scene(13, 0, "Four five.")
    book.ask("manuscript.chapter.put", chapter=13, title="第十四回")
    assert shown(memory) == {"Empty": (0, 0, None), "Book": (5, 2, (13, 0, "第十四回"))}
    book.scene(0, 0, "One two.")
    assert shown(memory)["Book"] == (4, 2, (0, 0, ""))


def test_scenes_that_came_at_once_end_with_the_last_of_the_book(memory: Memory) -> None:
    text = "第一回\n\n风起。\n\n第二回\n\n雨落。\n\n第三回\n\n云散。\n"
    import_novel(memory.call(), ImportNovelRequest(text=text, title="云"))
    assert shown(memory)["云"][2] == (2, 0, "第三回")


def test_a_copy_has_everything_but_the_history_and_leaves_the_first_alone(story: StoryMemory) -> None:
    story.scene(0, 0, "林远走了。")
    story.entity.create(type="character", name="林远")
    before = story.story.read()
    made = story.ask("story.duplicate", title="副本")
    assert (made.title, made.scene_count, made.entity_count) == ("副本", 1, before.entity_count)
    assert made.story_id != story
    assert story.story.read() == before
