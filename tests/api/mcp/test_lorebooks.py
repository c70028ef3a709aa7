"""An agent brings a lorebook of another program, and gets one without what it may not hear."""

from __future__ import annotations

import json

import pytest

from agents import Agent, in_process
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

WORLD_INFO = {
    "entries": {
        "0": {"uid": 0, "key": ["bell", "/b.ll/i"], "content": "The bell rings by itself.", "order": 7},
        "1": {"uid": 1, "key": ["salt"], "content": "Mr Salt is the murderer.", "constant": True},
    }
}


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("Harbour")


@pytest.fixture
def agent(memory: Memory, story: StoryMemory) -> Agent:
    return Agent(in_process(memory))


def test_a_book_comes_in_and_goes_out_as_it_was(agent: Agent) -> None:
    text = json.dumps(WORLD_INFO)
    looked = agent.call("import_lorebook", text=text, name="Tavern.json", dryRun=True)
    assert (looked["format"], looked["imported"], looked["dryRun"]) == ("sillytavern", 2, True)
    done = agent.call("import_lorebook", text=text, name="Tavern.json")
    given = agent.call("export_lorebook", book=done["bookId"])
    assert json.loads(given["text"])["entries"] == WORLD_INFO["entries"]
    assert (given["entryCount"], given["withheld"]) == (2, 0)
    assert agent.call("export_lorebook", book="Tavern")["text"] == given["text"]


def test_what_an_agent_may_not_hear_is_not_in_the_file(agent: Agent, story: StoryMemory) -> None:
    done = agent.call("import_lorebook", text=json.dumps(WORLD_INFO), name="Tavern.json")
    story.entity.create(type="character", name="Mr Salt", ai_context_level="never")
    given = agent.call("export_lorebook", book=done["bookId"])
    assert "The bell rings" in given["text"]
    assert "Salt" not in given["text"]
    table = agent.call("export_lorebook", book=done["bookId"], format="csv")
    assert "murderer" not in table["text"]


def test_other_texts_and_unknown_books_are_refused(agent: Agent) -> None:
    assert agent.refusal("import_lorebook", text="Once upon a time.")["code"] == "VALIDATION_ERROR"
    assert agent.refusal("export_lorebook", book="Nowhere")["code"] == "NOT_FOUND"
