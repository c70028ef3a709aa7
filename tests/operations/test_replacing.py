"""Words found and replaced in the whole manuscript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import Conflict, InvalidInput
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


def texts(story: StoryMemory) -> list[str]:
    chapters = story.manuscript.chapter.list()
    places = [(one.chapter, scene.scene) for one in chapters for scene in one.scenes]
    return [story.manuscript.scene.read(chapter=a, scene=b).text for a, b in places]


@pytest.fixture
def book(story: StoryMemory) -> StoryMemory:
    story.scene(0, 0, "Ann met Anna.\nann left.")
    story.scene(0, 1, "Nobody came.")
    story.scene(3, 0, "Then Ann came.")
    return story


def test_every_place_is_shown_with_the_words_around_it(book: StoryMemory) -> None:
    found = book.manuscript.find(find="Ann")
    assert found.count == 3
    assert [(one.chapter, one.scene, one.count) for one in found.scenes] == [(0, 0, 2), (3, 0, 1)]
    assert [(one.before, one.words, one.after) for one in found.places] == [
        ("", "Ann", " met Anna."),
        ("Ann met ", "Ann", "a."),
        ("Then ", "Ann", " came."),
    ]
    assert len(book.manuscript.find(find="Ann", limit=1).places) == 1


@pytest.mark.parametrize(
    ("asked", "after"),
    [
        ({}, ["Eve met Evea.\nann left.", "Nobody came.", "Then Eve came."]),
        ({"whole_words": True}, ["Eve met Anna.\nann left.", "Nobody came.", "Then Eve came."]),
        ({"match_case": False}, ["Eve met Evea.\nEve left.", "Nobody came.", "Then Eve came."]),
    ],
)
def test_all_are_replaced_in_one_step_that_undo_takes_back(
    book: StoryMemory, asked: dict[str, bool], after: list[str]
) -> None:
    before, revision = texts(book), book.story.read().revision
    done = book.manuscript.replace(find="Ann", replacement="Eve", **asked)
    assert (texts(book), done.scene_count) == (after, 2)
    assert book.story.read().revision == revision + 1
    scene = book.manuscript.scene.read(chapter=0, scene=0)
    assert (scene.version, scene.word_count) == (2, 5)
    book.history.undo()
    assert texts(book) == before


def test_words_inside_chinese_are_whole_words(story: StoryMemory) -> None:
    story.scene(0, 0, "他叫Ann吗？林远说。")
    assert story.manuscript.find(find="Ann", whole_words=True).count == 1
    assert story.manuscript.find(find="林远", whole_words=True).count == 1


def test_only_the_chosen_scenes_are_changed(book: StoryMemory) -> None:
    last = book.manuscript.find(find="Ann").scenes[-1].scene_id
    assert book.manuscript.replace(find="Ann", replacement="Eve", scenes=[last]).count == 1
    assert texts(book)[0] == "Ann met Anna.\nann left."


def test_nothing_is_replaced_if_the_text_is_another_by_now(book: StoryMemory) -> None:
    before = texts(book)
    with pytest.raises(Conflict) as refused:
        book.manuscript.replace(find="Ann", replacement="Eve", expected_count=2)
    assert refused.value.details == {"expectedCount": 2, "count": 3}
    assert texts(book) == before


def test_the_words_are_no_pattern_and_the_replacement_no_template(story: StoryMemory) -> None:
    story.scene(0, 0, "a.b axb")
    story.manuscript.replace(find="a.b", replacement=r"\g<0>\1")
    assert texts(story) == [r"\g<0>\1 axb"]


def test_a_scene_does_not_grow_beyond_its_limit(story: StoryMemory) -> None:
    story.scene(0, 0, "a" * 3_000)
    with pytest.raises(InvalidInput):
        story.manuscript.replace(find="a", replacement="b" * 1_000)
    with pytest.raises(InvalidInput):
        story.manuscript.find(find="")


@given(
    st.text(st.sampled_from("ab林 .\n"), max_size=60),
    st.text(st.sampled_from("ab林."), min_size=1, max_size=3),
)
def test_what_is_counted_is_replaced(text: str, find: str) -> None:
    with Memory.throwaway() as memory:
        story = memory.story("law")
        story.scene(0, 0, text)
        found = story.manuscript.find(find=find)
        assert found.count == text.count(find)
        story.manuscript.replace(find=find, replacement="◆", expected_count=found.count)
        assert texts(story) == [text.replace(find, "◆")]
