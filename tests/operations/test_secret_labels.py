"""Titles, types, aliases and checked passages tell an agent nothing that is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.errors import InvalidInput
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.operations.agents.stories import story_meant
from fabula.operations.proposals.extraction import extract_entities
from fabula.operations.proposals.values import ExtractRequest
from fabula.story_memory import StoryMemory

TYPES = """
nodes:
  Character:
    identity: [name]
    schema: {type: object, properties: {name: {type: string}}, required: [name]}
  Servant_of_Salt:
    identity: [name]
    schema: {type: object, properties: {name: {type: string}}, required: [name]}
  Ship:
    identity: [name]
    schema:
      type: object
      description: What Mr Salt sails.
      properties: {name: {type: string}}
      required: [name]
edges: {}
"""


@pytest.fixture(params=["Servant_of_Salt", "SaltServant"])
def story(memory: Memory, request: pytest.FixtureRequest) -> StoryMemory:
    kind: str = request.param
    told = memory.story("The Fall of Salt", language="en", id="s")
    told.ontology.write(text=TYPES.replace("Servant_of_Salt", kind))
    told.entity.create(type="Character", name="Mr Salt", aliases=["Salt"], ai_context_level="never")
    told.entity.create(type=kind, name="Ann", aliases=["Salt", "Annie"], description="A maid.")
    told.scene(0, 0, "Ann swept the floor.")
    return told


def asked(memory: Memory, tool: str, **arguments: Any) -> Any:
    chosen = TOOLS[tool]
    story = {"project_id": "s"} if chosen.of_a_story else {}
    return chosen.operation(memory.call(), **story, **arguments)


def test_types_titles_and_aliases_are_redacted_for_agents(memory: Memory, story: StoryMemory) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_stories", {}),
        ("open_story", {}),
        ("get_knowledge_schema", {}),
        ("list_entities", {}),
        ("get_entity", {"entity": "Ann"}),
        ("get_subgraph", {"entity": "Ann"}),
        ("search", {"query": "Ann"}),
        ("get_context", {"chapter": 0, "scene": 1, "text": "Ann"}),
        ("check_passage", {"text": "Ann came."}),
    ]
    for tool, arguments in calls:
        said = asked(memory, tool, **arguments).model_dump_json()
        assert "salt" not in said.casefold(), tool
    for prompt in PROMPTS.values():
        said = prompt.operation(memory.call(), project_id="s", chapter=0, scene=0)
        assert "salt" not in said.casefold(), prompt.name
    assert asked(memory, "get_entity", entity="Ann").type == "unknown"


def test_the_channels_for_models_redact_types_and_aliases(memory: Memory, story: StoryMemory) -> None:
    for found in (story.query.relevant(excerpt="Ann"), story.query.retrieve(query="Ann")):
        assert "Ann" in found.model_dump_json()
        assert "salt" not in found.model_dump_json().casefold()


def test_a_list_of_stories_in_an_error_redacts_titles(memory: Memory, story: StoryMemory) -> None:
    memory.story("Another", language="en")
    with pytest.raises(InvalidInput) as refused:
        story_meant(memory.call(), None)
    assert "Salt" not in f"{refused.value.details} {refused.value.suggestion}"


def test_a_title_with_the_authors_own_longer_name_is_told(memory: Memory) -> None:
    told = memory.story("青云宗", language="zh", id="s")
    told.entity.create(type="faction", name="青云宗")
    told.entity.create(type="character", name="青云", ai_context_level="never")
    assert asked(memory, "list_stories").items[0].title == "青云宗"


def test_an_alias_does_not_tell_who_somebody_will_be(memory: Memory) -> None:
    told = memory.story("x", language="en", id="s")
    later = told.entity.create(
        type="character", name="The Lost King", aliases=["the beggar"], since={"chapter": 9}
    )
    checked = asked(memory, "check_passage", text="The beggar came in.", chapter=0, scene=0)
    (finding,) = checked.findings
    assert (finding.kind, finding.name, finding.entity_id) == ("not_yet", "The beggar", None)
    assert "King" not in checked.model_dump_json()
    assert later.id not in checked.model_dump_json()


def test_a_model_that_reads_is_not_told_types_that_name_a_secret(tmp_path: Any) -> None:
    chat = ScriptedChatModel(lambda _: '{"entities": [], "events": []}')
    with Memory(tmp_path / "fabula.db", chat=chat) as memory:
        told = memory.story("x", language="en", id="s")
        told.ontology.write(text=TYPES)
        told.entity.create(type="Character", name="Mr Salt", aliases=["Salt"], ai_context_level="never")
        extract_entities(memory.call(), "s", ExtractRequest(text="Ann came.", extractor="model"))
    said = "".join(message.content for request in chat.requests for message in request.messages)
    assert "character" in said.casefold()
    assert "Salt" not in said
