"""The cast of a book: counted from the manuscript, joined by a merge, and back after an undo."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fabula.memory import Memory
from fabula.operations.manuscript.cast import MOST_COLUMNS, _spread
from fabula.story_memory import StoryMemory


def cast(story: StoryMemory) -> list[tuple[str, int, int, tuple[int, ...]]]:
    return [(one.name, one.times, one.first_chapter, one.spread) for one in story.manuscript.cast().items]


def test_people_come_by_mentions_with_their_first_chapter_and_spread(story: StoryMemory) -> None:
    story.scene(0, 0, "林远走了。")
    story.scene(1, 0, "苏晚说：“林远？”苏晚又说：“走吧。”")
    story.scene(1, 1, "苏晚到了灯塔。")
    for name in ("林远", "苏晚", "老陈"):
        story.entity.create(type="character", name=name)
    story.entity.create(type="location", name="灯塔")
    assert cast(story) == [("苏晚", 3, 1, (0, 3)), ("林远", 2, 0, (1, 1))]
    places = story.manuscript.cast(type="location")
    assert ([one.name for one in places.items], places.total) == (["灯塔"], 1)
    assert story.manuscript.cast(limit=1).total == 2


def test_one_person_after_a_merge_and_two_again_after_its_undo(story: StoryMemory) -> None:
    story.scene(0, 0, "宝玉来了。贾宝玉笑道：“好。”")
    whole, short = (story.entity.create(type="character", name=name).id for name in ("贾宝玉", "宝玉"))
    before = cast(story)
    assert sum(times for _, times, _, _ in before) == 2
    story.ask("entity.merge", target_entity_id=whole, source_entity_ids=[short])
    assert cast(story) == [("贾宝玉", 2, 0, (2,))]
    story.history.undo()
    assert cast(story) == before


def test_a_story_without_a_manuscript_has_no_cast(memory: Memory) -> None:
    assert memory.story("Empty").manuscript.cast().items == ()


@given(st.dictionaries(st.integers(0, 400), st.integers(1, 9)), st.integers(1, 401))
def test_no_mention_is_lost_in_the_picture(counts: dict[int, int], chapters: int) -> None:
    of_chapter = Counter({chapter: count for chapter, count in counts.items() if chapter < chapters})
    spread = _spread(of_chapter, range(chapters))
    assert len(spread) == min(chapters, MOST_COLUMNS)
    assert sum(spread) == of_chapter.total()
