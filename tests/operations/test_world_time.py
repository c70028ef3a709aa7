"""Two clocks: a context holds what is told by its moment and valid at its time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations import context
from fabula.operations.manuscript.manuscript import delete_scene
from fabula.operations.manuscript.scene_extraction import read_scene_anew
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("x")


def told(memory: Memory, story: StoryMemory, chapter: int, scene: int = 0, **more: Any) -> Any:
    request = {"chapter": chapter, "scene": scene, "token_budget": 20_000, "text": "林远。", **more}
    return context.assemble_context(memory.call(), project_id=story.id, **request)


def said(found: Any) -> str:
    return "\n".join(message.content for message in found.messages)


def reasons(found: Any) -> dict[str, str]:
    return {item.label: item.reason for item in found.trace if not item.included}


def a_captain_who_was_an_apprentice(story: StoryMemory) -> dict[str, Any]:
    lin = story.entity.create(type="character", name="林远", description="船上的人。")
    zhou = story.entity.create(type="character", name="老周", description="修船匠。", valid_to=-3000)
    su = story.entity.create(type="character", name="苏晚", description="医女。", since={"chapter": 4})
    state = {"entity_id": lin.id}
    story.state.create(**state, description="他是学徒。", valid_from=-4000, valid_to=-3000)
    story.state.create(**state, description="他是船长。", valid_from=-100)
    story.state.create(**state, description="他丢了船。", since={"chapter": 40})
    ends = {"source_entity_id": lin.id, "target_entity_id": zhou.id}
    story.relation.create(**ends, relation_type="pupil", valid_from=-4000)
    story.relation.create(
        source_entity_id=lin.id, target_entity_id=su.id, relation_type="ally", since={"chapter": 4}
    )
    story.scene(0, 0, "林远站在船头。", world_time=0)
    story.scene(4, 0, "苏晚上了林远的船。", world_time=30)
    story.scene(30, 0, "十年前，林远在老周的船坞里。", world_time={"day": -3650, "label": "十年前"})
    story.scene(31, 0, "林远醒来。")
    story.scene(40, 0, "林远的船沉了。")
    return {"林远": lin, "老周": zhou, "苏晚": su}


def test_a_flashback_has_the_apprentice_and_not_the_captain(memory: Memory, story: StoryMemory) -> None:
    a_captain_who_was_an_apprentice(story)
    past = told(memory, story, 30)
    assert "他是学徒" in said(past)
    assert "他是船长" not in said(past)
    assert "苏晚" not in said(past)
    assert "老周" in said(past)
    assert "丢了船" not in said(past)
    present = told(memory, story, 31)
    assert "他是船长" in said(present)
    assert "他是学徒" not in said(present)
    assert "老周" not in said(present)
    assert "苏晚" in said(present)
    assert "丢了船" not in said(present)
    assert "丢了船" in said(told(memory, story, 40))


def test_the_trace_says_not_yet_and_no_longer_of_the_world(memory: Memory, story: StoryMemory) -> None:
    a_captain_who_was_an_apprentice(story)
    text = "林远看着苏晚和老周。"
    assert reasons(told(memory, story, 30, text=text))["苏晚"] == "not_yet"
    assert reasons(told(memory, story, 31, text=text))["老周"] == "no_longer"


def test_search_retrieve_graph_and_check_use_the_same_rule(memory: Memory, story: StoryMemory) -> None:
    cast = a_captain_who_was_an_apprentice(story)
    flashback = {"chapter": 30, "scene": 0}
    hits = {hit.id for hit in story.search("医女", audience="model", as_of=flashback).items}
    assert cast["苏晚"].id not in hits
    found = story.ask("query.retrieve", query="林远是谁", as_of=flashback)
    assert "苏晚" not in found.model_dump_json()
    near = story.ask("query.subgraph", center_entity_id=cast["林远"].id, k=1, as_of=flashback)
    assert cast["苏晚"].id not in near.model_dump_json()
    assert cast["老周"].id in near.model_dump_json()
    picture = story.ask("graph.picture", as_of=flashback)
    assert cast["苏晚"].id not in picture.nodes.ids
    assert cast["老周"].id in picture.nodes.ids
    checked = story.check("苏晚来了。", chapter=30, scene=0)
    assert [one.kind for one in checked.findings] == ["not_yet"]


def test_prose_that_plays_later_is_not_quoted_in_a_flashback(memory: Memory, story: StoryMemory) -> None:
    a_captain_who_was_an_apprentice(story)
    story.snapshot(4, 0, "海盗夺走了金印。")
    story.scene(5, 0, "海盗夺走了林远的金印，林远发誓夺回金印。")
    assert "夺走" not in said(told(memory, story, 30, text="林远想着金印。"))
    assert "夺走" in said(told(memory, story, 31, text="林远想着金印。"))


def test_where_no_scene_has_a_world_time_it_filters_nothing(memory: Memory, story: StoryMemory) -> None:
    cast = a_captain_who_was_an_apprentice(story)
    for chapter in (0, 4, 30):
        story.scene_time(chapter, 0, None)
    text = said(told(memory, story, 31))
    assert all(word in text for word in ("他是学徒", "他是船长", "老周"))
    story.scene_time(0, 0, 0)
    assert "他是学徒" not in said(told(memory, story, 31))
    assert cast["林远"].valid_from is None


def test_what_is_told_later_is_not_told_before(memory: Memory, story: StoryMemory) -> None:
    lin = story.entity.create(type="character", name="林远", description="船上的人。")
    story.state.create(entity_id=lin.id, description="他是海盗之子。", told={"chapter": 12})
    gu = story.entity.create(type="character", name="顾长风", description="哥哥。", told={"chapter": 12})
    story.relation.create(
        source_entity_id=lin.id, target_entity_id=gu.id, relation_type="sibling", since={"chapter": 2}
    )
    for chapter in range(13):
        story.scene(chapter, 0, "林远醒来。")
    assert "海盗之子" not in said(told(memory, story, 11))
    assert "顾长风" not in said(told(memory, story, 11))
    assert "海盗之子" in said(told(memory, story, 12))
    assert "顾长风" in said(told(memory, story, 12))
    story.move_chapter(12, 3)
    assert "海盗之子" in said(told(memory, story, 3))


def test_times_are_given_as_numbers_dates_or_relative(memory: Memory, story: StoryMemory) -> None:
    calendar = {"kind": "gregorian", "dayZero": "1927-05-01"}
    patch = StoryPatch(settings={"calendar": calendar})
    story.scene(0, 0, "开头。", world_time={"day": 3, "end": 5.5, "label": "开战"})
    update_story(memory.call(), project_id=story.id, patch=patch)
    first = story.ask("manuscript.scene.read", chapter=0, scene=0)
    assert (first.world_time.day, first.world_time.end, first.world_time.label) == (3, 5.5, "开战")
    dated = story.scene(1, 0, "后来。", world_time="1927-06-01")
    assert dated.world_time.day == 31
    after = story.scene(2, 0, "三天后。", world_time={"after": first.id, "days": 3, "label": "三天后"})
    assert (after.world_time.day, after.world_time.label) == (8.5, "三天后")
    event = story.event.create(name="沉船", world_time={"before": first.id, "days": 10})
    assert event.world_time.day == -7
    later = story.entity.create(type="item", name="灯", valid_from={"after": event.id, "days": 1})
    assert later.valid_from.day == -6
    with pytest.raises(NotFound):
        story.scene(3, 0, "。", world_time={"after": "nobody", "days": 1})
    with pytest.raises(InvalidInput):
        story.scene(3, 0, "。", world_time="yesterday")
    unset = story.scene(3, 0, "。")
    with pytest.raises(InvalidInput):
        story.scene_time(0, 0, {"after": unset.id})
    with pytest.raises(InvalidInput):
        story.entity.create(type="item", name="镜", valid_from=5, valid_to=3)


def test_two_relations_may_differ_in_their_world_time_alone(memory: Memory, story: StoryMemory) -> None:
    one = story.entity.create(type="character", name="林远")
    two = story.entity.create(type="character", name="老周")
    ends = {"source_entity_id": one.id, "target_entity_id": two.id, "relation_type": "ally"}
    story.relation.create(**ends, valid_from=-10, valid_to=-5)
    story.relation.create(**ends, valid_from=10)
    with pytest.raises(Exception, match="exists already"):
        story.relation.create(**ends, valid_from={"day": 10, "label": "again"})


def test_a_scene_keeps_its_world_time_when_its_text_is_saved(memory: Memory, story: StoryMemory) -> None:
    story.scene(0, 0, "开头。", world_time=7)
    assert story.scene(0, 0, "新的开头。").world_time.day == 7
    assert story.scene(0, 0, "新的开头。", world_time=None).world_time is None


CAST = ("林远", "苏晚", "老周", "白露")
days = st.one_of(st.none(), st.integers(-3, 3))
moments = st.one_of(st.none(), st.integers(0, 4).map(lambda chapter: {"chapter": chapter}))
validity = st.fixed_dictionaries(
    {"valid_from": days, "valid_to": days, "since": moments, "until": moments, "told": moments}
)


def _forward(dates: dict[str, Any]) -> dict[str, Any]:
    """The dates with every end at or after its beginning."""
    for start, end in (("valid_from", "valid_to"), ("since", "until")):
        first, last = dates[start], dates[end]
        key = (lambda one: one["chapter"]) if start == "since" else (lambda one: one)
        if first is not None and last is not None and key(first) > key(last):
            dates = {**dates, start: last, end: first}
    return dates


@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    scenes=st.lists(st.tuples(st.sets(st.sampled_from(CAST)), days), min_size=5, max_size=5),
    people=st.lists(validity, min_size=4, max_size=4),
    states=st.lists(validity, min_size=4, max_size=4),
    ties=st.lists(validity, min_size=3, max_size=3),
    asked=st.integers(0, 4),
)
def test_a_story_cut_off_after_a_moment_gives_the_same_context(
    memory: Memory, scenes: Any, people: Any, states: Any, ties: Any, asked: int
) -> None:
    """Law 3 with world times: nothing that is told after a moment changes what a model is told there."""

    def grown(last: int) -> StoryMemory:
        story = memory.story(uuid4().hex)
        ids = []
        for name, dates, state in zip(CAST, map(_forward, people), map(_forward, states), strict=True):
            one = story.entity.create(type="character", name=name, description=f"{name}的来历。", **dates)
            story.state.create(entity_id=one.id, description=f"{name}如今这样。", **state)
            ids.append(one.id)
        for (one, other), dates in zip(pairwise(ids), map(_forward, ties), strict=True):
            story.relation.create(source_entity_id=one, target_entity_id=other, relation_type="ally", **dates)
        for chapter, (names, day) in enumerate(scenes):
            if chapter <= last or names.isdisjoint(CAST):
                story.scene(chapter, 0, "、".join(sorted(names)) + "。", world_time=day)
        return story

    whole, cut = grown(4), grown(4)
    named = {name for names, _ in scenes[: asked + 1] for name in names}
    later = {name for names, _ in scenes[asked + 1 :] for name in names} - named
    for chapter in range(asked + 1, 5):
        delete_scene(memory.call(), project_id=cut.id, chapter=chapter, scene=0)
    undated = [dates["since"] is None and dates["told"] is None for dates in people]
    for name, is_undated in zip(CAST, undated, strict=True):
        # Cut off: what is told only after the moment goes too. The text asked about counts as naming.
        if name in later and is_undated and name not in CAST[:2]:
            entity = next(one for one in cut.entity.list().items if one.name == name)
            cut.entity.delete(id=entity.id)
    answers = [said(told(memory, one, asked, text="、".join(CAST[:2]))) for one in (whole, cut)]
    assert answers[0] == answers[1]


def test_a_phrase_at_the_head_of_a_scene_proposes_when_it_plays(memory: Memory, story: StoryMemory) -> None:
    story.scene(0, 0, "林远出海。", world_time=10)
    story.scene(1, 0, "三天后，林远回来了。")
    story.scene(2, 0, "次日，他又走了。", world_time={"day": 50, "label": "冬至"})
    for chapter in range(3):
        read_scene_anew(memory.call(), story.id, chapter, 0, "local")
    (found,) = [one for one in story.proposals() if one.kind == "time"]
    assert (found.entity_name, found.attributes["days"], found.chapter) == ("三天后", 3.0, 1)
    story.review(found.id, "approved")
    scene = story.ask("manuscript.scene.read", chapter=1, scene=0)
    assert (scene.world_time.day, scene.world_time.label) == (13.0, "三天后")


def test_a_proposed_time_never_stands_against_the_author(memory: Memory, story: StoryMemory) -> None:
    update_story(memory.call(), project_id=story.id, patch=StoryPatch(settings={"autoApprove": 0.1}))
    story.scene(0, 0, "Ten years earlier, Ann was a pupil.")
    read_scene_anew(memory.call(), story.id, 0, 0, "local")
    assert story.ask("manuscript.scene.read", chapter=0, scene=0).world_time is None
    (found,) = [one for one in story.proposals() if one.kind == "time"]
    story.scene_time(0, 0, -10)
    with pytest.raises(Conflict):
        story.review(found.id, "approved")
    assert story.ask("manuscript.scene.read", chapter=0, scene=0).world_time.day == -10


def test_the_timeline_has_both_orders(memory: Memory, story: StoryMemory) -> None:
    a_captain_who_was_an_apprentice(story)
    story.event.create(name="沉船", moment={"chapter": 31, "scene": 0}, world_time=-20)
    told_order = story.timeline()
    assert [(one.kind, one.moment.chapter) for one in told_order.items] == [
        ("scene", 0),
        ("scene", 4),
        ("scene", 30),
        ("scene", 31),
        ("event", 31),
        ("scene", 40),
    ]
    happened = story.timeline("happened")
    assert [one.day for one in happened.items] == [-3650, -20, 0, 30, 30, 30]
    assert happened.items[0].when == "十年前（第-3650天）"
    assert happened.uses_world_time
