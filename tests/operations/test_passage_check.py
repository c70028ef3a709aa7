"""A passage held against the story: findings by rule, each with its sentence and its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doors import Server
from effort import examples
from fabula.memory import Memory
from fabula.operations.checks.passage import CheckPassageResponse
from fabula.story_memory import StoryMemory

NAMES = ("林远", "沈潮", "盐先生", "阿离")


@pytest.fixture
def harbour(memory: Memory) -> StoryMemory:
    story = memory.story("雾港", language="zh", id="wu")

    def person(name: str, text: str = "", **fields: Any) -> str:
        return str(story.entity.create(type="character", name=name, description=text, **fields).id)

    lin = person("林远", "船长。", aliases=["老林"])
    shen = person("沈潮", "水手。", since={"chapter": 3})
    person("盐先生", "他就是陶婆婆。", ai_context_level="never")
    person("阿离", "守灯人。", until={"chapter": 1})
    story.relation.create(source_entity_id=lin, target_entity_id=shen, relation_type="ally")
    return story


def kinds(checked: CheckPassageResponse) -> list[tuple[str, str]]:
    return [(one.kind, one.name) for one in checked.findings]


def test_who_comes_later_and_who_has_gone_is_found_with_the_sentence(harbour: StoryMemory) -> None:
    text = "老林推开门。沈潮站在雨里，阿离没有来。"
    checked = harbour.check(text, chapter=2, scene=0)
    assert kinds(checked) == [("not_yet", "沈潮"), ("no_longer", "阿离")]
    for finding in checked.findings:
        assert finding.quotation == "沈潮站在雨里，阿离没有来。"
        assert text[finding.start : finding.end] == finding.term == finding.name
    assert checked.findings[0].since.chapter == 3
    assert checked.findings[0].message == "“沈潮”此时还没有出现在故事里。"
    assert [(one.name, one.text, one.places[0].term) for one in checked.known] == [("林远", "船长。", "老林")]


def test_relations_that_hold_between_those_named_are_told(harbour: StoryMemory) -> None:
    checked = harbour.check("林远和沈潮一起出海。", chapter=3, scene=0)
    assert kinds(checked) == []
    assert [(one.source, one.type, one.target) for one in checked.relations] == [("林远", "ally", "沈潮")]


def test_a_secret_name_that_a_line_breaks_is_not_quoted_to_a_model_in_half(harbour: StoryMemory) -> None:
    harbour.scene(0, 0, "林远有两个妹妹，都怕盐\n先生。")
    text = "林远有九个妹妹。"
    assert "都怕盐" in harbour.check(text, chapter=1, scene=0).model_dump_json()
    told = harbour.check(text, chapter=1, scene=0, audience="model").model_dump_json()
    assert "都怕盐" not in told
    harbour.scene(0, 0, "林远有两个妹妹，都怕雨。")
    assert "都怕雨" in harbour.check(text, chapter=1, scene=0, audience="model").model_dump_json()


def test_without_a_place_in_the_telling_periods_do_not_count(harbour: StoryMemory) -> None:
    assert kinds(harbour.check("沈潮和阿离。")) == []


def test_a_name_that_somebody_present_bears_too_means_that_one(harbour: StoryMemory) -> None:
    harbour.entity.create(type="item", name="沈潮", description="一艘船。")
    checked = harbour.check("沈潮靠岸了。", chapter=0, scene=0)
    assert (kinds(checked), [one.type for one in checked.known]) == ([], ["item"])


@pytest.mark.parametrize(
    ("attributes", "is_dead"),
    [
        ({"status": "Dead"}, True),
        ({"状态": "已死"}, True),
        ({"alive": False}, True),
        ({"状态": "受伤"}, False),
    ],
)
def test_the_dead_are_known_by_what_the_story_says_of_them(
    harbour: StoryMemory, attributes: dict[str, Any], is_dead: bool
) -> None:
    harbour.entity.create(type="character", name="顾衡", attributes=attributes)
    assert kinds(harbour.check("顾衡笑了。")) == ([("dead", "顾衡")] if is_dead else [])


def test_a_state_kills_from_its_moment_on(harbour: StoryMemory) -> None:
    lin = next(one.id for one in harbour.entity.list().items if one.name == "林远")
    harbour.state.create(entity_id=lin, attributes={"状态": "身亡"}, since={"chapter": 5})
    assert kinds(harbour.check("林远笑了。", chapter=4, scene=0)) == []
    assert kinds(harbour.check("林远笑了。", chapter=5, scene=0)) == [("dead", "林远")]


def test_the_author_hears_of_secrets_and_a_model_does_not(harbour: StoryMemory) -> None:
    harbour.entry("大纲", "结局。", category="custom", ai_context_level="never")
    text = "盐先生翻开大纲。"
    assert kinds(harbour.check(text)) == [("secret", "盐先生"), ("secret", "大纲")]
    heard = harbour.check(text, audience="model")
    assert (kinds(heard), heard.known) == ([], ())


def test_names_the_story_does_not_know_are_quoted(harbour: StoryMemory) -> None:
    text = "林远遇见了欧阳明月。欧阳明月笑道：“你来了。”"
    (unknown,) = harbour.check(text).unknown
    assert (unknown.name, unknown.type) == ("欧阳明月", "character")
    assert "欧阳明月" in text[unknown.start : unknown.end] == unknown.quotation


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*NAMES, "。", "来了", "\n", "“", "！", "x", "𠮷"]), max_size=30))
def test_every_place_is_in_its_sentence_and_in_the_text(harbour: StoryMemory, parts: list[str]) -> None:
    text = "".join(parts)
    checked = harbour.check(text, chapter=2, scene=0)
    for finding in checked.findings:
        assert text[finding.start : finding.end] == finding.term
        assert finding.term in finding.quotation
        assert finding.quotation in text
    assert checked == harbour.check(text, chapter=2, scene=0)
    found = {one.name for one in (*checked.findings, *checked.known)}
    assert found == {name for name in NAMES if name in text}


def test_over_rest_it_is_read_by_readers_and_refuses_what_is_none(server: Server, told: str) -> None:
    server.entity(told, "沈潮", since={"chapter": 3})
    body = {"text": "沈潮来了。", "chapter": 0, "scene": 0}
    answer = server.client.post(f"/api/v2/stories/{told}/check", json=body)
    assert (answer.status_code, [one["kind"] for one in answer.json()["findings"]]) == (200, ["not_yet"])
    wrong = server.client.post(f"/api/v2/stories/{told}/check", json={"text": "x", "scene": 1})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "VALIDATION_ERROR")
