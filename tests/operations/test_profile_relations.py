"""Relations in a profile: the same rows, written and read another way."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


def bonds(story: StoryMemory) -> list[tuple[str, str, str, str]]:
    names = {item.id: item.name for item in story.entity.list().items}
    return sorted(
        (names[item.source_entity_id], names[item.target_entity_id], item.relation_type, item.description)
        for item in story.relation.list().items
    )


def profile(story: StoryMemory, entity_id: str) -> list[dict[str, Any]]:
    """The relations of a profile, without the ids."""
    shown = story.entity.read(id=entity_id).attributes.get("relations", [])
    return [{key: value for key, value in one.items() if key != "targetId"} for one in shown]


@pytest.mark.scenario("ENGRAM-NO-EDGES", "ENGRAM-RELATION-SHAPE")
@pytest.mark.parametrize("field", ["attributes", "profile"])
@pytest.mark.parametrize(
    "relations",
    [
        [{"target": "Bob", "type": "Friend", "description": "战友"}, {"target": "皇帝", "type": "enemy"}],
        {"Bob": {"type": "Friend", "description": "战友"}, "皇帝": {"type": "enemy"}},
    ],
    ids=["list", "object"],
)
def test_both_forms_are_rows_and_what_is_not_there_waits(
    story: StoryMemory, field: str, relations: Any
) -> None:
    story.entity.create(type="character", name="Robert", aliases=["Bob"])
    alice = story.entity.create(type="char", name="Alice", **{field: {"age": 20, "relations": relations}})
    assert bonds(story) == [("Alice", "Robert", "friend", "战友")]
    assert profile(story, alice.id) == [
        {"target": "Robert", "type": "friend", "description": "战友"},
        {"target": "皇帝", "type": "enemy"},
    ]
    assert "friend" in {kind.key for kind in story.relationtype.list().items}
    (listed,) = (item for item in story.entity.list().items if item.id == alice.id)
    assert listed.attributes == {"age": 20}
    assert listed.prompt_text == "age: 20"
    story.entity.create(type="char", name="皇帝")
    assert bonds(story)[-1] == ("Alice", "皇帝", "enemy", "")
    assert profile(story, alice.id)[1] == {"target": "皇帝", "type": "enemy"}


def test_what_was_read_can_be_written_back_unchanged(story: StoryMemory) -> None:
    story.entity.create(type="char", name="Bob")
    relations = [
        {"target": "Bob", "type": "ally", "since": {"chapter": 3}},
        {"target": "无名", "type": "enemy"},
    ]
    alice = story.entity.create(type="char", name="Alice", profile={"relations": relations})
    story.relation.create(
        source_entity_id=alice.id,
        target_entity_id=story.entity.list(filter={"keyword": "Bob"}).items[0].id,
        relation_type="ally",
        description="后来",
        since={"chapter": 9},
    )
    read = story.entity.read(id=alice.id)
    revision = story.history.list(limit=1).items[0].revision
    written = story.entity.update(
        id=alice.id, expected_version=1, patch={"attributes": read.model_dump()["attributes"]}
    )
    assert dict(written) == dict(read)
    assert story.history.list(limit=1).items[0].revision == revision


def test_a_profile_without_relations_leaves_them_alone(story: StoryMemory) -> None:
    alice = story.entity.create(type="char", name="Alice", profile={"relations": {"Bob": {"type": "ally"}}})
    story.entity.update(id=alice.id, expected_version=1, patch={"attributes": {"age": 3}})
    assert profile(story, alice.id) == [{"target": "Bob", "type": "ally"}]


def test_a_relation_said_again_takes_the_new_words(story: StoryMemory) -> None:
    story.entity.create(type="char", name="Bob")
    said: dict[str, Any] = {"Bob": {"type": "ally", "description": "一"}, "无名": {"type": "ally"}}
    alice = story.entity.create(type="char", name="Alice", profile={"relations": said})
    (before,) = story.relation.list().items
    said = {name: {"type": "盟友", "description": "二"} for name in ("Bob", "无名")}
    story.entity.update(id=alice.id, expected_version=1, patch={"profile": {"relations": said}})
    (after,) = story.relation.list().items
    assert (after.id, after.description, after.version) == (before.id, "二", 2)
    assert [one["description"] for one in profile(story, alice.id)] == ["二", "二"]
    story.history.undo()
    assert [one.get("description") for one in profile(story, alice.id)] == ["一", None]


def test_null_parts_two_and_forgets_whom_one_waits_for(story: StoryMemory) -> None:
    story.entity.create(type="char", name="Bob")
    said = {"Bob": {"type": "ally"}, "无名": {"type": "ally"}}
    alice = story.entity.create(type="char", name="Alice", profile={"relations": said})
    gone = {"relations": dict.fromkeys(said)}
    story.entity.update(id=alice.id, expected_version=1, patch={"profile": gone})
    assert profile(story, alice.id) == []
    story.history.undo()
    assert len(profile(story, alice.id)) == 2


def test_one_that_comes_with_the_same_relation_takes_the_waiting_one_up(story: StoryMemory) -> None:
    bob = story.entity.create(type="char", name="Rob")
    alice = story.entity.create(
        type="char",
        name="Alice",
        profile={"relations": [{"target": "Bob", "type": "ally", "description": "旧识"}]},
    )
    known = story.relation.create(source_entity_id=alice.id, target_entity_id=bob.id, relation_type="ally")
    story.entity.update(id=bob.id, expected_version=1, patch={"aliases": ["Bob"]})
    (one,) = story.relation.list().items
    assert (one.id, one.description) == (known.id, "旧识")


def test_in_a_batch_profiles_find_each_other(story: StoryMemory, memory: Memory) -> None:
    made = story.batch.upsert(
        entities=[
            {"type": "char", "name": "甲", "profile": {"relations": {"乙": {"type": "ally"}}}},
            {"type": "char", "name": "乙", "attributes": {"relations": [{"target": "甲", "type": "enemy"}]}},
        ]
    )
    assert made.created_relation_count == 2
    assert bonds(story) == [("乙", "甲", "enemy", ""), ("甲", "乙", "ally", "")]
    assert memory.audit()[0].differing == ()


def test_an_entry_of_the_lorebook_speaks_of_relations_too(story: StoryMemory) -> None:
    story.entity.create(type="char", name="Bob")
    entry = story.entry(
        "Alice", "她来了。", category="character", attributes={"relations": {"Bob": {"type": "ally"}}, "a": 1}
    )
    assert entry.attributes == {"a": 1}
    assert bonds(story) == [("Alice", "Bob", "ally", "")]


def test_a_renamed_target_stays_the_target(story: StoryMemory) -> None:
    bob = story.entity.create(type="char", name="Bob")
    alice = story.entity.create(type="char", name="Alice", profile={"relations": {"Bob": {"type": "ally"}}})
    story.entity.update(id=bob.id, expected_version=1, patch={"name": "Rob"})
    assert profile(story, alice.id) == [{"target": "Rob", "type": "ally"}]


def test_a_word_that_is_waited_with_is_not_undone(story: StoryMemory) -> None:
    one, other = (story.entity.create(type="char", name=name).id for name in ("甲", "乙"))
    story.relation.create(source_entity_id=one, target_entity_id=other, relation_type="师徒")
    word = story.history.list(limit=1).items[0].revision
    wish = {"relations": {"丙": {"type": "师徒"}}}
    story.entity.update(id=one, expected_version=1, patch={"profile": wish})
    with pytest.raises(FabulaError) as refused:
        story.history.undo(revision=word)
    assert refused.value.code == "CONFLICT"
    story.history.undo()
    story.history.undo()
    assert story.relation.list().items == ()


@pytest.mark.scenario("ENGRAM-PROFILE")
def test_identity_stands_first_and_tags_are_a_list(story: StoryMemory) -> None:
    told = story.entity.create(
        type="char",
        name="Alice",
        description="她不说话。",
        profile={"age": 20, "identity": "守灯人", "tags": "沉静，固执, 忠"},
    )
    assert told.prompt_text.splitlines()[:3] == ["identity: 守灯人", "她不说话。", "age: 20"]
    assert told.attributes["tags"] == ["沉静", "固执", "忠"]


BAD: dict[str, tuple[Any, str]] = {
    "text": ({"relations": "Bob"}, "attributes.relations"),
    "number": ({"relations": 3}, "attributes.relations"),
    "no target": ({"relations": [{"type": "ally"}]}, "attributes.relations[0]"),
    "no type": (
        {"relations": [{"target": "甲", "type": "a"}, {"target": "Bob"}]},
        "attributes.relations[1].type",
    ),
    "blank target": ({"relations": [{"target": " ", "type": "ally"}]}, "attributes.relations[0].target"),
    "unknown field": ({"relations": [{"target": "B", "type": "a", "w": 1}]}, "attributes.relations[0].w"),
    "object of texts": ({"relations": {"Bob": "ally"}}, "attributes.relations.Bob"),
    "object without type": ({"relations": {"Bob": {}}}, "attributes.relations.Bob.type"),
    "item is text": ({"relations": ["Bob"]}, "attributes.relations[0]"),
    "oneself": ({"relations": {"alice": {"type": "ally"}}}, "attributes.relations[0]"),
    "tags of numbers": ({"tags": [1]}, "attributes.tags"),
    "identity of an object": ({"identity": {"a": 1}}, "attributes.identity"),
}


@pytest.mark.parametrize(("attributes", "path"), BAD.values(), ids=BAD)
def test_bad_forms_are_refused_with_their_place(story: StoryMemory, attributes: Any, path: str) -> None:
    with pytest.raises(FabulaError) as refused:
        story.entity.create(type="character", name="Alice", attributes=attributes)
    assert refused.value.code == "VALIDATION_ERROR"
    assert refused.value.details["errors"][0]["path"] == path
    with pytest.raises(FabulaError) as refused:
        story.batch.upsert(entities=[{"type": "character", "name": "Alice", "profile": attributes}])
    assert refused.value.code == "VALIDATION_ERROR"
    assert path in refused.value.message
    assert story.entity.list().total_count == 0


def test_a_target_by_an_id_of_nobody_is_refused(story: StoryMemory) -> None:
    with pytest.raises(FabulaError) as refused:
        story.entity.create(
            type="char", name="甲", profile={"relations": [{"targetId": "nobody", "type": "ally"}]}
        )
    assert refused.value.code == "KG_RELATION_INVALID"
