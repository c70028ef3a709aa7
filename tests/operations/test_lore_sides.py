"""An entry of a node category and the entity of its name are one thing, from whichever side it is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.canon.entry_values import LorebookEntry, LorebookEntryCreate, LorebookEntryPatch
from fabula.errors import Conflict, EntityDuplicate, FabulaError, LoreKeyDuplicate, NotFound
from fabula.memory import Memory
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NODES = ["character", "location", "item", "event", "concept", "faction"]


class Sides:
    """A story's entries and entities, asked by whoever wants."""

    def __init__(self, memory: Memory, story: StoryMemory) -> None:
        self.memory, self.story, self.id = memory, story, story.id

    def create(
        self, key: str, category: str = "character", content: str = "文", **more: Any
    ) -> LorebookEntry:
        fields = {"entry_key": key, "category": category, "content": content, **more}
        return lorebook.create_entry(
            self.memory.call(), project_id=self.id, entry=LorebookEntryCreate(**fields)
        )

    def update(self, entry_id: str, **patch: Any) -> LorebookEntry:
        return lorebook.update_entry(
            self.memory.call(), project_id=self.id, entry_id=entry_id, patch=LorebookEntryPatch(**patch)
        )

    def delete(self, entry_id: str) -> None:
        lorebook.delete_entry(self.memory.call(), project_id=self.id, entry_id=entry_id)

    def read(self, entry_id: str) -> LorebookEntry:
        return lorebook.read_entry(self.memory.call(), project_id=self.id, entry_id=entry_id)

    def entries(self) -> tuple[LorebookEntry, ...]:
        return lorebook.list_entries(self.memory.call(), project_id=self.id, size=1000).items

    def person(self, name: str, **more: Any) -> Any:
        return self.story.entity.create(type=more.pop("type", "character"), name=name, **more)

    def entity(self, entity_id: str | None) -> Any:
        return self.story.entity.read(id=entity_id)

    def patch(self, entity: Any, **patch: Any) -> Any:
        return self.story.entity.update(id=entity.id, expected_version=entity.version, patch=patch)

    def steps(self) -> int:
        return int(self.story.history.list(limit=1).total_count)

    def content(self) -> Any:
        """Everything in the story apart from what every write changes."""
        without = {"version", "updated_at"}
        values = (*self.entries(), *self.story.entity.list().items, *self.story.relation.list().items)
        return sorted(str(value.model_dump(exclude=without)) for value in values)

    def sound(self) -> None:
        """What must hold after anything: both sides say the same, the log and the rows too."""
        entities = {entity.id: entity for entity in self.story.entity.list().items}
        entries = self.entries()
        linked = [entry.entity_id for entry in entries if entry.entity_id is not None]
        assert len(linked) == len(set(linked))
        for entry in entries:
            if entry.entity_id is None:
                assert (entry.category, entry.aliases, entry.attributes) == ("custom", (), {})
                assert entry.content
                continue
            entity = entities[entry.entity_id]
            assert (entry.entry_key, entry.category, entry.content) == (
                entity.name,
                entity.type if entity.type in NODES else "custom",
                entity.description,
            )
            assert (entry.ai_context_level, entry.since, entry.until) == (
                entity.ai_context_level,
                entity.since,
                entity.until,
            )
            assert (entry.aliases, entry.attributes) == (entity.aliases, entity.attributes)
        assert all(report.differing == () for report in self.memory.audit())


@pytest.fixture
def sides(memory: Memory, story: StoryMemory) -> Sides:
    return Sides(memory, story)


@pytest.mark.parametrize("category", NODES)
def test_an_entry_of_a_node_category_brings_its_entity(sides: Sides, category: str) -> None:
    steps = sides.steps()
    entry = sides.create("青云宗", category, "五大宗门之一。", aliases=["青云"], attributes={"等级": 1})
    entity = sides.entity(entry.entity_id)
    assert (entity.name, entity.type, entity.description) == ("青云宗", category, "五大宗门之一。")
    assert (entity.aliases, entity.attributes) == (("青云",), {"等级": 1})
    assert sides.steps() == steps + 1
    sides.sound()


