"""What the rules leave open, asked of a model: priced before, with both quotations, and without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabula.consistency.model_questions import contradictions_of
from fabula.errors import LlmUnavailable
from fabula.extraction.sloppy_json import NoJson
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.operations.checks.with_model import (
    ModelChecksResponse,
    check_with_model,
    model_checks_price,
    model_prompts,
)
from fabula.story_memory import StoryMemory
from postgres import place_at

SEA = "Her eyes were the colour of the sea in June."
NOTHING = json.dumps({"contradictions": []})


class Novel:
    """A novel with a model that answers from a script."""

    def __init__(self, folder: Path) -> None:
        self.script: list[Any] = []
        self.chat = ScriptedChatModel(lambda request: self.script.pop(0) if self.script else NOTHING)
        self.memory = Memory(place_at(folder / "fabula.db"), chat=self.chat, model_calls_per_minute=0)
        self.story: StoryMemory = self.memory.story("Novel", language="en")
        self.anna = self.story.entity.create(
            type="character", name="Anna", description="Anna is a governess."
        )
        self.story.scene(0, 0, "Anna had grey eyes. Nobody spoke.")
        self.story.scene(1, 0, f"Anna came in. {SEA}")

    def ask(self, **wishes: Any) -> ModelChecksResponse:
        return check_with_model(self.memory.call(), project_id=self.story.id, **wishes)

    def told(self) -> str:
        return "\n".join(said.content for request in self.chat.requests for said in request.messages)


@pytest.fixture
def novel(tmp_path: Path) -> Iterator[Novel]:
    made = Novel(tmp_path)
    with made.memory:
        yield made


def reply(number: int, quotation: str, reason: str = "no") -> str:
    return json.dumps({"contradictions": [{"number": number, "quotation": quotation, "reason": reason}]})


def number_of(novel: Novel, words: str) -> int:
    """The number of the fact with these words in what the model is told of the second chapter."""
    for _, asked in model_prompts(novel.memory.call(), novel.story.id):
        if SEA in asked.content:
            found = re.search(rf"^(\d+)\. .*{re.escape(words)}", asked.content, re.M)
            assert found is not None
            return int(found[1])
    raise AssertionError("nobody asks about the second chapter")


def test_a_finding_has_both_quotations_and_says_who_found_it(novel: Novel) -> None:
    number = number_of(novel, "grey eyes")
    novel.script = [reply(number, SEA, "Grey is\nno \x1b[31mblue.")]
    answer = novel.ask(chapter=1)
    (found,) = answer.findings
    assert (found.here.quotation, found.here.chapter, found.here.scene) == (SEA, 1, 0)
    assert found.here.start == len("Anna came in. ")
    assert (found.there.quotation, found.there.chapter) == ("Anna had grey eyes.", 0)
    assert (found.entity_id, found.model) == (novel.anna.id, "scripted")
    assert found.message == "Grey is no [31mblue."
    assert all(one.rule != "model" for one in novel.story.checks.run().findings)


def test_the_price_is_told_before_and_is_what_was_asked(novel: Novel) -> None:
    price = model_checks_price(novel.memory.call(), project_id=novel.story.id)
    assert not novel.chat.requests
    answer = novel.ask()
    assert (answer.request_count, len(novel.chat.requests)) == (price.request_count, price.request_count)
    assert answer.prompt_tokens == price.prompt_tokens > 0
    assert answer.answer_tokens == answer.request_count * novel.memory.call().tokens.count(NOTHING)


def test_no_more_is_asked_than_agreed(novel: Novel) -> None:
    whole = model_checks_price(novel.memory.call(), project_id=novel.story.id)
    answer = novel.ask(most_requests=1)
    assert (answer.request_count, answer.left_out_count) == (1, whole.request_count - 1)
    assert len(novel.chat.requests) == 1


def test_what_a_rule_finds_is_not_said_again(novel: Novel) -> None:
    novel.story.scene(1, 0, f"Nobody could forget Anna’s blue eyes. {SEA}")
    (found,) = novel.story.checks.run().findings
    assert found.rule == "trait"
    novel.script = [reply(number_of(novel, "grey eyes"), "Anna’s blue eyes")]
    assert not novel.ask(chapter=1).findings


def test_words_that_do_not_stand_there_and_facts_nobody_told_are_left_out() -> None:
    said = [
        {"number": 1, "quotation": "not there", "reason": ""},
        {"number": 9, "quotation": "stands here", "reason": ""},
        {"number": True, "quotation": "stands here", "reason": ""},
        {"number": 1, "quotation": " stands here ", "reason": "yes"},
        {"number": 1, "quotation": "stands here", "reason": "again"},
        "nonsense",
    ]
    (found,) = contradictions_of(json.dumps({"contradictions": said}), 2, "What stands here.")
    assert found == (1, "stands here", "yes")
    with pytest.raises(NoJson):
        contradictions_of("I see nothing.", 2, "What stands here.")


def test_secrets_and_what_comes_later_are_not_told(novel: Novel) -> None:
    story = novel.story
    story.entity.create(type="character", name="Moriarty", ai_context_level="never")
    story.entity.create(type="character", name="Irene", ai_context_level="manual_only")
    later = story.entity.create(type="character", name="Milverton", since={"chapter": 5})
    story.state.create(entity_id=novel.anna.id, description="Anna is queen.", since={"chapter": 2})
    story.scene(0, 0, "Anna had grey eyes. Moriarty had black hair. Irene had red hair.")
    story.scene(1, 0, f"Anna came in. Anna is Moriarty’s sister. Irene saw her. {SEA}")
    story.scene(3, 0, "Anna left.")
    novel.ask()
    told = novel.told()
    assert SEA in told
    for secret in ("Moriarty", "Irene", later.name):
        assert secret not in told
    asked = [request.messages[-1].content for request in novel.chat.requests]
    assert ["Anna is queen." in one for one in asked] == [False, False, True]


def test_a_model_that_fails_keeps_what_was_found_before(novel: Novel) -> None:
    novel.story.scene(2, 0, "Anna went out.")
    novel.script = [NOTHING, reply(number_of(novel, "grey eyes"), SEA), LlmUnavailable("down")]
    answer = novel.ask()
    assert (len(answer.findings), answer.request_count, answer.failed_count) == (1, 3, 1)
    novel.script = [LlmUnavailable("down")]
    with pytest.raises(LlmUnavailable):
        novel.ask()


def test_an_answer_that_cannot_be_read_is_counted(novel: Novel) -> None:
    novel.script = ["I see nothing wrong."]
    answer = novel.ask(chapter=1)
    assert (answer.findings, answer.failed_count) == ((), 1)


def test_without_a_model_there_is_nobody_to_ask(memory: Memory, story: StoryMemory) -> None:
    with pytest.raises(LlmUnavailable):
        check_with_model(memory.call(), project_id=story.id)
