"""Events: who takes part, by id or by a name that may come later, and what other changes do to them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

NAMES = ["林远", "阿远", "ＡＬＩＣＥ", "alice", "酒馆", "Bob"]
TYPES = ["character", "location", "item"]

names = st.sampled_from(NAMES)
worlds = st.lists(
    st.tuples(st.sampled_from(TYPES), names, st.lists(names, max_size=2)),
    min_size=1,
    max_size=5,
    unique_by=lambda one: (one[0], one[1].casefold().replace("ａｌｉｃｅ", "alice")),
)
told = st.tuples(st.lists(names, max_size=4), st.lists(names, max_size=2), names)


def cast_of(story: StoryMemory, event_id: str) -> Any:
    """Who takes part, with names in the place of ids, which differ from story to story."""
    event = story.event.read(id=event_id)
    people = [(role.name, role.role, role.entity_id is None) for role in event.roles]
    places = [(place.name, place.entity_id is None) for place in event.locations]
    types = {item.id: item.type for item in story.entity.list().items}
    bound = [types.get(link.entity_id or "") for link in (*event.roles, *event.locations)]
    return people, places, bound, event.prompt_text


def put_event(story: StoryMemory, cast: tuple[list[str], list[str], str]) -> str:
    roles, places, friend = cast
    relations = {"relations": [{"target": friend, "type": "ally"}]}
    story.entity.create(type="faction", name="青云宗", profile=relations)
    return str(story.event.create(summary="他们见了面。", roles=roles, locations=places).id)


def friends_of(story: StoryMemory) -> list[str]:
    (sect,) = (item for item in story.entity.list().items if item.type == "faction")
    shown = story.entity.read(id=sect.id).attributes["relations"]
    types = {item.id: item.type for item in story.entity.list().items}
    return [(wish["target"], types.get(wish.get("targetId", ""))) for wish in shown]


@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(worlds, told)
def test_bound_later_is_bound_at_once(memory: Memory, world: list[Any], cast: Any) -> None:
    people = [{"type": kind, "name": name, "aliases": aliases} for kind, name, aliases in world]
    early, late = (StoryMemory(memory, str(uuid4())) for _ in range(2))
    early.batch.upsert(entities=people)
    first = put_event(early, cast)
    second = put_event(late, cast)
    late.batch.upsert(entities=people)
    assert cast_of(early, first) == cast_of(late, second)
    assert friends_of(early) == friends_of(late)
    for story in (early, late):
        delete_story(memory.call(), project_id=story.id)


deeds = st.lists(
    st.tuples(st.sampled_from("eEnnrdmtuzyp"), st.integers(0, 9), names), min_size=3, max_size=14
)


def act(story: StoryMemory, deed: str, number: int, name: str) -> None:
    """One write; what is refused is refused."""
    entities = sorted(story.entity.list().items, key=lambda item: str(item.name))
    events = story.event.list().items
    one = entities[number % len(entities)] if entities else None
    event = events[number % len(events)] if events else None
    acts: dict[str, Any] = {
        "e": lambda: story.event.create(
            event=f"事{number}", roles=[name, NAMES[number % 6]], locations=[NAMES[number % 5]]
        ),
        "E": lambda: story.event.update(
            id=event.id, patch={"roles": [{"name": name, "role": str(number)}], "timeAnchor": name}
        ),
        "n": lambda: story.entity.create(type=TYPES[number % 3], name=name, aliases=[NAMES[number % 6]]),
        "r": lambda: story.entity.update(
            id=one.id, expected_version=one.version, patch={"name": name, "aliases": []}
        ),
        "d": lambda: story.entity.delete(id=one.id),
        "m": lambda: story.entity.merge(
            target_entity_id=one.id, source_entity_ids=[entities[(number + 1) % len(entities)].id]
        ),
        "t": lambda: story.entity.update(id=one.id, expected_version=one.version, patch={"type": "item"}),
        "u": lambda: story.event.delete(id=event.id),
        "z": lambda: story.history.undo(),
        "y": lambda: story.history.redo(),
        "p": lambda: story.entity.update(
            id=one.id,
            expected_version=one.version,
            patch={"profile": {"relations": {name: {"type": "ally", "description": str(number)}}}},
        ),
    }
    try:
        acts[deed]()
    except (FabulaError, AttributeError):
        return


def picture(story: StoryMemory) -> Any:
    """All that is told of the events and of what is between the entities, without versions and times."""
    events = {
        event.id: event.model_dump(exclude={"version", "updated_at"}) for event in story.event.list().items
    }
    relations = {
        item.id: item.model_dump(exclude={"version", "updated_at", "created_at"})
        for item in story.relation.list().items
    }
    profiles = {item.id: story.entity.read(id=item.id).attributes for item in story.entity.list().items}
    return events, relations, profiles


@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(deeds)
def test_undo_brings_back_what_was_and_redo_what_came(memory: Memory, chosen: list[Any]) -> None:
    story = StoryMemory(memory, str(uuid4()))
    story.entity.create(type="character", name="守夜人")
    for deed in chosen[:-1]:
        act(story, *deed)
    before, revision = picture(story), newest(story)
    act(story, *chosen[-1])
    after = picture(story)
    if newest(story) > revision and story.history.list(limit=1).items[0].reverts is None:
        story.history.undo()
        assert picture(story) == before
        story.history.redo()
        assert picture(story) == after
    (report,) = (one for one in memory.audit() if one.story_id == story.id)
    assert report.differing == ()
    delete_story(memory.call(), project_id=story.id)


def newest(story: StoryMemory) -> int:
    return int(story.history.list(limit=1).items[0].revision)


# What other changes do to events


@pytest.fixture
def fight(story: StoryMemory) -> Any:
    for kind, name in (("character", "林远"), ("character", "苏晴"), ("location", "酒馆")):
        story.entity.create(type=kind, name=name)
    return story.event.create(
        name="酒馆之争",
        summary="林远与苏晴争执。",
        roles=[{"name": "林远", "role": "挑事的人"}, {"name": "苏晴"}, "皇帝"],
        locations=["酒馆"],
        causality="旧债。",
        moment={"chapter": 3, "scene": 1},
    )


def id_of(story: StoryMemory, name: str) -> str:
    (found,) = (item for item in story.entity.list().items if item.name == name)
    return str(found.id)


def people(story: StoryMemory, event_id: str) -> list[tuple[str, str, bool]]:
    return [
        (role.name, role.role, role.entity_id is not None) for role in story.event.read(id=event_id).roles
    ]


def test_a_renamed_participant_is_told_by_the_new_name(story: StoryMemory, fight: Any) -> None:
    someone = id_of(story, "林远")
    story.entity.update(id=someone, expected_version=1, patch={"name": "林风"})
    event = story.event.read(id=fight.id)
    assert event.roles[0].entity_id == someone
    assert event.structured_kv.role == ("林风", "苏晴", "皇帝")
    assert "- 林风（挑事的人）" in event.prompt_text
    assert event.version == fight.version
    story.history.undo()
    assert "- 林远（挑事的人）" in story.event.read(id=fight.id).prompt_text


def test_a_deleted_participant_leaves_the_name_which_waits(story: StoryMemory, fight: Any) -> None:
    story.entity.delete(id=id_of(story, "林远"))
    assert people(story, fight.id)[0] == ("林远", "挑事的人", False)
    again = story.entity.create(type="character", name="远哥", aliases=["林远"])
    assert story.event.read(id=fight.id).roles[0].entity_id == again.id


def test_a_deleted_event_leaves_its_people(story: StoryMemory, fight: Any, memory: Memory) -> None:
    assert story.event.delete(id=fight.id).deleted_relation_count == 3, "two who took part, and the place"
    assert {item.name for item in story.entity.list().items} == {"林远", "苏晴", "酒馆"}
    story.history.undo()
    assert people(story, fight.id) == [("林远", "挑事的人", True), ("苏晴", "", True), ("皇帝", "", False)]
    assert memory.audit()[0].differing == ()


def test_merged_participants_keep_their_roles(story: StoryMemory, fight: Any) -> None:
    lin, su = id_of(story, "林远"), id_of(story, "苏晴")
    story.entity.merge(target_entity_id=lin, source_entity_ids=[su])
    event = story.event.read(id=fight.id)
    assert [(role.entity_id, role.role) for role in event.roles] == [(lin, "挑事的人"), (lin, ""), (None, "")]
    assert event.structured_kv.role == ("林远", "皇帝")


def test_merged_events_are_one_with_all_their_people(story: StoryMemory, fight: Any) -> None:
    other = story.event.create(
        event="争执",
        roles=["苏晴", "老板"],
        logic=["先动手"],
        causality="酒钱。",
        level=1,
        summary="打翻了酒。",
    )
    story.entity.merge(target_entity_id=fight.id, source_entity_ids=[other.id])
    event = story.event.read(id=fight.id)
    assert event.moment == fight.moment
    assert event.structured_kv.role == ("林远", "苏晴", "皇帝", "老板")
    assert (event.event, event.logic, event.causality, event.level) == (
        "争执",
        ("先动手",),
        "旧债。\n酒钱。",
        1,
    )
    assert "林远与苏晴争执。" in event.summary
    assert "打翻了酒。" in event.summary


def test_an_event_with_people_stays_an_event(story: StoryMemory, fight: Any) -> None:
    with pytest.raises(FabulaError, match="stays an event") as refused:
        story.entity.update(id=fight.id, expected_version=1, patch={"type": "concept"})
    assert refused.value.code == "CONFLICT"
    with pytest.raises(FabulaError, match="cannot become part") as refused:
        story.entity.merge(target_entity_id=id_of(story, "林远"), source_entity_ids=[fight.id])
    assert refused.value.code == "CONFLICT"
    assert story.event.read(id=fight.id) == story.event.read(id=fight.id)
    plain = story.entity.create(type="event", name="无名之事")
    story.entity.update(id=plain.id, expected_version=1, patch={"type": "concept"})


# Writing


def test_every_entity_of_type_event_is_an_event(story: StoryMemory) -> None:
    plain = story.entity.create(type="event", name="大雾", description="雾起。", since={"chapter": 2})
    event = story.event.read(id=plain.id)
    assert (event.summary, event.moment.chapter, event.roles, event.level) == ("雾起。", 2, (), 0)
    assert event.prompt_text == "雾起。"
    changed = story.event.update(id=plain.id, patch={"timeAnchor": "三十年前"})
    assert changed.prompt_text == "大雾\n时间：三十年前\n雾起。"
    assert changed.version == 2
    story.history.undo()
    assert story.entity.read(id=plain.id).prompt_text == "雾起。"


def test_the_moment_of_an_event_is_when_it_enters_the_story(story: StoryMemory, fight: Any) -> None:
    assert story.entity.read(id=fight.id).since == fight.moment
    moved = story.event.update(id=fight.id, patch={"moment": {"chapter": 9}})
    assert story.entity.read(id=fight.id).since == moved.moment
    assert story.event.update(id=fight.id, patch={"moment": None}).moment is None


def test_who_is_named_again_keeps_the_role_that_was_known(story: StoryMemory, fight: Any) -> None:
    story.event.update(id=fight.id, patch={"structuredKv": {"role": ["苏晴", "林远", "老板"]}})
    assert people(story, fight.id) == [("苏晴", "", True), ("林远", "挑事的人", True), ("老板", "", False)]
    story.event.update(id=fight.id, patch={"roles": [{"name": "林远", "role": ""}]})
    assert people(story, fight.id) == [("林远", "", True)]
    assert story.event.read(id=fight.id).locations == fight.locations


def test_a_change_that_changes_nothing_is_no_step(story: StoryMemory, fight: Any) -> None:
    revision = newest(story)
    same = story.event.update(
        id=fight.id,
        expected_version=fight.version,
        patch={
            "summary": fight.summary,
            "structuredKv": {"role": ["林远", "苏晴", "皇帝"], "location": "酒馆"},
        },
    )
    assert (same.version, newest(story)) == (fight.version, revision)


def test_events_without_a_name_are_called_by_title_or_beginning(story: StoryMemory) -> None:
    titles = [story.event.create(event="争执", summary=f"第{n}次。").name for n in range(3)]
    assert titles == ["争执", "争执 2", "争执 3"]
    assert story.event.create(summary="船来了！人走了。").name == "船来了"
    with pytest.raises(FabulaError) as refused:
        story.event.create(name="争执")
    assert refused.value.code == "KG_ENTITY_DUPLICATE"


def test_a_mistakable_name_waits(story: StoryMemory) -> None:
    story.batch.upsert(entities=[{"type": kind, "name": "双"} for kind in ("item", "faction")])
    event = story.event.create(summary="双来了。", roles=["双"], locations=["双"])
    assert event.roles[0].entity_id is None
    place = story.entity.create(type="location", name="双")
    person = story.entity.create(type="character", name="双")
    event = story.event.read(id=event.id)
    assert (event.locations[0].entity_id, event.roles[0].entity_id) == (place.id, person.id)


def test_another_language_tells_events_in_its_words(memory: Memory, story: StoryMemory, fight: Any) -> None:
    from fabula.operations.stories import StoryPatch, update_story

    update_story(memory.call(), project_id=story.id, patch=StoryPatch(language="en"))
    assert "Place: 酒馆" in story.event.read(id=fight.id).prompt_text


def test_texts_of_events_are_found_by_todays_names(story: StoryMemory, fight: Any) -> None:
    story.query.relevant(excerpt="开始")
    story.entity.update(
        id=id_of(story, "林远"), expected_version=1, patch={"name": "zephyr", "aiContextLevel": "never"}
    )
    found = story.query.relevant(excerpt="酒馆 旧债", max_entities=10).items
    (event,) = (item for item in found if item.id == fight.id)
    assert "- 苏晴" in event.prompt_text
    assert "zephyr" not in event.prompt_text
