"""Whoever writes is answered with what is true after everything that follows from it."""

from __future__ import annotations

from typing import Any

from fabula.canon.entry_values import LorebookEntryPatch
from fabula.memory import Memory
from fabula.operations.lorebook.entries import read_entry, update_entry, update_entry_of_key
from fabula.story_memory import StoryMemory


def landing(story: StoryMemory, **more: Any) -> str:
    """An event with two people and a place, who are part of what a model is told of it."""
    for name in ("林远", "苏晴"):
        if not story.entity.list(filter={"keyword": name}).items:
            story.entity.create(type="character", name=name)
    fields = {"name": "登船", "summary": "他们登上了船。", "roles": ["林远", "苏晴"], "locations": ["雾港"]}
    return str(story.event.create(**{**fields, **more}).id)


def test_a_changed_entry_of_an_event_costs_what_it_costs_afterwards(
    memory: Memory, story: StoryMemory
) -> None:
    landing(story)
    call = memory.call()
    made = update_entry_of_key(
        call, project_id=story.id, entry_key="登船", patch=LorebookEntryPatch(content="他们在雾里登上了船。")
    )
    assert made == read_entry(call, project_id=story.id, entry_id=made.id)
    changed = update_entry(
        call,
        project_id=story.id,
        entry_id=made.id,
        patch=LorebookEntryPatch(content="他们下了船。", priority=3),
    )
    assert changed == read_entry(call, project_id=story.id, entry_id=made.id)
    assert changed.estimated_tokens > call.tokens.count("他们下了船。")


def test_a_merged_event_is_answered_with_everybody_who_takes_part(story: StoryMemory) -> None:
    first = landing(story)
    second = landing(story, name="上船", summary="众人上了船。", roles=["老船夫"])
    merged = story.entity.merge(target_entity_id=first, source_entity_ids=[second]).entity
    assert "老船夫" in merged.prompt_text
    assert dict(merged) == dict(story.entity.list(filter={"keyword": "登船"}).items[0])


def test_an_entity_that_takes_up_another_is_a_version_on(story: StoryMemory) -> None:
    """Two of one name and different types: nothing of the kept one changes but its version."""
    kept = story.entity.create(type="character", name="铜铃")
    other = story.entity.create(type="item", name="铜铃")
    merged = story.entity.merge(target_entity_id=kept.id, source_entity_ids=[other.id]).entity
    assert merged.version == kept.version + 1
    assert merged.updated_at == story.entity.read(id=kept.id).updated_at
