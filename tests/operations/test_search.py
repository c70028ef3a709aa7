"""One field for everything: what is found, in which order, with which words marked, and from which moment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations.search.search import SearchHit, search_story
from fabula.operations.search.snippets import SNIPPET, Snippets
from fabula.story_memory import StoryMemory


@pytest.fixture
def harbour(story: StoryMemory) -> StoryMemory:
    """A small harbour: people, a tower, a rule, an event, two scenes."""
    li = story.entity.create(
        type="character", name="江离", aliases=["阿离"], description="守灯人，左手有一道旧疤。"
    )
    boat = story.entity.create(type="character", name="江离舟", description="渔夫。")
    tower = story.entity.create(type="location", name="望归塔", description="北礁上的石塔。")
    for source, target, word in ((li, tower, "located_at"), (boat, li, "enemy")):
        story.relation.create(source_entity_id=source.id, target_entity_id=target.id, relation_type=word)
    story.event.create(
        name="空船", summary="一条没有人的船漂进港口。", roles=["阿离"], moment={"chapter": 1, "scene": 2}
    )
    story.entry("雾规", "起雾的夜里不许敲钟。", keywords=["敲钟"])
    story.scene(0, 0, "阿离把灯油添满，记下时辰。")
    story.scene(3, 1, "退潮以后，有人在礁石缝里捡到一只铜铃。铃舌不见了。")
    return story


def found(story: StoryMemory, question: str, **wishes: Any) -> list[tuple[str, str, str]]:
    return [(hit.kind, hit.title, hit.why) for hit in story.search(question, **wishes).items]


def marked(hit: SearchHit) -> list[str]:
    return [hit.snippet[mark.start : mark.end] for mark in hit.marks]


def test_names_of_two_characters_and_aliases_come_first(harbour: StoryMemory) -> None:
    assert found(harbour, "江离")[:2] == [("entity", "江离", "name"), ("entity", "江离舟", "name")]
    assert found(harbour, "阿离")[0] == ("entity", "江离", "name")
    assert found(harbour, "望归")[0] == ("entity", "望归塔", "name")
    assert found(harbour, " 空船 ")[0] == ("event", "空船", "name")
    first = harbour.search("空船").items[0]
    assert (first.type, first.chapter, first.scene) == ("event", 1, 2)


def test_a_custom_entry_is_found_by_key_keyword_and_text(harbour: StoryMemory) -> None:
    for question, why in (("雾规", "name"), ("敲钟", "name"), ("夜里不许", "text")):
        assert found(harbour, question, kinds=["entry"]) == [("entry", "雾规", why)]
    (hit,) = harbour.search("起雾的夜里", kinds=["entry"]).items
    assert marked(hit) == ["起雾的夜里"]


def test_a_passage_is_found_with_its_place_and_its_words_marked(harbour: StoryMemory) -> None:
    (hit,) = harbour.search("铜铃在哪里", kinds=["passage"]).items
    assert (hit.id, hit.title, hit.chapter, hit.scene, hit.start) == ("3.1:0", "3.1", 3, 1, 0)
    assert marked(hit) == ["铜铃"]


def test_a_whole_name_then_a_part_then_texts_then_who_is_near(harbour: StoryMemory) -> None:
    hits = harbour.search("江离").items
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert (hits[0].score, hits[0].path) == (1.0, ())
    ranks = {"name": 0, "text": 1, "near": 2}
    order = [ranks[why] for kind, _, why in found(harbour, "旧疤", kinds=["entity", "event"])]
    assert order == sorted(order)
    assert found(harbour, "旧疤")[0] == ("entity", "江离", "text")
    near = next(hit for hit in hits if hit.title == "望归塔")
    assert near.why == "near"
    assert [(hop.source, hop.kind, hop.target) for hop in near.path] == [("江离", "located_at", "望归塔")]


def test_a_question_finds_whom_its_relation_leads_to(harbour: StoryMemory) -> None:
    hits = {hit.title: hit for hit in harbour.search("谁是阿离的仇人？", kinds=["entity"]).items}
    assert hits["江离"].why == "name"
    assert hits["江离舟"].why == "near"
    assert "望归塔" not in hits
    (hop,) = hits["江离舟"].path
    assert (hop.kind, hop.outward) == ("enemy", False)


def test_in_english_whole_words_and_their_forms_are_found(memory: Memory) -> None:
    story = memory.story("The Mill", language="en")
    story.entity.create(
        type="character", name="Ann Lee", aliases=["The Miller"], description="She grinds corn."
    )
    story.scene(0, 0, "At night somebody burned the old mill. Nobody saw a face.")
    assert found(story, "ann")[0] == ("entity", "Ann Lee", "name")
    assert found(story, "the miller")[0] == ("entity", "Ann Lee", "name")
    assert found(story, "grinding corn")[0] == ("entity", "Ann Lee", "text")
    assert found(story, "who is burning mills?", kinds=["passage"]) == [("passage", "0.0", "text")]


def test_as_of_a_scene_nothing_later_is_found(harbour: StoryMemory) -> None:
    harbour.entity.create(type="character", name="白鹭", since={"chapter": 2})
    harbour.entry("禁令", "不许出海。", since={"chapter": 2})
    for question, kind in (("铜铃", "passage"), ("空船", "event"), ("白鹭", "entity"), ("禁令", "entry")):
        assert found(harbour, question, kinds=[kind], as_of={"chapter": 1, "scene": 1}) == []
        assert found(harbour, question, kinds=[kind], as_of={"chapter": 3})
    assert found(harbour, "空船", kinds=["event"], as_of={"chapter": 1})
    assert found(harbour, "铜铃", kinds=["passage"], as_of={"chapter": 3, "scene": 0}) == []


def test_a_model_does_not_find_what_it_must_not_hear_of(harbour: StoryMemory) -> None:
    harbour.entity.create(type="character", name="盐先生", description="他是陶婆。", ai_context_level="never")
    harbour.entity.create(type="item", name="账册", ai_context_level="manual_only")
    harbour.entity.create(type="character", name="霍三", description="怕水。他替盐先生送信。")
    harbour.entry("真相", "陶婆换了脸。", ai_context_level="never")
    harbour.entry("旧规", "见灯下锚。", enabled=False)
    harbour.scene(4, 0, "霍三上了岸。盐先生在帘后。")
    for question, kind in (("盐先生", "entity"), ("账册", "entity"), ("真相", "entry"), ("旧规", "entry")):
        assert found(harbour, question, kinds=[kind])[0][:2] == (kind, question)
        titles = [title for _, title, _ in found(harbour, question, kinds=[kind], audience="model")]
        assert question not in titles
    for audience, named in (("author", True), ("model", False)):
        hits = harbour.search("霍三和盐先生", audience=audience).items
        assert {hit.title for hit in hits} >= {"霍三", "4.0"}
        assert any("盐先生" in hit.snippet for hit in hits) is named


def test_what_is_asked_for_bounds_the_answer(harbour: StoryMemory) -> None:
    assert len(harbour.search("江离", limit=2).items) == 2
    assert {kind for kind, _, _ in found(harbour, "江离", kinds=["event", "passage"])} == {"event", "passage"}
    assert harbour.search("   ").items == ()
    assert harbour.search("没有人说过的话xyz", kinds=["entity"]).items == ()
    for wishes in (
        {"limit": 0},
        {"limit": 101},
        {"kinds": ["people"]},
        {"as_of": {"scene": 1}},
        {"who": "x"},
    ):
        with pytest.raises(InvalidInput):
            harbour.search("江离", **wishes)
    with pytest.raises(InvalidInput):
        harbour.search("长" * 2001)


def test_a_search_follows_every_change(memory: Memory, harbour: StoryMemory) -> None:
    harbour.search("铜铃")
    harbour.scene(3, 1, "退潮以后，什么也没有。")
    assert found(harbour, "铜铃") == []
    harbour.history.undo()
    assert found(harbour, "铜铃")[0][:2] == ("passage", "3.1")
    with pytest.raises(NotFound):
        search_story(memory.call(), project_id="nowhere", q="铜铃")


TEXTS = st.text(st.sampled_from("ab 江离灯。 \n'Ａ"), max_size=400)


@given(TEXTS, TEXTS.map(lambda text: text[:12]))
def test_a_snippet_is_a_part_of_the_text_and_marks_lie_inside_it(text: str, question: str) -> None:
    snippet, marks = Snippets(question).of(text)
    flat = " ".join(text.split())
    assert snippet in flat
    assert len(snippet) <= SNIPPET
    assert snippet == flat or len(flat) > SNIPPET
    ends = [0, *(place for mark in marks for place in (mark.start, mark.end)), len(snippet)]
    assert ends == sorted(ends)
    assert all(mark.start < mark.end for mark in marks)
