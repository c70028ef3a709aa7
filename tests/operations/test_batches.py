"""Many entities and relations in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fabula.errors import (
    AttributeKeysExceeded,
    CapacityExceeded,
    Conflict,
    EntityDuplicate,
    FabulaError,
    InvalidInput,
    RelationInvalid,
)
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.story_memory import StoryMemory


def someone(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "character", "name": name, **fields}


def bond(source: str, target: str, word: str = "ally", **fields: Any) -> dict[str, Any]:
    return {"sourceName": source, "targetName": target, "relationType": word, **fields}


def refused(story: StoryMemory, kind: type[FabulaError], **request: Any) -> FabulaError:
    """The refusal of a batch that must leave nothing behind."""

    def state() -> tuple[Any, ...]:
        return (
            story.entity.list().items,
            story.relation.list().items,
            story.relationtype.list().items,
            story.history.list().total_count,
        )

    before = state()
    with pytest.raises(FabulaError) as error:
        story.batch.upsert(**request)
    assert type(error.value) is kind
    assert error.value.suggestion
    assert state() == before
    return error.value


def paths(error: FabulaError) -> list[tuple[str, str]]:
    assert error.details is not None
    return [(problem["path"], problem["code"]) for problem in error.details["errors"]]


def test_a_story_is_loaded_in_one_step(memory: Memory) -> None:
    story = StoryMemory(memory, "new")
    made = story.batch.upsert(
        entities=[someone("林远"), someone("Alice"), {"type": "loc", "name": "青云宗", "id": "place-1"}],
        relations=[
            bond("林远", "ＡＬＩＣＥ", "师徒"),
            {"sourceName": "alice", "targetEntityId": "place-1", "relationType": "Located At"},
        ],
    )
    assert (made.created_entity_count, made.updated_entity_count) == (3, 0)
    assert (made.created_relation_count, made.updated_relation_count) == (2, 0)
    assert made.entity_ids[2] == "place-1"
    assert [story.entity.read(id=key).name for key in made.entity_ids] == ["林远", "Alice", "青云宗"]
    first, second = (next(r for r in story.relation.list().items if r.id == key) for key in made.relation_ids)
    assert (first.source_entity_id, first.target_entity_id) == made.entity_ids[:2]
    assert (second.source_entity_id, second.relation_type) == (made.entity_ids[1], "located_at")
    assert [step.action for step in story.history.list().items] == ["knowledge:batch:upsert", "story:create"]
    assert "师徒" in {kind.key for kind in story.relationtype.list().items}
    story.history.undo()
    assert story.entity.list().total_count == story.relation.list().total_count == 0
    assert memory.audit()[0].differing == ()


def test_upsert_changes_what_is_given_and_keeps_the_rest(story: StoryMemory) -> None:
    story.batch.upsert(
        entities=[
            someone("Alice", description="旧", attributes={"a": 1}, aliases=["阿丽"], aiContextLevel="never"),
            someone("Bob"),
        ],
        relations=[bond("Alice", "Bob", description="旧识", properties={"x": 1}, until={"chapter": 4})],
    )
    (before,) = (e for e in story.entity.list().items if e.name == "Alice")
    (edge,) = story.relation.list().items
    made = story.batch.upsert(
        entities=[someone("ａｌｉｃｅ", description="新"), someone("Bob")],
        relations=[bond("alice", "bob", "ALLY", properties={"x": True})],
    )
    assert (made.created_entity_count, made.updated_entity_count) == (0, 1)
    assert (made.created_relation_count, made.updated_relation_count) == (0, 1)
    (after,) = (e for e in story.entity.list().items if e.id == before.id)
    assert dict(after) == {
        **dict(before),
        "description": "新",
        "prompt_text": "新\na: 1",
        "version": before.version + 1,
        "updated_at": after.updated_at,
    }
    assert after.updated_at > before.updated_at
    (now,) = story.relation.list().items
    assert now.properties["x"] is True
    assert (now.id, now.description, now.until, now.version) == (edge.id, "旧识", edge.until, 2)
    assert now.created_at == edge.created_at
    story.history.undo()
    assert story.entity.read(id=before.id).description == "旧"
    assert story.relation.list().items[0].properties["x"] is not True


def test_upserting_the_same_again_is_no_step(story: StoryMemory) -> None:
    batch = {
        "entities": [someone("Alice", description="旧", attributes={"a": 1}), someone("Bob")],
        "relations": [bond("Alice", "Bob", description="x")],
    }
    first = story.batch.upsert(**batch)
    steps = story.history.list().total_count
    again = story.batch.upsert(**batch)
    assert (again.entity_ids, again.relation_ids) == (first.entity_ids, first.relation_ids)
    assert (again.created_entity_count, again.updated_entity_count) == (0, 0)
    assert story.history.list().total_count == steps


def test_all_problems_with_entities_are_told_with_their_places(story: StoryMemory) -> None:
    story.batch.upsert(entities=[someone("known", id="k1"), someone("other", id="k2")])
    error = refused(
        story,
        EntityDuplicate,
        mode="create",
        entities=[
            someone("fine"),
            someone("ＫＮＯＷＮ"),
            someone("new", id="k1"),
            someone("Fine "),
            {"type": "spaceship", "name": "x"},
            someone("many", attributes={str(n): n for n in range(201)}),
        ],
    )
    assert paths(error) == [
        ("entities[1]", "KG_ENTITY_DUPLICATE"),
        ("entities[2]", "VALIDATION_ERROR"),
        ("entities[3]", "KG_ENTITY_DUPLICATE"),
        ("entities[4]", "VALIDATION_ERROR"),
        ("entities[5]", "KG_ATTRIBUTE_KEYS_EXCEEDED"),
    ]
    assert error.message.startswith("entities[1]: ")
    assert error.details is not None
    assert (error.details["errorCount"], error.details["existingId"]) == (5, "k1")


@pytest.mark.long
def test_all_problems_with_relations_are_told_with_their_places(story: StoryMemory) -> None:
    story.batch.upsert(entities=[someone("two"), {"type": "item", "name": "two"}, someone("one", id="o")])
    error = refused(
        story,
        RelationInvalid,
        entities=[someone("brand new", id="b")],
        relations=[
            bond("one", "brand new", "新词"),
            bond("one", "two"),
            bond("one", "nobody"),
            bond("one", "ＯＮＥ"),
            {"sourceEntityId": "o", "sourceName": "one", "targetEntityId": "b", "relationType": "ally"},
            {"sourceEntityId": "o", "relationType": "ally"},
            {"sourceEntityId": "o", "targetEntityId": "ghost", "relationType": "ally"},
            {"sourceEntityId": "o", "targetEntityId": "b", "relationType": "新词 "},
        ],
    )
    assert paths(error) == [
        ("relations[1]", "KG_RELATION_INVALID"),
        ("relations[2]", "KG_RELATION_INVALID"),
        ("relations[3]", "KG_RELATION_INVALID"),
        ("relations[4]", "VALIDATION_ERROR"),
        ("relations[5]", "VALIDATION_ERROR"),
        ("relations[6]", "KG_RELATION_INVALID"),
        ("relations[7]", "CONFLICT"),
    ]
    assert error.details is not None
    assert error.details["reason"] == "ambiguous_name"
    assert len(error.details["candidates"]) == 2


@pytest.mark.parametrize("known", [False, True])
def test_a_relation_stands_in_a_batch_once(story: StoryMemory, known: bool) -> None:
    story.batch.upsert(entities=[someone("a"), someone("b")], relations=[bond("a", "b")] if known else [])
    error = refused(
        story,
        Conflict,
        relations=[bond("a", "b", description="x"), bond("A", "B", "ALLY", properties={"y": 1})],
    )
    assert paths(error) == [("relations[1]", "CONFLICT")]
    made = story.batch.upsert(
        relations=[
            bond("a", "b"),
            bond("a", "b", since={"chapter": 2}),
            bond("b", "a"),
            bond("a", "b", "enemy"),
        ]
    )
    assert len(set(made.relation_ids)) == 4


def test_ids_are_not_given_twice(story: StoryMemory) -> None:
    story.batch.upsert(
        entities=[someone("a", id="x"), someone("b", id="y")], relations=[bond("a", "b", id="r")]
    )
    refused(story, InvalidInput, entities=[someone("c", id="x")])
    refused(story, InvalidInput, entities=[someone("a", id="z")])
    refused(story, InvalidInput, entities=[someone("c", id="n"), someone("d", id="n")])
    refused(story, InvalidInput, relations=[bond("b", "a", id="r")])
    assert story.batch.upsert(entities=[someone("a", id="x", description="!")]).updated_entity_count == 1


def test_mode_create_refuses_what_is_known(story: StoryMemory) -> None:
    story.batch.upsert(entities=[someone("a"), someone("b")], relations=[bond("a", "b")])
    refused(story, EntityDuplicate, mode="create", entities=[someone("A")])
    refused(story, Conflict, mode="create", relations=[bond("a", "b")])


def test_a_batch_over_the_limits_leaves_nothing_behind(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="item", name="before")
    with Memory(memory.place, limits=Limits(max_entities=3, max_relations=1, max_attribute_keys=2)) as small:
        tight = StoryMemory(small, story.id)
        error = refused(tight, CapacityExceeded, entities=[someone(str(n)) for n in range(3)])
        assert error.details == {"kind": "node", "limit": 3}
        pair = [someone("a"), someone("b")]
        error = refused(tight, CapacityExceeded, entities=pair, relations=[bond("a", "b"), bond("b", "a")])
        assert error.details == {"kind": "edge", "limit": 1}
        refused(tight, AttributeKeysExceeded, entities=[someone("a", attributes={"1": 1, "2": 2, "3": 3})])
        assert tight.batch.upsert(entities=pair, relations=[bond("a", "b")]).created_relation_count == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda story, key: story.relation.update(id=key, patch={"properties": {"alive": True}}),
        lambda story, key: story.batch.upsert(relations=[bond("a", "b", properties={"alive": True})]),
    ],
)
def test_true_is_not_one(story: StoryMemory, change: Callable[[StoryMemory, str], Any]) -> None:
    story.batch.upsert(
        entities=[someone("a"), someone("b")], relations=[bond("a", "b", properties={"alive": 1})]
    )
    change(story, story.relation.list().items[0].id)
    assert story.relation.list().items[0].properties["alive"] is True
