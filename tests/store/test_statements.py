"""How many statements a write takes: what nobody waits for is not asked, and what is known not read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from fabula.memory import Memory
from fabula.story_memory import StoryMemory

MOST = 5


@contextmanager
def statements() -> Iterator[list[str]]:
    """The statements of the block, on all connections."""
    heard: list[str] = []

    def hear(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        heard.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield heard
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


@pytest.fixture
def told(story: StoryMemory) -> StoryMemory:
    """A story whose connection has been used, with two people and a relation type of its own."""
    for name in ("林远", "苏晴", "顾清"):
        story.entity.create(type="character", name=name)
    ids = {one.name: one.id for one in story.entity.list().items}
    story.relation.create(source_entity_id=ids["林远"], target_entity_id=ids["苏晴"], relation_type="师徒")
    return story


def id_of(story: StoryMemory, name: str) -> str:
    return next(one.id for one in story.entity.list().items if one.name == name)


CREATES: dict[str, Callable[[StoryMemory], Callable[[], Any]]] = {
    "an entity": lambda story: lambda: story.entity.create(type="character", name="沈舟"),
    "an entity with other names": lambda story: (
        lambda: story.entity.create(
            type="character",
            name="沈舟",
            aliases=["阿舟", "沈公子"],
            description="船夫。",
            attributes={"年龄": 20},
        )
    ),
    "an entry": lambda story: lambda: story.entry("规矩", "不得喧哗。", keywords=["喧哗"]),
}


@pytest.mark.parametrize("what", CREATES)
def test_a_create_takes_few_statements(told: StoryMemory, what: str) -> None:
    create = CREATES[what](told)
    with statements() as heard:
        create()
    assert 0 < len(heard) <= MOST, heard


def test_a_relation_takes_few_statements(told: StoryMemory) -> None:
    source, target = id_of(told, "苏晴"), id_of(told, "顾清")
    with statements() as heard:
        told.relation.create(source_entity_id=source, target_entity_id=target, relation_type="师徒")
    assert 0 < len(heard) <= MOST, heard


def test_what_a_create_answers_is_what_is_read(memory: Memory, told: StoryMemory) -> None:
    """Nothing is read back, so the answer must be what a read would have been."""
    made = told.entity.create(
        type="character",
        name="沈舟",
        aliases=["阿舟"],
        attributes={"年龄": 20, "relations": [{"target": "林远", "type": "友"}]},
    )
    assert dict(told.entity.read(id=made.id)) == dict(made)
    alone = told.entity.create(
        type="item", name="船", description=" 旧船。 ", attributes={"a": [1, 2.0, None]}
    )
    assert dict(told.entity.read(id=alone.id)) == dict(alone)
    event = told.entity.create(type="event", name="出航", attributes={"chapterIndex": 2})
    assert dict(told.entity.read(id=event.id)) == dict(event)
    entry = told.entry("船上的规矩", "不得喧哗。", category="concept", keywords=["喧哗"])
    assert told.ask("lorebook.entry.read", entry_id=entry.id) == entry
    tie = told.relation.create(
        source_entity_id=made.id, target_entity_id=alone.id, relation_type="owns", since={"chapter": 1}
    )
    (read,) = told.relation.list(filter={"sourceEntityId": made.id, "relationType": "owns"}).items
    assert dict(read) == dict(tie)
    assert [report.differing for report in memory.audit()] == [()]
