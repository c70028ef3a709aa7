"""Single reads are answered from the index, and say what the rows say, whoever has written them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fabula.errors import NotFound
from fabula.index.cache import OUTDATED_READS
from fabula.memory import Memory
from fabula.story_memory import StoryMemory
from postgres import place_at


@pytest.fixture
def other(memory: Memory, tmp_path: Path) -> Iterator[Memory]:
    """The same database as another process has it open, with no index of its own."""
    with Memory(place_at(tmp_path / "fabula.db")) as opened:
        yield opened


def id_of(story: StoryMemory, name: str) -> str:
    return next(str(one.id) for one in story.entity.list().items if one.name == name)


def update(story: StoryMemory, called: str, **patch: Any) -> None:
    one = story.entity.read(id=id_of(story, called))
    story.entity.update(id=one.id, expected_version=one.version, patch=patch)


def told(story: StoryMemory) -> None:
    story.entity.create(
        type="character", name="林远", attributes={"relations": [{"target": "苏晴", "type": "友"}]}
    )
    story.entity.create(type="character", name="苏晴", aliases=["阿晴"])
    story.entity.create(type="location", name="望归塔")
    story.event.create(
        summary="相遇。", roles=["林远", "未来的人"], locations=["望归塔"], moment={"chapter": 1}
    )
    story.relation.create(
        source_entity_id=id_of(story, "苏晴"),
        target_entity_id=id_of(story, "望归塔"),
        relation_type="located_at",
    )
    story.entry("青云剑", "神兵。", category="item", keywords=["剑"])


def reads(story: StoryMemory) -> dict[str, Any]:
    """Everything that can be read alone, twice: what was read is answered from memory the second time."""
    found: dict[str, Any] = {}
    for _ in range(2):
        found = {one.id: dict(story.entity.read(id=one.id)) for one in story.entity.list().items}
        for entry in story.ask("lorebook.entry.list", size=100).items:
            found[entry.id] = story.ask("lorebook.entry.read", entry_id=entry.id)
    return found


def follow(story: StoryMemory) -> None:
    """Bring the index to the newest revision."""
    story.query.subgraph(center_entity_id=id_of(story, "林远"), k=1)


def found_count(memory: Memory) -> int:
    return int(memory.call().indexes.lookups.counts()["found"])


WRITES: dict[str, Callable[[StoryMemory], object]] = {
    "an entity is told anew": lambda story: update(
        story, "林远", description="剑客。", attributes={"年龄": 20}
    ),
    "a target is renamed": lambda story: update(story, "苏晴", name="苏小姐"),
    "a relation begins": lambda story: story.relation.create(
        source_entity_id=id_of(story, "林远"), target_entity_id=id_of(story, "望归塔"), relation_type="knows"
    ),
    "a relation is told anew": lambda story: story.relation.update(
        id=story.relation.list(filter={"relationType": "located_at"}).items[0].id,
        patch={"description": "昨夜"},
    ),
    "a relation ends": lambda story: story.relation.delete(
        id=story.relation.list(filter={"relationType": "located_at"}).items[0].id
    ),
    "a target goes": lambda story: story.entity.delete(id=id_of(story, "望归塔")),
    "a target is awaited": lambda story: update(
        story, "苏晴", attributes={"relations": [{"target": "顾清", "type": "敌"}]}
    ),
    "an awaited one comes": lambda story: story.entity.create(type="character", name="未来的人"),
    "an event is told anew": lambda story: story.event.update(
        id=story.event.list().items[0].id,
        expected_version=story.event.list().items[0].version,
        patch={"roles": ["苏晴"], "timeAnchor": "子时"},
    ),
    "an entry's entity is told anew": lambda story: update(
        story, "青云剑", description="断了。", aliases=["断剑"]
    ),
    "an entity is merged": lambda story: story.entity.merge(
        target_entity_id=id_of(story, "林远"), source_entity_ids=[id_of(story, "苏晴")]
    ),
    "the last step is undone": lambda story: story.history.undo(),
}


@pytest.mark.parametrize("what", WRITES)
def test_what_is_read_after_a_write_is_what_the_rows_say(
    memory: Memory, story: StoryMemory, other: Memory, what: str
) -> None:
    told(story)
    follow(story)
    reads(story)
    WRITES[what](story)
    follow(story)
    assert reads(story) == reads(StoryMemory(other, story.id))


@pytest.mark.parametrize("what", WRITES)
def test_what_another_process_writes_is_read_at_once(
    memory: Memory, story: StoryMemory, other: Memory, what: str
) -> None:
    told(story)
    follow(story)
    reads(story)
    elsewhere = StoryMemory(other, story.id)
    WRITES[what](elsewhere)
    assert reads(story) == reads(elsewhere)


def test_a_read_is_answered_from_the_index(memory: Memory, story: StoryMemory) -> None:
    told(story)
    follow(story)
    key, known = id_of(story, "林远"), found_count(memory)
    assert story.entity.read(id=key) == story.entity.read(id=key)
    assert found_count(memory) == known + 2


def test_an_index_that_is_behind_catches_up_when_it_is_asked_for(memory: Memory, story: StoryMemory) -> None:
    told(story)
    follow(story)
    update(story, "苏晴", description="医者。")
    key, known = id_of(story, "林远"), found_count(memory)
    for _ in range(OUTDATED_READS + 3):
        story.entity.read(id=key)
    assert found_count(memory) > known


def test_what_a_caller_does_to_an_answer_is_his_own_affair(story: StoryMemory) -> None:
    told(story)
    follow(story)
    key = id_of(story, "林远")
    story.entity.read(id=key).attributes["年龄"] = 99
    assert "年龄" not in story.entity.read(id=key).attributes


def test_what_is_gone_is_not_found(story: StoryMemory) -> None:
    told(story)
    follow(story)
    key = id_of(story, "望归塔")
    story.entity.read(id=key)
    story.entity.delete(id=key)
    for _ in range(OUTDATED_READS + 1):
        with pytest.raises(NotFound):
            story.entity.read(id=key)
