"""Names in a text that nobody in the story has."""

from __future__ import annotations

import pytest

from fabula.memory import Memory
from fabula.story_memory import StoryMemory

ENGLISH = "Mara Venn walked between the glass trees. “Wait,” said Tobias Reed. Mara Venn did not turn."


@pytest.fixture
def english(memory: Memory) -> StoryMemory:
    return memory.story("Glass", language="en")


def names(story: StoryMemory, text: str) -> list[str]:
    return [one.name for one in story.mention.new(text=text).items]


def test_the_people_of_a_first_paragraph_are_found_where_they_stand(english: StoryMemory) -> None:
    found = {one.name: one for one in english.mention.new(text=ENGLISH).items}
    assert list(found) == ["Mara Venn", "Tobias Reed"]
    assert found["Mara Venn"].type == "character"
    for one in found.values():
        assert [ENGLISH[span.start : span.end] for span in one.spans] == [span.term for span in one.spans]
    assert len(found["Mara Venn"].spans) == 2


def test_chinese_names_are_found(story: StoryMemory) -> None:
    assert names(story, "林远推开门。“苏晚，”林远说道，“走吧。”苏晚说：“林远，等等我。”") == ["林远", "苏晚"]


def test_whoever_the_story_has_is_nobody_new_and_nothing_is_saved(english: StoryMemory) -> None:
    before = english.story.read().revision
    assert names(english, ENGLISH) == ["Mara Venn", "Tobias Reed"]
    assert english.story.read().revision == before
    assert english.extraction.list().total == 0
    english.entity.create(type="character", name="Mara Venn")
    assert names(english, ENGLISH) == ["Tobias Reed"]


def test_a_name_that_the_author_rejected_is_not_asked_about_again(english: StoryMemory) -> None:
    proposal = english.propose({"entity_name": "Tobias Reed", "entity_type": "character", "confidence": 0.7})
    assert names(english, ENGLISH) == ["Mara Venn", "Tobias Reed"]
    english.review(proposal.extractions[0].id, "rejected")
    assert names(english, ENGLISH) == ["Mara Venn"]


def test_a_text_without_names_has_none(english: StoryMemory) -> None:
    assert names(english, "") == []
    assert names(english, "It rained, and the river rose.") == []


def test_a_known_name_in_another_form_is_no_new_one(english: StoryMemory) -> None:
    english.entity.create(type="character", name="Ｍａｒａ Ｖｅｎｎ")
    english.entry("the gate", content="Iron.", category="custom", keywordsJson=["Tobias Reed"])
    assert names(english, ENGLISH) == []


@pytest.mark.parametrize(
    "text",
    [
        "少年拜谢长老，转身去了。老者拜谢长老，又拜谢长老。",
        "少年叩谢师父，请教先生，问候夫人。",
        "众人拜辞国王，出城去了。我昨儿见了他，昨儿又见了他。",
    ],
)
def test_what_one_does_before_somebody_is_no_name(story: StoryMemory, text: str) -> None:
    assert names(story, text) == []


def test_whoever_has_such_a_family_name_is_still_found(story: StoryMemory) -> None:
    text = "少年拜见谢长老。谢长老笑道：“坐。”谢长老看了看窗外。谢长老说道：“下雨了。”"
    assert names(story, text) == ["谢长老"]