def test_a_custom_entry_has_none_and_an_entity_needs_no_entry(sides: Sides) -> None:
    assert sides.create("规矩", "custom").entity_id is None
    sides.person("林逸")
    assert sides.story.entity.list().total_count == 1
    assert [entry.entry_key for entry in sides.entries()] == ["规矩"]
    with pytest.raises(NotFound):
        lorebook.read_entry_of_key(sides.memory.call(), project_id=sides.id, entry_key="林逸")


def test_an_entry_for_a_known_entity_joins_it(sides: Sides) -> None:
    known = sides.person(
        "林逸", description="旧。", aliases=["小逸"], attributes={"年龄": 20}, ai_context_level="never"
    )
    entry = sides.create("林逸", content="新。", keywords=["逸哥"])
    assert entry.entity_id == known.id
    after = sides.entity(known.id)
    assert (after.description, after.aliases, after.attributes) == ("新。", ("小逸",), {"年龄": 20})
    assert after.ai_context_level == "never"
    assert sides.story.entity.list().total_count == 1
    sides.sound()


def test_the_content_is_the_description_on_both_sides(sides: Sides) -> None:
    entry = sides.create("林逸", content="甲。")
    sides.patch(sides.entity(entry.entity_id), description="乙。")
    assert sides.read(entry.id).content == "乙。"
    sides.update(entry.id, content="丙。")
    entity = sides.entity(entry.entity_id)
    assert (entity.description, entity.prompt_text) == ("丙。", "丙。")
    sides.sound()


def test_a_new_name_is_a_new_key_from_either_side(sides: Sides) -> None:
    entry = sides.create("林逸")
    sides.patch(sides.entity(entry.entity_id), name="林一")
    assert (sides.read(entry.id).entry_key, sides.read(entry.id).display_name) == ("林一", "林一")
    sides.update(entry.id, entry_key="林二", display_name="主角")
    assert sides.entity(entry.entity_id).name == "林二"
    sides.patch(sides.entity(entry.entity_id), name="林三")
    assert (sides.read(entry.id).entry_key, sides.read(entry.id).display_name) == ("林三", "主角")
    sides.sound()


def test_a_new_type_is_a_new_category_from_either_side(sides: Sides) -> None:
    entry = sides.create("青云宗", "location")
    sides.patch(sides.entity(entry.entity_id), type="faction")
    assert sides.read(entry.id).category == "faction"
    sides.update(entry.id, category="concept")
    assert sides.entity(entry.entity_id).type == "concept"
    assert sides.read(entry.id).entity_id == entry.entity_id
    sides.sound()


@pytest.mark.parametrize("side", ["entry", "entity", "key"])
def test_both_go_together_with_relations_and_come_back_together(sides: Sides, side: str) -> None:
    entry, other = sides.create("林逸"), sides.person("苏瑶")
    sides.story.relation.create(
        source_entity_id=entry.entity_id, target_entity_id=other.id, relation_type="ally"
    )
    sides.story.state.create(entity_id=entry.entity_id, description="受伤")
    before, steps = sides.content(), sides.steps()
    goings: dict[str, Callable[[], Any]] = {
        "entry": lambda: sides.delete(entry.id),
        "entity": lambda: sides.story.entity.delete(id=entry.entity_id),
        "key": lambda: lorebook.delete_entry_of_key(
            sides.memory.call(), project_id=sides.id, entry_key=" 林逸"
        ),
    }
    goings[side]()
    assert sides.entries() == ()
    assert [entity.name for entity in sides.story.entity.list().items] == ["苏瑶"]
    assert sides.story.relation.list().items == ()
    assert sides.steps() == steps + 1
    sides.story.history.undo()
    assert sides.content() == before
    assert len(sides.story.state.list(entity_id=entry.entity_id).items) == 1
    sides.sound()


def test_merging_keeps_one_entry_with_all_keywords(sides: Sides) -> None:
    kept = sides.create("林逸", keywords=["逸哥"], priority=5)
    other = sides.create("蒙面人", content="夜里出没。", keywords=["黑衣"], priority=9)
    third = sides.create("剑客", keywords=["独行"])
    before = sides.content()
    sides.story.entity.merge(
        target_entity_id=kept.entity_id, source_entity_ids=[other.entity_id, third.entity_id]
    )
    [entry] = sides.entries()
    assert (entry.id, entry.entry_key, entry.priority) == (kept.id, "林逸", 5)
    assert set(entry.keywords) == {"逸哥", "黑衣", "独行"}
    assert {"蒙面人", "剑客"} <= set(entry.aliases)
    assert "夜里出没。" in entry.content
    sides.sound()
    sides.story.history.undo()
    assert sides.content() == before
    sides.sound()


