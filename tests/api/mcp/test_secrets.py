"""An agent is a model: what a model must not hear of is in nothing that an agent can get."""

from __future__ import annotations

from typing import Any

import pytest

from agents import Agent
from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import put_chapter
from fabula.story_memory import StoryMemory

NAMES = ("Mr Salt", "Granny Tao", "Brass Key", "Lamp Feast")
WORDS = (*NAMES, "zqtwist", "zqkey", "zqfeast", "zqoutline", "zqbond", "zqmood")
NOW = {"chapter": 1, "scene": 0}
SECRET_SCENE = "Jiang Li lit the lamp. Mr Salt zqtwist watched her. It was late."


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    """A story in which every open thing speaks of a secret."""
    told = memory.story("Fogharbour", language="en", id="fog")

    def person(name: str, text: str, **fields: Any) -> str:
        made = told.entity.create(**{"type": "character", "name": name, "description": text, **fields})
        return str(made.id)

    li = person(
        "Jiang Li",
        "Keeper of the lamp. She fears Mr Salt zqtwist.",
        attributes={"enemy": "Granny Tao zqtwist", "age": 27},
    )
    shen = person("Shen Chao", "Captain of the Egret.")
    tower = person("Homeward Tower", "The lighthouse.", type="location")
    salt = person("Mr Salt", "He zqtwist.", aliases=["Granny Tao"], ai_context_level="never")
    key = person("Brass Key", "It opens zqkey.", type="item", ai_context_level="manual_only")
    feast = person("Lamp Feast", "The lamp zqfeast.", type="concept", since={"chapter": 9})
    told.entry("Outline", "In the end zqoutline.", category="custom", ai_context_level="never")
    bonds = (
        (li, salt, "knows", "zqbond"),
        (salt, shen, "knows", "zqbond"),
        (li, tower, "located_at", "Mr Salt zqbond gave it."),
        (li, tower, "serves Mr Salt", "zqbond"),
        (tower, key, "knows", "zqbond"),
        (tower, feast, "knows", "zqfeast"),
    )
    for source, target, word, note in bonds:
        told.relation.create(
            source_entity_id=source, target_entity_id=target, relation_type=word, description=note
        )
    told.state.create(entity_id=li, description="Mr Salt zqmood her.", attributes={"by": "Granny Tao zqmood"})
    told.event.create(
        name="Ferry night",
        summary="They crossed. Granny Tao zqtwist.",
        roles=[{"name": "Jiang Li", "role": "x"}],
    )
    told.scene(0, 0, SECRET_SCENE, title="Mr Salt comes")
    put_chapter(memory.call(), project_id=told.id, chapter=0, title="Granny Tao")
    told.thread.create(title="Mr Salt zqtwist", note="Granny Tao zqtwist", people=[li])
    told.snapshot(0, 0, "Mr Salt zqtwist was here. Jiang Li was afraid.")
    return told


