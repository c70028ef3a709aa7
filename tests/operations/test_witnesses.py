"""Who is present where a scene shows a private fact knows it."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.story_memory import StoryMemory

TALK = """Ann: Shall we begin?
Bob: I have to take this call. Be right back!
Ann: Quick, before he returns: the will is forged.
Cid: Nobody must know.
Bob: I'm back. What did I miss?
Ann: Nothing at all.
"""


@pytest.fixture
def cast(story: StoryMemory) -> dict[str, Any]:
    return {name: story.entity.create(type="character", name=name) for name in ("Ann", "Bob", "Cid", "Dee")}


def fact(kind: str, one: Any) -> dict[str, str]:
    return {"kind": kind, "id": one.id}


def who(story: StoryMemory, kind: str, one: Any, **place: int) -> list[str]:
    found = story.ask("knowledge.of_fact", kind=kind, id=one.id, **place)
    return [knower.name for knower in found.items if knower.knows]


def shown(story: StoryMemory, kind: str, one: Any, scene: Any, quotation: str) -> None:
    story.ask("evidence.attach", kind=kind, id=one.id, scene_id=scene.id, quotation=quotation)


def test_who_is_present_where_a_scene_shows_a_fact_knows_it(story: StoryMemory, cast: dict[str, Any]) -> None:
    scene = story.scene(2, 1, TALK)
    will = story.entity.create(type="item", name="forged will", secrecy="private")
    shown(story, "entity", will, scene, "the will is forged")
    here = {"chapter": 2, "scene": 1}
    assert who(story, "entity", will, chapter=2, scene=0) == []
    assert who(story, "entity", will, **here) == ["Ann", "Cid"]
    both = story.ask("knowledge.chain", chain=["Ann", "Cid", "Ann"], fact=fact("entity", will), **here)
    assert both.knows
    assert [(one.kind, one.id) for one in both.because] == [("scene", scene.id)]
    assert not story.ask("knowledge.chain", chain=["Ann", "Bob"], fact=fact("entity", will), **here).knows


def test_who_is_called_away_misses_what_happens_on_stage(story: StoryMemory, cast: dict[str, Any]) -> None:
    scene = story.scene(2, 1, TALK)
    story.snapshot(2, 1, "They talk.", active_characters=[{"name": name} for name in cast])
    here = {"chapter": 2, "scene": 1}
    oath = story.event.create(name="the oath", summary="They swear.", moment=here, secrecy="private")
    assert who(story, "event", oath, **here) == ["Ann", "Bob", "Cid", "Dee"]
    shown(story, "event", oath, scene, "Nobody must know.")
    assert who(story, "event", oath, **here) == ["Ann", "Cid", "Dee"]


def test_presence_follows_the_text_and_the_names(story: StoryMemory, cast: dict[str, Any]) -> None:
    scene = story.scene(2, 1, TALK)
    will = story.entity.create(type="item", name="forged will", secrecy="private")
    shown(story, "entity", will, scene, "the will is forged")
    assert who(story, "entity", will) == ["Ann", "Cid"]
    story.scene(
        2, 1, TALK.replace("I have to take this call. Be right back!", "Gladly.").replace("I'm back. ", "")
    )
    assert who(story, "entity", will) == ["Ann", "Bob", "Cid"]
    story.entity.update(id=cast["Cid"].id, patch={"name": "Cyril"}, expected_version=1)
    assert who(story, "entity", will) == ["Ann", "Bob"]