def test_merging_into_an_entity_without_entry_takes_the_entry_over(sides: Sides) -> None:
    target = sides.person("林逸", description="剑修。")
    source = sides.create("蒙面人", keywords=["黑衣"], priority=9)
    sides.story.entity.merge(target_entity_id=target.id, source_entity_ids=[source.entity_id])
    [entry] = sides.entries()
    assert (entry.id, entry.entity_id, entry.entry_key) == (source.id, target.id, "林逸")
    assert (entry.keywords, entry.priority) == (("黑衣",), 9)
    sides.sound()


def test_becoming_custom_parts_the_entry_from_the_entity(sides: Sides) -> None:
    entry = sides.create("林逸", content="剑修。", ai_context_level="never", since={"chapter": 3})
    custom = sides.update(entry.id, category="custom", priority=4)
    assert (custom.entity_id, custom.category, custom.content) == (None, "custom", "剑修。")
    assert (custom.ai_context_level, custom.since.chapter, custom.priority) == ("never", 3, 4)
    assert sides.entity(entry.entity_id).description == "剑修。"
    assert custom.version > entry.version
    sides.sound()
    again = sides.update(entry.id, category="character")
    assert again.entity_id == entry.entity_id
    assert (again.ai_context_level, again.since.chapter) == ("never", 3)
    sides.sound()


def test_a_custom_entry_becomes_an_entity(sides: Sides) -> None:
    entry = sides.create("寒霜剑", "custom", "神兵。", ai_context_level="manual_only", until={"chapter": 2})
    node = sides.update(entry.id, category="item", aliases=["霜剑"])
    entity = sides.entity(node.entity_id)
    assert (entity.name, entity.type, entity.description) == ("寒霜剑", "item", "神兵。")
    assert (entity.aliases, entity.ai_context_level, entity.until.chapter) == (("霜剑",), "manual_only", 2)
    sides.sound()
    sides.story.history.undo()
    assert sides.story.entity.list().total_count == 0
    assert sides.read(entry.id).content == "神兵。"
    sides.sound()


@pytest.mark.parametrize(("secret", "open_"), [("never", "when_detected"), ("manual_only", "always")])
def test_joining_a_known_secret_does_not_tell_it(sides: Sides, secret: str, open_: str) -> None:
    known = sides.person("影子", ai_context_level=secret, since={"chapter": 9})
    custom = sides.create("影子", "custom", "别人写的。", ai_context_level=open_)
    joined = sides.update(custom.id, category="character")
    assert joined.entity_id == known.id
    assert (joined.ai_context_level, joined.since.chapter) == (secret, 9)
    told = sides.update(custom.id, ai_context_level="always", since=None)
    assert (told.ai_context_level, told.since) == ("always", None)
    sides.sound()


def test_what_was_always_told_still_is_when_it_becomes_an_entity(sides: Sides) -> None:
    custom = sides.create("世界", "custom", "修仙。", ai_context_level="always")
    assert sides.update(custom.id, category="concept").ai_context_level == "always"


def test_a_taken_key_is_refused_from_either_side(sides: Sides) -> None:
    first, custom = sides.create("林逸"), sides.create("规矩", "custom")
    for category in ("character", "item", "custom"):
        with pytest.raises(LoreKeyDuplicate):
            sides.create("ｌ林逸"[1:], category)
    before = sides.content()
    with pytest.raises(LoreKeyDuplicate):
        sides.patch(sides.entity(first.entity_id), name="规矩")
    with pytest.raises(LoreKeyDuplicate):
        sides.update(custom.id, entry_key="林逸")
    with pytest.raises(LoreKeyDuplicate):
        sides.update(custom.id, entry_key="林逸", category="character")
    sides.person("苏瑶")
    sides.person("苏瑶", type="item")
    with pytest.raises(EntityDuplicate):
        sides.update(first.id, entry_key="苏瑶")
    assert [line for line in sides.content() if "苏瑶" not in line] == before
    sides.sound()