def everything(entity_ids: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Calls of every tool that an agent would make in the middle of its work, none naming a secret."""
    return [
        ("list_stories", {}),
        ("open_story", {**NOW}),
        *(("search", {"query": one, **NOW}) for one in ("lamp", "who fears whom?", "Jiang Li", "outline")),
        ("list_entities", {**NOW}),
        *(("get_entity", {"entity": one, **NOW}) for one in entity_ids),
        *(("get_subgraph", {"entity": one, "depth": 3, **NOW}) for one in entity_ids),
        ("find_path", {"source": "Jiang Li", "target": "Shen Chao", **NOW}),
        ("get_context", {"chapter": 0, "scene": 0}),
        ("get_context", {**NOW, "text": "Jiang Li lit the lamp at the Homeward Tower."}),
        ("get_chat_context", {**NOW, "messages": [{"role": "user", "content": "Jiang Li, at the tower?"}]}),
        ("get_receipt", {}),
        ("get_recent_scenes", {**NOW}),
        ("get_recent_scenes", {}),
        ("check_passage", {"text": "Jiang Li met Shen Chao at the Homeward Tower.", **NOW}),
        ("save_scene", {"chapter": 1, "scene": 0, "text": "Morning."}),
        ("note_thread", {"chapter": 1, "scene": 0, "quotation": "Morning", "title": "What comes?"}),
        ("list_threads", {**NOW}),
        ("list_threads", {"all": True}),
        ("propose_extractions", {"proposals": [{"entityName": "Jiang Li", "entityType": "character"}]}),
        ("export_lorebook", {}),
        ("export_lorebook", {"format": "csv"}),
        ("import_lorebook", {"text": '{"entries": {"0": {"key": ["bell"], "content": "It rings."}}}'}),
        ("get_knowledge_schema", {}),
    ]


@pytest.mark.long
def test_no_tool_resource_or_prompt_speaks_of_a_secret(agent: Agent, story: StoryMemory) -> None:
    open_ones = ["Jiang Li", "Shen Chao", "Homeward Tower", "Ferry night"]
    calls = everything(open_ones)
    assert {tool for tool, _ in calls} | {"import_knowledge_bundle"} >= set(TOOLS)
    receipt: dict[str, Any] = {}
    for tool, arguments in calls:
        if tool in TOOLS:
            answer = agent.call(tool, **arguments, **(receipt if tool == "get_receipt" else {}))
            if tool == "get_context":
                receipt = {"receiptId": answer["receiptId"]}
            said = str(answer)
            assert not [word for word in WORDS if word in said], f"{tool} {arguments}: {said}"

    async def others(client: Any) -> str:
        addresses = [
            "",
            "/chapters/0/scenes/0",
            *(f"/entities/{name.replace(' ', '%20')}" for name in open_ones),
        ]
        said = [str(await client.read_resource(f"fabula://stories/fog{end}")) for end in addresses]
        said += [str(await client.list_resources()), str(await client.list_resource_templates())]
        said += [str(await client.get_prompt(name, {"chapter": "0", "scene": "0"})) for name in PROMPTS]
        return "\n".join(said)

    # Without a moment the whole story is meant, the feast of chapter 9 included.
    said = agent.ask(others).replace("Lamp Feast", "").replace("zqfeast", "")
    assert not [word for word in WORDS if word in said]


def test_there_is_no_way_over_a_secret(agent: Agent, story: StoryMemory) -> None:
    way = agent.call("find_path", source="Jiang Li", target="Shen Chao")
    assert (way["found"], way["steps"]) == (False, [])
    around = agent.call("get_subgraph", entity="Jiang Li", depth=3, **NOW)
    assert [one["name"] for one in around["nodes"]] == ["Jiang Li", "Homeward Tower", "Ferry night"]
    assert [one["type"] for one in around["relations"]] == ["located_at", "participates_in"]


def test_a_secret_that_is_asked_for_is_as_if_it_were_not_there(agent: Agent, story: StoryMemory) -> None:
    salt = next(one.id for one in story.entity.list().items if one.name == "Mr Salt")
    for name in ("Mr Salt", "Granny Tao", salt, "Lamp Feast"):
        for tool, argument in (("get_entity", "entity"), ("get_subgraph", "entity")):
            refused = agent.refusal(tool, **{argument: name}, **NOW)
            unknown = agent.refusal(tool, **{argument: "Nobody"}, **NOW)
            assert str(refused).replace(name, "Nobody") == str(unknown)
        assert agent.refusal("get_context", **NOW, pinned=[name])["code"] == "NOT_FOUND"
        assert agent.refusal("get_chat_context", **NOW, messages=[], pinned=[name])["code"] == "NOT_FOUND"
        assert agent.refusal("find_path", source="Jiang Li", target=name, **NOW)["code"] == "NOT_FOUND"


def test_what_is_told_by_hand_only_is_told_to_those_who_have_its_id(agent: Agent, story: StoryMemory) -> None:
    key = next(one.id for one in story.entity.list().items if one.name == "Brass Key")
    assert agent.refusal("get_entity", entity="Brass Key")["code"] == "NOT_FOUND"
    assert "zqkey" in agent.call("get_entity", entity=key)["text"]
    assert agent.refusal("get_context", **NOW, pinned=["Brass Key"])["code"] == "NOT_FOUND"
    assert "zqkey" in str(agent.call("get_context", **NOW, pinned=[key])["messages"])


def test_a_scene_with_withheld_sentences_is_not_saved_over(agent: Agent, story: StoryMemory) -> None:
    (scene,) = agent.call("get_recent_scenes")["scenes"]
    assert (scene["text"], scene["withheld"]) == ("Jiang Li lit the lamp. It was late.", True)
    refused = agent.refusal("save_scene", chapter=0, scene=0, text="New.", expectedVersion=1)
    assert (refused["code"], refused["details"]["withheld"]) == ("CONFLICT", True)
    assert "zqtwist" not in str(refused)
    stale = agent.refusal("save_scene", chapter=0, scene=0, text="New.", expectedVersion=9)
    assert "zqtwist" not in str(stale)


def test_a_proposal_about_a_secret_is_kept_without_a_word_about_it(agent: Agent, story: StoryMemory) -> None:
    proposal = {"entityName": "Granny Tao", "entityType": "character", "attributes": {"hair": "white"}}
    made = agent.call("propose_extractions", proposals=[proposal])
    assert (made["proposals"], made["totalProposed"]) == ([], 1)
    assert [one.same_as for one in story.proposals()] == ["Mr Salt"]


def test_a_checked_passage_treats_a_secret_as_a_name_like_any_other(agent: Agent, story: StoryMemory) -> None:
    text = "Captain Robert Salt smiled. Mr Salt and Lamp Feast went by the Brass Key."
    checked = agent.call("check_passage", text=text, **NOW)
    assert [(one["kind"], one["name"], one["since"]) for one in checked["findings"]] == [
        ("not_yet", "Lamp Feast", None)
    ]
    assert not [word for word in ("zqtwist", "zqkey", "zqfeast", "never") if word in str(checked)]
    assert [one["name"] for one in checked["known"]] == []
    seen = story.check(text, chapter=1, scene=0)
    assert {(one.kind, one.name) for one in seen.findings} == {
        ("secret", "Mr Salt"),
        ("secret", "Brass Key"),
        ("not_yet", "Lamp Feast"),
    }


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ("{type: Character, name: Mr Salt, action: delete}", "action"),
        ("{type: Character, name: mr salt, aliases: [Salty]}", "aliases"),
        ("{type: Item, name: Brass Key, action: delete}", "action"),
    ],
)
def test_a_bundle_takes_no_secret_away_for_then_its_sentences_were_open(
    agent: Agent, story: StoryMemory, item: str, field: str
) -> None:
    before = agent.call("get_recent_scenes")
    for dry in (True, False):
        refused = agent.refusal("import_knowledge_bundle", text=f"- {item}", dryRun=dry)
        assert (refused["code"], refused["details"]["path"]) == ("FORBIDDEN", f"[0].{field}")
    assert agent.call("get_recent_scenes") == before
    more = "- {type: Character, name: Mr Salt, aliases: [Salty, granny tao], description: New.}"
    assert agent.call("import_knowledge_bundle", text=more)["status"] == "success"


def test_relations_to_secrets_are_not_counted_among_those_that_go(agent: Agent, story: StoryMemory) -> None:
    gone = agent.call(
        "import_knowledge_bundle", text="- {type: Location, name: Homeward Tower, action: delete}"
    )
    assert gone["removedEdgeCount"] == len(gone["removedEdges"])
    assert not [word for word in WORDS if word in str(gone["removedEdges"]).replace("Lamp Feast", "")]


def test_words_used_of_secrets_only_are_not_among_those_for_relations(
    agent: Agent, story: StoryMemory
) -> None:
    ids = {one.name: one.id for one in story.entity.list().items}
    for target, word in (("Mr Salt", "zqsired"), ("Shen Chao", "haunts"), ("Lamp Feast", "zqdreads")):
        story.relation.create(
            source_entity_id=ids["Jiang Li"], target_entity_id=ids[target], relation_type=word
        )
    words = agent.call("open_story", **NOW)["relationTypes"]
    assert {"ally", "knows", "haunts"} <= set(words)
    assert not {"zqsired", "zqdreads"} & set(words)
