"""Names and identities that only some people of a story know, seen from their points of view."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import orjson
import pytest

from fabula.api.mcp.tools import TOOLS
from fabula.errors import FabulaError, NotFound
from fabula.story_memory import StoryMemory

LATE = 9


class Port(NamedTuple):
    """A story in which only Bob knows the visitor as Mr Salt, and only Bob learns whose mask it is."""

    story: StoryMemory
    visitor: str
    mask: str
    bob: str

    def told(self, pov: str | None, text: str = "The visitor, Mr Salt, the Comet, Ann and Bob.") -> str:
        """The context of a late scene, seen by somebody."""
        found = self.story.context(LATE, 0, text, token_budget=20_000, pov=pov)
        return "\n".join(one.content for one in found.messages if one.role != "user")

    def agent(self, tool: str, pov: str, **given: object) -> str:
        """What a tool tells an agent from a point of view, or why it does not."""
        asked = TOOLS[tool]
        call = replace(self.story._memory.call(), pov=pov)
        try:
            answer = asked.operation(call, project_id=self.story.id, **given)
        except FabulaError as error:
            return f"{error.code} {error.message} {error.details} {error.suggestion}"
        return str(answer.model_dump_json())


@pytest.fixture
def port(story: StoryMemory) -> Port:
    people = {
        name: story.entity.create(type="character", name=name, description=f"{name} is here.").id
        for name in ("Ann", "Bob")
    }
    visitor = story.entity.create(
        type="character",
        name="the visitor",
        description="Grey and quiet. Mr Salt owns the mill, xq1.",
        names=[{"name": "Mr Salt", "since": {"chapter": 3}, "knownTo": [people["Bob"]]}],
    ).id
    mask = story.entity.create(
        type="character", name="the Comet", description="The visitor in a mask, xq2."
    ).id
    story.reveal.create(entity_ids=[visitor, mask], at={"chapter": 5}, known_to=[people["Bob"]])
    story.entity.update(
        id=people["Ann"], expected_version=1, patch={"description": "Ann saw Mr Salt, xq3. Ann waits."}
    )
    for chapter in range(LATE):
        story.scene(chapter, 0, "The visitor, the Comet, Ann and Bob stood there.")
    return Port(story, visitor, mask, people["Bob"])


def test_a_name_is_read_by_those_who_know_it(port: Port) -> None:
    seen = port.told("Bob")
    assert "Mr Salt" in seen
    assert all(mark in seen for mark in ("xq1", "xq3"))
    assert "Mr Salt" in port.told(None)


def test_a_name_is_withheld_from_those_who_do_not_know_it(port: Port) -> None:
    seen = port.told("Ann")
    assert "Mr Salt" not in seen
    assert not any(mark in seen for mark in ("xq1", "xq3"))
    assert all(said in seen for said in ("Grey and quiet.", "Ann waits.", "the visitor"))


def test_an_unknown_name_leads_to_nobody(port: Port) -> None:
    story = port.story
    text = "Mr Salt laughs."
    assert port.visitor in {one.id for one in story.context(LATE, 0, text, pov="Bob").trace if one.included}
    assert port.visitor not in {
        one.id for one in story.context(LATE, 0, text, pov="Ann").trace if one.included
    }
    as_of = {"chapter": LATE}
    assert port.visitor not in {
        hit.id for hit in story.search("Mr Salt", audience="model", as_of=as_of, pov="Ann").items
    }
    found = story.query.retrieve(query="Who is Mr Salt?", as_of=as_of, pov="Ann")
    assert "Mr Salt" not in found.model_dump_json(exclude={"query"})
    assert port.agent("get_entity", "Ann", entity="Mr Salt", chapter=LATE).startswith("NOT_FOUND")
    assert "Mr Salt" in port.agent("get_entity", "Bob", entity="Mr Salt", chapter=LATE)


def test_everybody_knows_their_own_names_and_who_they_are(port: Port) -> None:
    seen = port.told(port.visitor)
    assert "Mr Salt" in seen
    assert all(mark in seen for mark in ("xq1", "xq2"))


def test_a_reveal_joins_two_for_those_who_learn_it(port: Port) -> None:
    listed = orjson.loads(port.agent("list_entities", "Bob", chapter=LATE))["items"]
    assert {port.visitor, port.mask} - {one["id"] for one in listed} == {port.mask}
    assert "xq2" in port.told("Bob")


def test_for_everybody_else_they_stay_two(port: Port) -> None:
    listed = orjson.loads(port.agent("list_entities", "Ann", chapter=LATE))["items"]
    assert {port.visitor, port.mask} <= {one["id"] for one in listed}
    assert "xq2" not in port.told("Ann")
    before = orjson.loads(port.agent("list_entities", "Bob", chapter=4))["items"]
    assert {port.visitor, port.mask} <= {one["id"] for one in before}


@pytest.mark.parametrize(
    "tool", ["list_entities", "search", "get_context", "get_chat_context", "check_passage"]
)
def test_an_agent_learns_nothing_from_asking_as_somebody_it_may_not_know(port: Port, tool: str) -> None:
    """A guessed name is answered as any name that nobody has."""
    port.story.entity.create(type="character", name="Later", since={"chapter": 8})
    port.story.entity.create(type="character", name="Hidden", ai_context_level="never")
    port.story.entity.create(type="location", name="Vault", ai_context_level="never")
    given = {
        "search": {"query": "who"},
        "get_context": {"text": "x", "scene": 0},
        "get_chat_context": {"messages": [{"role": "user", "content": "x"}]},
        "check_passage": {"text": "x"},
    }.get(tool, {})
    nobody = port.agent(tool, "Nobody", chapter=1, **given)
    assert nobody.startswith("NOT_FOUND")
    for name in ("Mr Salt", "Later", "Hidden", "Vault"):
        assert port.agent(tool, name, chapter=1, **given) == nobody.replace("Nobody", name), name
    assert not port.agent(tool, "the visitor", chapter=1, **given).startswith("NOT_FOUND")


def test_a_conversation_without_a_place_asks_as_of_the_next_scene(port: Port) -> None:
    port.story.entity.create(type="character", name="Later", since={"chapter": 30})
    said = {"messages": [{"role": "user", "content": "x"}]}
    nobody = port.agent("get_chat_context", "Nobody", **said)
    assert port.agent("get_chat_context", "Later", **said) == nobody.replace("Nobody", "Later")
    assert "messages" in port.agent("get_chat_context", "Ann", **said)


def test_the_thing_that_an_agent_asks_as_is_called_by_its_name_in_use(port: Port) -> None:
    port.story.entity.create(
        type="location",
        name="The Tomb",
        names=[{"name": "the hut"}, {"name": "The Tomb", "since": {"chapter": 7}}],
    )
    refused = port.agent("list_entities", "the hut", chapter=1)
    assert refused.startswith("VALIDATION_ERROR")
    assert "Tomb" not in refused


def test_what_a_person_asks_as_is_still_found_by_its_id(port: Port) -> None:
    assert "Mr Salt" not in port.agent("list_entities", port.visitor, chapter=1)
    with pytest.raises(NotFound):
        port.story.context(1, 0, "x", pov="Nobody")
