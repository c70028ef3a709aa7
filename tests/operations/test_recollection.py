"""What the text of a scene brings to mind: events and quotations in its context, and nothing too early."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.context.candidates.topic import last_words, topic_of
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

# A quiet story in which one scene is like the other, but for the oath in chapter 3.
QUIET = "那一夜很静，她看了一眼窗外，又走了过去，没有回头。{}的灯还亮着。"
OATH = "江离对着铜铃立誓，说十年之内必把沈家的灯油钱还清，若违此誓，永不归港。"
SCENES = [QUIET.format(place) for place in "桥渡茶账市马粮祠井石酒药巷门"]
SCENES[3] = OATH
TEXT = "江离又看见了那只铜铃。她想起立誓的那一夜，想起沈家的灯油钱。"


@pytest.fixture
def harbour(story: StoryMemory) -> StoryMemory:
    li, shen, _ = (
        story.entity.create(type="character", name=name, description="港里的人。")
        for name in ("江离", "沈潮", "陶婆")
    )
    story.relation.create(source_entity_id=li.id, target_entity_id=shen.id, relation_type="ally")
    story.event.create(
        name="断缆夜",
        summary="缆绳断在最后一刻。",
        roles=["沈潮", "陶婆"],
        moment={"chapter": 16, "scene": 0},
    )
    for chapter, text in enumerate(SCENES):
        story.scene(chapter, 0, text)
    return story


def recollected(story: StoryMemory, text: str = TEXT, chapter: int = 18, **wishes: Any) -> list[Any]:
    return list(story.context(chapter, 0, text, **wishes).recollections)


def labels(found: list[Any]) -> list[tuple[str, str]]:
    return [(one.kind, one.label) for one in found]


@pytest.mark.scenario("ENGRAM-STAGE-4-CONTEXT")
def test_an_event_of_somebody_near_comes_with_the_way_to_it(harbour: StoryMemory) -> None:
    context = harbour.context(18, 0, TEXT)
    (event,) = (one for one in context.recollections if one.kind == "event")
    assert (event.label, event.chapter, event.scene) == ("断缆夜", 16, 0)
    assert event.hop_path == ("江离", "沈潮")
    assert "缆绳断在最后一刻。" in event.text
    (traced,) = (item for item in context.trace if item.kind == "event")
    assert (traced.included, traced.reason, traced.hop_path) == (True, "recalled", ("江离", "沈潮"))
    assert "缆绳断在最后一刻。" in "".join(message.content for message in context.messages)


def test_an_event_that_the_text_names_is_not_told_twice(harbour: StoryMemory) -> None:
    context = harbour.context(18, 0, "江离说起断缆夜。")
    assert ("event", "断缆夜") not in labels(list(context.recollections))
    assert [item.reason for item in context.trace if item.label == "断缆夜"] == ["detected"]


@pytest.mark.long
@pytest.mark.parametrize(("chapter", "comes"), [(15, False), (16, False), (17, True)])
def test_an_event_of_this_scene_or_a_later_one_does_not_come_to_mind(
    harbour: StoryMemory, chapter: int, comes: bool
) -> None:
    found = recollected(harbour, "江离点亮了灯。", chapter)
    assert (("event", "断缆夜") in labels(found)) is comes


@pytest.mark.parametrize("level", ["never", "manual_only"])
def test_a_secret_event_does_not_come_to_mind(harbour: StoryMemory, level: str) -> None:
    (event,) = harbour.event.list().items
    harbour.event.update(id=event.id, patch={"aiContextLevel": level})
    context = harbour.context(18, 0, TEXT)
    assert ("event", "断缆夜") not in labels(list(context.recollections))
    assert "断缆" not in "".join(message.content for message in context.messages)


def test_nobody_is_remembered_through_a_secret(harbour: StoryMemory) -> None:
    (shen,) = (one for one in harbour.entity.list().items if one.name == "沈潮")
    harbour.entity.update(id=shen.id, expected_version=1, patch={"aiContextLevel": "never"})
    assert ("event", "断缆夜") not in labels(recollected(harbour))


def test_a_passage_that_stands_out_is_quoted(harbour: StoryMemory) -> None:
    (passage,) = (one for one in recollected(harbour) if one.kind == "passage")
    assert (passage.label, passage.chapter, passage.scene) == ("3.0", 3, 0)
    assert "必把沈家的灯油钱还清" in passage.text
    assert 0 < passage.score <= 1


def test_no_passage_is_quoted_that_is_like_the_others_or_not_told_yet(harbour: StoryMemory) -> None:
    assert [kind for kind, _ in labels(recollected(harbour, "她看了一眼窗外。她没有回头。"))] == []
    before = harbour.context(3, 0, TEXT)
    assert [one.label for one in before.recollections if one.kind == "passage"] == []


def test_a_quotation_loses_the_sentence_that_names_a_secret(harbour: StoryMemory) -> None:
    harbour.entity.create(type="character", name="盐先生", ai_context_level="never")
    harbour.scene(3, 0, f"{OATH}盐先生在帘后点了点头。")
    (passage,) = (one for one in recollected(harbour) if one.kind == "passage")
    assert "必把沈家的灯油钱还清" in passage.text
    assert "盐先生" not in passage.text


def test_without_a_text_the_last_summary_is_thought_of(harbour: StoryMemory) -> None:
    harbour.snapshot(17, 0, "江离收起了灯。")
    assert ("event", "断缆夜") in labels(recollected(harbour, ""))


def test_a_budget_of_nothing_brings_nothing_to_mind(harbour: StoryMemory) -> None:
    assert recollected(harbour, token_budget=0) == []


def test_memories_change_with_the_story(harbour: StoryMemory) -> None:
    assert ("event", "断缆夜") in labels(recollected(harbour))
    harbour.history.undo(revision=_revision_of(harbour, "knowledge:relation:create"))
    assert ("event", "断缆夜") not in labels(recollected(harbour))


def _revision_of(story: StoryMemory, action: str) -> int:
    return next(step.revision for step in story.history.list().items if step.action == action)


# The last words of a text

SENTENCES = st.lists(
    st.sampled_from(
        ["雨停了。", "“走吧！”", "她问：“谁？”\n", "It rained. ", "“Go!” said Ann. ", "灯灭了……"]
    ),
    min_size=1,
    max_size=30,
)


@given(
    SENTENCES,
    st.text(st.sampled_from("雨灯她Ab，“ "), min_size=1, max_size=12),
    st.sampled_from([25, 60, 500]),
)
def test_a_key_press_inside_an_unfinished_sentence_changes_nothing(
    written: list[str], typed: str, length: int
) -> None:
    text = "".join(written)
    known = last_words(text, length)
    typed = "A" + typed
    for count in range(1, len(typed) + 1):
        assert last_words(text + typed[:count], length) == known


@given(SENTENCES, st.sampled_from([5, 25, 60, 500]))
def test_last_words_are_the_end_of_the_text_and_not_too_long(written: list[str], length: int) -> None:
    text = "".join(written)
    said = last_words(text, length)
    assert text.rstrip().endswith(said)
    assert 0 < len(said) <= length


def test_the_last_words_of_short_texts() -> None:
    assert last_words("", 100) == ""
    assert last_words("  \n", 100) == ""
    assert last_words("还没写完", 100) == "还没写完"
    assert last_words("写完了。还没", 100) == "写完了。"
    assert last_words("第一句。第二句。第三句。", 9) == "第二句。第三句。"
    assert last_words("没有句号" * 50, 10) == ("没有句号" * 50)[-10:]


def test_the_topic_is_the_text_else_the_last_summary(memory: Memory) -> None:
    story = memory.story("题", language="zh")
    story.snapshot(0, 0, "前情。")
    assert topic_of("雨停了。", "zh", ()) == "雨停了。"
    assert topic_of("", "zh", ()) == ""
