"""Laws of undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import Conflict, EntityConflict, FabulaError, NotFound
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

WITHOUT = {"version", "updated_at"}
SHARED_STORY = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def content(story: StoryMemory) -> dict[str, Any]:
    """Everything in the story apart from what every write changes."""
    rows = (*story.entity.list().items, *story.relation.list().items)
    found: dict[str, Any] = {row.id: row.model_dump(exclude=WITHOUT) for row in rows}
    return found | {kind.key: kind for kind in story.relationtype.list().items}


def versions(story: StoryMemory) -> dict[str, int]:
    return {row.id: row.version for row in (*story.entity.list().items, *story.relation.list().items)}


def newest(story: StoryMemory) -> int:
    return int(story.history.list(limit=1).items[0].revision)


def person(story: StoryMemory, name: str, **fields: Any) -> Any:
    return story.entity.create(type="character", name=name, **fields)


def relate(story: StoryMemory, source: Any, target: Any, word: str = "ally", **fields: Any) -> Any:
    return story.relation.create(
        source_entity_id=source.id, target_entity_id=target.id, relation_type=word, **fields
    )


def clean(memory: Memory) -> bool:
    return all(report.differing == () for report in memory.audit())


deeds = st.lists(st.tuples(st.sampled_from("cudrRm"), st.integers(0, 9), st.integers(0, 9)), max_size=12)


def do(story: StoryMemory, deed: str, one: int, other: int) -> None:
    """One thing somebody may do; what is refused changes nothing."""
    entities = sorted(story.entity.list().items, key=lambda entity: str(entity.id))
    first = entities[one % len(entities)] if entities else None
    second = entities[other % len(entities)] if entities else None
    acts: dict[str, Callable[[], Any]] = {
        "c": lambda: person(story, f"n{one}", description=f"d{other}", aliases=[f"a{other}"]),
        "u": lambda: story.entity.update(
            id=first.id,
            expected_version=first.version,
            patch={"name": f"n{other}", "attributes": {"x": other}},
        ),
        "d": lambda: story.entity.delete(id=first.id),
        "r": lambda: relate(story, first, second, f"w{one}"),
        "R": lambda: story.relation.delete(id=story.relation.list().items[0].id),
        "m": lambda: story.entity.merge(target_entity_id=first.id, source_entity_ids=[second.id]),
    }
    try:
        acts[deed]()
    except (FabulaError, AttributeError, IndexError):
        return


@SHARED_STORY
@given(deeds)
def test_undoing_everything_gives_the_empty_story_and_redoing_everything_gives_it_all_back(
    memory: Memory, done: list[tuple[str, int, int]]
) -> None:
    story = StoryMemory(memory, str(uuid4()))
    person(story, "first")
    story.history.undo()
    blank = content(story)
    states = [blank]
    highest: dict[str, int] = {}
    for deed in done:
        before = newest(story)
        do(story, *deed)
        if newest(story) > before:
            states.append(content(story))
        highest |= versions(story)
    for state in reversed(states[:-1]):
        story.history.undo()
        assert content(story) == state
    with pytest.raises(Conflict):
        story.history.undo()
    assert story.entity.list().total_count == story.relation.list().total_count == 0
    for state in states[1:]:
        story.history.redo()
        assert content(story) == state
    if len(states) > 1:
        with pytest.raises(Conflict):
            story.history.redo()
        assert all(version > highest[key] for key, version in versions(story).items() if key in highest)
    assert clean(memory)
    delete_story(memory.call(), project_id=story.id)


def test_something_new_ends_what_can_be_redone(story: StoryMemory) -> None:
    person(story, "林远")
    story.history.undo()
    person(story, "苏晴")
    with pytest.raises(Conflict) as refused:
        story.history.redo()
    assert refused.value.suggestion


def test_versions_from_before_an_undo_never_pass(story: StoryMemory) -> None:
    entity = person(story, "林远")
    seen = {entity.version}
    moves = ["update", "undo", "redo", "undo", "delete", "undo", "redo", "undo", "update"]
    for number, move in enumerate(moves):
        if move == "update":
            current = story.entity.read(id=entity.id).version
            story.entity.update(id=entity.id, expected_version=current, patch={"description": f"{number}"})
        elif move == "delete":
            story.entity.delete(id=entity.id)
        else:
            getattr(story.history, move)()
        if entity.id not in versions(story):
            continue
        current = story.entity.read(id=entity.id).version
        assert current not in seen
        for stale in seen:
            with pytest.raises(EntityConflict) as refused:
                story.entity.update(id=entity.id, expected_version=stale, patch={"description": "stale"})
            assert refused.value.details is not None
            assert refused.value.details["latestVersion"] == current
        seen.add(current)


def test_a_version_is_not_given_again_after_other_steps_were_taken_back(story: StoryMemory) -> None:
    entity = person(story, "林远")
    story.entity.delete(id=entity.id)
    removal = newest(story)
    story.history.undo()
    story.entity.update(
        id=entity.id, expected_version=versions(story)[entity.id], patch={"description": "held by a client"}
    )
    held = versions(story)[entity.id]
    story.history.undo()
    story.history.redo(revision=removal)
    story.history.undo(revision=removal)
    assert versions(story)[entity.id] > held


def refused_and_unchanged(memory: Memory, story: StoryMemory, act: Callable[[], Any]) -> Conflict:
    before, revision, at = content(story), newest(story), versions(story)
    with pytest.raises(Conflict) as refused:
        act()
    assert refused.value.code == "CONFLICT"
    assert refused.value.suggestion
    assert (content(story), newest(story), versions(story)) == (before, revision, at)
    assert clean(memory)
    return refused.value


def test_an_old_step_is_not_taken_back_over_a_later_change(memory: Memory, story: StoryMemory) -> None:
    entity = person(story, "林远")
    story.entity.update(id=entity.id, expected_version=1, patch={"description": "一"})
    first = newest(story)
    story.entity.update(id=entity.id, expected_version=2, patch={"description": "二"})
    error = refused_and_unchanged(memory, story, lambda: story.history.undo(revision=first))
    assert error.details is not None
    assert error.details["id"] == entity.id


def test_an_entity_is_not_taken_back_from_under_a_relation(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "林远")
    creation = newest(story)
    relate(story, one, person(story, "苏晴"))
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=creation))


def test_a_name_that_was_given_away_does_not_come_back(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "Alice")
    story.entity.delete(id=one.id)
    removal = newest(story)
    person(story, "ＡＬＩＣＥ")
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=removal))


def test_a_rename_is_not_taken_back_when_the_old_name_is_taken(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "林远")
    story.entity.update(id=one.id, expected_version=1, patch={"name": "林远山"})
    renaming = newest(story)
    person(story, "林远")
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=renaming))


def test_a_relation_does_not_come_back_beside_its_equal(memory: Memory, story: StoryMemory) -> None:
    one, other = person(story, "林远"), person(story, "苏晴")
    relation = relate(story, one, other)
    story.relation.delete(id=relation.id)
    removal = newest(story)
    relate(story, one, other)
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=removal))


def test_a_word_is_not_taken_back_while_relations_use_it(memory: Memory, story: StoryMemory) -> None:
    one, other = person(story, "林远"), person(story, "苏晴")
    relate(story, one, other, "师徒")
    creation = newest(story)
    relate(story, other, one, "师徒")
    later = newest(story)
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=creation))
    story.history.undo()
    story.history.undo()
    assert "师徒" not in content(story)
    refused_and_unchanged(memory, story, lambda: story.history.redo(revision=later))


def test_an_old_step_that_nothing_depends_on_is_taken_back_alone(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "林远")
    creation = newest(story)
    other = person(story, "苏晴")
    answer = story.history.undo(revision=creation)
    assert answer.reverted_revision == creation
    assert [item.id for item in story.entity.list().items] == [other.id]
    assert story.history.redo(revision=creation).restored_revision == creation
    assert {item.id for item in story.entity.list().items} == {one.id, other.id}
    assert clean(memory)


def test_a_step_of_many_changes_is_refused_for_who_would_rather_ask(
    memory: Memory, story: StoryMemory
) -> None:
    people = [person(story, name) for name in ("林远", "苏晴", "陈伯")]
    story.entity.merge(target_entity_id=people[0].id, source_entity_ids=[one.id for one in people[1:]])
    merging = newest(story)
    details = refused_and_unchanged(memory, story, lambda: story.history.undo(max_changes=1)).details
    assert details is not None
    assert details["revision"] == merging
    enough = details["changeCount"]
    assert enough >= len(people)
    assert story.history.undo(max_changes=enough).reverted_revision == merging


def test_undo_and_redo_are_not_themselves_undone_or_redone(memory: Memory, story: StoryMemory) -> None:
    person(story, "林远")
    undoing = story.history.undo().step.revision
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=undoing))
    redoing = story.history.redo().step.revision
    for step in (undoing, redoing):
        refused_and_unchanged(memory, story, lambda step=step: story.history.undo(revision=step))
        refused_and_unchanged(memory, story, lambda step=step: story.history.redo(revision=step))
    refused_and_unchanged(memory, story, lambda: story.history.undo(revision=1))
    with pytest.raises(NotFound):
        story.history.undo(revision=99)
    with pytest.raises(NotFound):
        story.history.redo(revision=99)


def test_merge_then_undo_restores_everybody_and_every_relation(memory: Memory, story: StoryMemory) -> None:
    kept = person(story, "林远", description="少年", attributes={"a": 1}, aliases=["阿远"], significance=0.2)
    twin = person(story, "阿远山", description="剑客", attributes={"a": 2, "b": 3}, ai_context_level="never")
    third = person(story, "Lin", significance=0.9)
    friend = person(story, "苏晴")
    relate(story, kept, twin)
    relate(story, kept, friend, description="同门", properties={"x": 1})
    relate(story, twin, friend, description="旧识", properties={"x": 2, "y": 3}, until={"chapter": 9})
    relate(story, friend, third, "师徒", since={"chapter": 2})
    before = content(story)
    merged = story.entity.merge(target_entity_id=kept.id, source_entity_ids=[twin.id, third.id])
    assert (merged.redirected_relation_count, merged.dropped_relation_count) == (1, 2)
    assert set(merged.entity.aliases) == {"阿远", "阿远山", "Lin"}
    assert merged.entity.attributes == {"a": 1, "a (阿远山)": 2, "b": 3}
    assert merged.entity.ai_context_level == "never"
    assert {item.id for item in story.entity.list().items} == {kept.id, friend.id}
    after = content(story)
    story.history.undo()
    assert content(story) == before
    story.history.redo()
    assert content(story) == after
    assert clean(memory)


def test_history_tells_who_did_what_to_a_row(story: StoryMemory) -> None:
    entity = person(story, "林远")
    person(story, "苏晴")
    story.entity.update(id=entity.id, expected_version=1, patch={"name": "林远山"})
    story.history.undo()
    steps = story.history.list(id=entity.id).items
    assert [step.action.split(":", 1)[1] for step in steps] == [
        "history:undo",
        "entity:update",
        "entity:create",
    ]
    assert [step.changes[0].after["name"] for step in steps] == ["林远", "林远山", "林远"]
    assert steps[0].reverts == steps[1].revision
    assert steps[1].reverted_by == steps[0].revision
