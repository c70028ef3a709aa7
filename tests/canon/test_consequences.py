"""Each consequence alone: rows are changed by a bare writer, and one function follows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from fabula.canon import consequences
from fabula.canon.consequences.bindings import bind_names
from fabula.canon.consequences.dates import date_events
from fabula.canon.consequences.events import refuse_events_of_other_types, retell_events
from fabula.canon.consequences.following import CONSEQUENCES, Consequence
from fabula.canon.consequences.lookups import categorise_entries, index_aliases
from fabula.canon.consequences.made import Made
from fabula.canon.consequences.roles import take_up_roles, touch_stirred
from fabula.canon.consequences.secret_names import keep_secret_names
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.errors import Conflict
from fabula.memory import Memory
from fabula.model.entity import Entity
from fabula.model.lore import Category
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.operations.lorebook.entries import create_entry
from fabula.store.lore_reader import EntryFilter
from fabula.store.naming import ids_called
from fabula.store.writer import Writer
from fabula.story_memory import StoryMemory

Writing = Callable[[], Any]


@pytest.fixture
def writing(memory: Memory, story: StoryMemory) -> Writing:
    @contextmanager
    def opened() -> Iterator[Writer]:
        with memory.call().store.write(story.id, Writer, action="test", actor="test") as writer:
            yield writer

    return opened


def changed(writer: Writer, entity_id: str, consequence: Consequence, **fields: Any) -> Entity:
    """The entity after a change of its fields and what follows from it."""
    before = writer.entity(writer.project_id, entity_id)
    assert before is not None
    writer.replace([(before, before.model_copy(update=fields))])
    consequence(writer, Made(writer, 0))
    after = writer.entity(writer.project_id, entity_id)
    assert after is not None
    return after


def test_every_consequence_is_in_the_list() -> None:
    found = {
        function
        for module in iter_modules(consequences.__path__, f"{consequences.__name__}.")
        for name, function in inspect.getmembers(import_module(module.name), inspect.isfunction)
        if not name.startswith("_") and list(inspect.signature(function).parameters) == ["writer", "made"]
    }
    assert found == set(CONSEQUENCES)


def test_a_hidden_entity_keeps_the_name_it_loses(story: StoryMemory, writing: Writing) -> None:
    hidden = story.entity.create(type="character", name="皇帝", ai_context_level="never")
    known = story.entity.create(type="character", name="林远")
    with writing() as writer:
        assert changed(writer, hidden.id, keep_secret_names, name="老人").aliases == ("皇帝",)
        assert changed(writer, known.id, keep_secret_names, name="阿远").aliases == ()


def test_a_hidden_entry_keeps_the_key_it_loses(memory: Memory, story: StoryMemory, writing: Writing) -> None:
    told = LorebookEntryCreate(entry_key="密约", content="两国私下立约。", ai_context_level="never")
    entry_id = create_entry(memory.call(), project_id=story.id, entry=told).id
    with writing() as writer:
        before = writer.lore.entry(story.id, entry_id)
        writer.replace([(before, before.model_copy(update={"entry_key": "盟约"}))])
        keep_secret_names(writer, Made(writer, 0))
        assert writer.lore.entry(story.id, entry_id).keywords == ("密约",)


def test_an_event_that_says_when_it_is_told_is_dated(story: StoryMemory, writing: Writing) -> None:
    event = story.event.create(name="登船")
    attributes = {"chapterIndex": 3, "timelinePosition": "初秋", "天气": "雾"}
    with writing() as writer:
        after = changed(writer, event.id, date_events, attributes=attributes)
        assert (after.since, after.attributes) == (Moment(chapter=3), {"天气": "雾"})
        assert writer.events.event(story.id, event.id).time_anchor == "初秋"


def test_entities_are_found_by_the_aliases_they_have_now(story: StoryMemory, writing: Writing) -> None:
    lin = story.entity.create(type="character", name="林远", aliases=["阿远"])
    with writing() as writer:
        changed(writer, lin.id, index_aliases, aliases=("船长",))
        assert ids_called(writer, story.id, [name_key("船长")]) == {lin.id}
        assert ids_called(writer, story.id, [name_key("阿远")]) == set()


def test_an_entry_is_about_what_its_entity_is(memory: Memory, story: StoryMemory, writing: Writing) -> None:
    told = LorebookEntryCreate(entry_key="铜铃", category="item", content="旧铃。")
    entry = create_entry(memory.call(), project_id=story.id, entry=told)
    with writing() as writer:
        changed(writer, str(entry.entity_id), categorise_entries, type="concept")
        of_items = writer.lore.page(story.id, EntryFilter(category=Category.ITEM), 10, 0)
        of_concepts = writer.lore.page(story.id, EntryFilter(category=Category.CONCEPT), 10, 0)
        assert [one.id for one in of_concepts.items] == [entry.id]
        assert of_items.total == 0


def test_an_event_with_people_stays_an_event(story: StoryMemory, writing: Writing) -> None:
    event = story.event.create(name="登船", roles=["林远"])
    plain = story.entity.create(type="event", name="起雾")
    with writing() as writer:
        assert changed(writer, plain.id, refuse_events_of_other_types, type="concept").type == "concept"
        with pytest.raises(Conflict):
            changed(writer, event.id, refuse_events_of_other_types, type="concept")


def test_who_was_waited_for_takes_part_and_is_related(story: StoryMemory, writing: Writing) -> None:
    event = story.event.create(name="登船", roles=["苏晴"])
    relations = [{"target": "苏晴", "type": "挚友"}]
    lin = story.entity.create(type="character", name="林远", attributes={"relations": relations})
    other = story.entity.create(type="character", name="某人")
    with writing() as writer:
        changed(writer, other.id, bind_names, name="苏晴")
        assert [role.entity_id for role in writer.events.roles(story.id, [event.id])] == [other.id]
        assert [one.target_entity_id for one in writer.relations_from(story.id, [lin.id])] == [other.id]
        assert not writer.events.is_waited_for(story.id)


def test_relations_of_what_becomes_an_event_become_roles(story: StoryMemory, writing: Writing) -> None:
    lin = story.entity.create(type="character", name="林远")
    fight = story.entity.create(type="concept", name="混战")
    story.relation.create(source_entity_id=lin.id, target_entity_id=fight.id, relation_type="participates_in")
    with writing() as writer:
        changed(writer, fight.id, take_up_roles, type="event")
        assert [role.entity_id for role in writer.events.roles(story.id, [fight.id])] == [lin.id]


def test_an_event_is_a_version_on_when_a_role_was_changed_as_a_relation(
    story: StoryMemory, writing: Writing
) -> None:
    lin = story.entity.create(type="character", name="林远")
    event = story.event.create(name="登船", roles=[{"entityId": lin.id}])
    with writing() as writer:
        (role,) = writer.relations_from(story.id, [lin.id])
        writer.replace([(role, role.model_copy(update={"description": "站在船头"}))])
        touch_stirred(writer, Made(writer, 0))
        assert writer.entity(story.id, event.id).version == event.version + 1


def test_events_are_told_with_the_names_of_today(story: StoryMemory, writing: Writing) -> None:
    lin = story.entity.create(type="character", name="林远")
    event = story.event.create(name="登船", roles=[{"entityId": lin.id}])
    with writing() as writer:
        changed(writer, lin.id, retell_events, name="林将军")
        assert "林将军" in writer.entity(story.id, event.id).prompt_text
