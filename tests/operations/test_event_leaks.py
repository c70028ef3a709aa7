"""What a model is told through an event: nothing of secrets, and nothing that has not happened yet."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.story_memory import StoryMemory


@pytest.fixture
def confession(story: StoryMemory) -> Any:
    story.entity.create(type="character", name="陶婆")
    story.entity.create(type="character", name="盐先生", aliases=["帘后人"], aiContextLevel="never")
    story.entity.create(type="location", name="密仓", aiContextLevel="never")
    return story.event.create(
        name="夜审",
        event="帘后人现身",
        summary="陶婆进了仓。盐先生开口了。",
        timeAnchor="密仓关门之后",
        locations=["密仓"],
        roles=[{"name": "陶婆", "role": "认罪的人"}, {"name": "盐先生", "role": "主事"}],
        causality="盐先生欠她一个名字。",
        attributes={"见证": "帘后人", "时段": "夜"},
        moment={"chapter": 3, "scene": 1},
    )


def told(story: StoryMemory, chapter: int, scene: int, text: str = "说起夜审。", **more: Any) -> str:
    context = story.context(chapter, scene, text, **more)
    return "\n".join(message.content for message in context.messages if message.role == "system")


def test_a_secret_participant_is_in_no_line_of_the_event(story: StoryMemory, confession: Any) -> None:
    heard = told(story, 3, 1)
    assert "- 陶婆（认罪的人）" in heard
    assert "陶婆进了仓。" in heard
    assert "时段: 夜" in heard
    for secret in ("盐先生", "帘后人", "密仓", "主事"):
        assert secret not in heard
    assert "盐先生" in story.event.read(id=confession.id).prompt_text


def test_relevant_and_pinned_withhold_the_same(story: StoryMemory, confession: Any) -> None:
    (event,) = (
        item
        for item in story.query.relevant(excerpt="夜审时陶婆认罪", max_entities=10).items
        if item.id == confession.id
    )
    pinned = told(story, 3, 1, "。", pinned=[confession.id])
    for heard in (event.prompt_text, event.description, str(event.attributes), pinned):
        assert "陶婆" in heard or heard == str(event.attributes)
        for secret in ("盐先生", "帘后人", "密仓"):
            assert secret not in heard


def test_a_secret_made_later_is_withheld_from_what_was_burned_in_before(
    story: StoryMemory, confession: Any
) -> None:
    (woman,) = (item for item in story.entity.list().items if item.name == "陶婆")
    patch = {"name": "陶氏", "aliases": ["陶婆"], "aiContextLevel": "never"}
    story.entity.update(id=woman.id, expected_version=1, patch=patch)
    heard = told(story, 3, 1)
    assert "陶婆" not in heard
    assert "陶氏" not in heard


def test_an_event_is_not_told_before_it_happens(story: StoryMemory, confession: Any) -> None:
    for place in ((0, 0), (2, 9), (3, 0)):
        assert "认罪的人" not in told(story, *place)
        assert "认罪的人" not in told(story, *place, pinned=[confession.id])
    for place in ((3, 1), (3, 2), (12, 0)):
        assert "认罪的人" in told(story, *place)
    story.event.update(id=confession.id, patch={"moment": {"chapter": 12}})
    assert "认罪的人" not in told(story, 5, 0)


def test_a_state_of_an_event_is_told_beside_its_people(story: StoryMemory, confession: Any) -> None:
    story.state.create(entity_id=confession.id, description="此事已封口。", since={"chapter": 4})
    assert "此事已封口。" not in told(story, 3, 1)
    heard = told(story, 4, 0)
    assert "此事已封口。" in heard
    assert "- 陶婆（认罪的人）" in heard


def test_somebody_who_enters_later_is_not_named_through_an_early_event(story: StoryMemory) -> None:
    story.event.create(name="开端", summary="船来了。", roles=["白鹭", "江离"], moment={"chapter": 0})
    story.entity.create(type="character", name="江离")
    story.entity.create(type="character", name="白鹭", since={"chapter": 4})
    assert "白鹭" not in told(story, 1, 0, "说起开端。")
    assert "- 江离" in told(story, 1, 0, "说起开端。")
    assert "- 白鹭" in told(story, 4, 0, "说起开端。")