def test_an_entity_of_two_types_gets_an_entry_of_its_own_by_key_only_if_it_is_clear_which(
    sides: Sides,
) -> None:
    patch = LorebookEntryPatch(priority=3)
    sides.person("影")
    made = lorebook.update_entry_of_key(sides.memory.call(), project_id=sides.id, entry_key="影", patch=patch)
    assert (made.entry_key, made.category, made.priority) == ("影", "character", 3)
    for kind in ("item", "event"):
        sides.person("双", type=kind)
    with pytest.raises(NotFound):
        lorebook.update_entry_of_key(sides.memory.call(), project_id=sides.id, entry_key="双", patch=patch)
    sides.sound()


def test_a_version_never_comes_back(sides: Sides) -> None:
    entry = sides.create("林逸")
    for number in range(4):
        sides.patch(sides.entity(entry.entity_id), description=f"第{number}稿。")
    seen = [sides.read(entry.id).version]
    patches = ({"category": "custom"}, {"priority": 1}, {"category": "character"}, {"content": "改。"})
    seen.extend(sides.update(entry.id, **patch).version for patch in patches)
    sides.story.history.undo()
    seen.append(sides.read(entry.id).version)
    assert seen == sorted(set(seen))
    with pytest.raises(Conflict):
        sides.update(entry.id, priority=2, expected_version=seen[0])


DEEDS = ["entry", "entity", "rename", "retype", "write", "merge", "delete", "undo", "redo"]
DEEDS += ["rename entity", "retype entity", "delete entity"]
names = st.sampled_from(["林逸", "苏瑶", "青云", "ＬＩＮ", "lin"])
deeds = st.lists(
    st.tuples(
        st.sampled_from(DEEDS),
        st.integers(0, 9),
        st.integers(0, 9),
        names,
        st.sampled_from([*NODES, "custom", "custom"]),
    ),
    max_size=14,
)


def do(sides: Sides, deed: tuple[str, int, int, str, str]) -> None:
    what, one, other, name, category = deed
    entries, entities = sides.entries(), sides.story.entity.list().items
    kind = category if category in NODES else "character"
    acts: dict[str, Callable[[], Any]] = {
        "entry": lambda: sides.create(name, category, f"文{one}", keywords=[f"k{one}"]),
        "entity": lambda: sides.person(name, type=kind),
        "rename": lambda: sides.update(entries[one % len(entries)].id, entry_key=name),
        "rename entity": lambda: sides.patch(entities[one % len(entities)], name=name),
        "retype": lambda: sides.update(entries[one % len(entries)].id, category=category),
        "retype entity": lambda: sides.patch(entities[one % len(entities)], type=kind),
        "write": lambda: sides.update(entries[one % len(entries)].id, content=f"改{other}", priority=other),
        "merge": lambda: sides.story.entity.merge(
            target_entity_id=entities[one % len(entities)].id,
            source_entity_ids=[entities[other % len(entities)].id],
        ),
        "delete": lambda: sides.delete(entries[one % len(entries)].id),
        "delete entity": lambda: sides.story.entity.delete(id=entities[one % len(entities)].id),
        "undo": lambda: sides.story.history.undo(),
        "redo": lambda: sides.story.history.redo(),
    }
    acts[what]()


@SHARED_FILE
@given(deeds)
def test_whatever_is_done_both_sides_agree_and_every_deed_is_one_step(
    memory: Memory, done: list[Any]
) -> None:
    sides = Sides(memory, memory.story("x", id=str(uuid4())))
    for deed in done:
        before, steps = sides.content(), sides.steps()
        try:
            do(sides, deed)
        except (FabulaError, ZeroDivisionError):
            assert (sides.content(), sides.steps()) == (before, steps)
            continue
        sides.sound()
        assert sides.steps() <= steps + 1
        if deed[0] not in ("undo", "redo") and sides.steps() > steps:
            after = sides.content()
            sides.story.history.undo()
            assert sides.content() == before
            sides.story.history.redo()
            assert sides.content() == after
    delete_story(memory.call(), project_id=sides.id)
