"""The proxy as chat clients with characters use it: who speaks, what the client wishes, and a full window."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from endpoints import completion, refusal, told
from fabula.story_memory import StoryMemory
from listening import Listening, listening, spoken

KEEPER = "江离：望归塔的守灯人。"


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("chats"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_fresh_play(on: Listening) -> None:
    on.played.asked.clear()
    on.played.plays(completion("好"))


def said_to_model(on: Listening, *mine: Any) -> str:
    """The instructions that the model got, without the client's own messages."""
    return "\n".join(
        one["content"]
        for one in on.played.bodies[-1]["messages"]
        if one["role"] == "system" and one not in mine
    )


def last_told(on: Listening, story: StoryMemory, **limit: int) -> list[dict[str, Any]]:
    answer = on.client.get(f"/api/v2/stories/{story.id}/context/told", params=limit)
    assert answer.status_code == 200
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


# Who speaks


@pytest.mark.parametrize(
    "mine",
    [
        [spoken("user", "你多大了？"), spoken("assistant", "……", name="江离"), spoken("user", "说吧。")],
        [spoken("system", "Write 江离's next reply."), spoken("user", "你多大了？")],
        [
            spoken("system", "Be brief."),
            spoken("system", "[Start]", name="阿离"),
            spoken("user", "你多大了？"),
        ],
    ],
    ids=["name field", "instruction", "alias in a name field"],
)
def test_the_one_who_speaks_is_looked_up(on: Listening, mine: list[dict[str, Any]]) -> None:
    story = on.story()
    assert on.complete(f"fabula/{story.id}", *mine).status_code == 200
    assert KEEPER in said_to_model(on, *mine)


def test_the_prompt_of_sillytavern_says_who_talks_with_whom(on: Listening) -> None:
    story = on.memory.story("Roles", language="en")
    book = story.ask("lorebook.book.create", name="Glade", activation="sillytavern")
    entry = {"entryKey": "glade", "keywordsJson": ["glade"], "content": "{{char}} guards {{user}}."}
    address = f"/api/v2/stories/{story.id}/lorebook"
    assert on.client.post(address, json={**entry, "bookId": book.id}).status_code == 201
    prompt = "Write Ann Lee's next reply in a fictional chat between Ann Lee and Kai."
    mine = [spoken("system", prompt), spoken("user", "Where is the glade?")]
    assert on.complete(f"fabula/{story.id}", *mine).status_code == 200
    assert "Ann Lee guards Kai." in said_to_model(on, *mine)
    named = on.complete(f"fabula/{story.id}", *mine, fabula={"char": "Bo", "user": "Cy"})
    assert named.status_code == 200
    assert "Bo guards Cy." in said_to_model(on, *mine)


def test_a_name_whose_spaces_the_client_replaced_is_understood(on: Listening) -> None:
    story = on.memory.story("Underscores", language="en")
    story.entry("Ann Lee", "A smith of few words.", category="character")
    mine = [
        spoken("user", "How old are you?"),
        spoken("assistant", "…", name="Ann_Lee"),
        spoken("user", "Well?"),
    ]
    assert on.complete(f"fabula/{story.id}", *mine).status_code == 200
    assert "A smith of few words." in said_to_model(on, *mine)


def test_instructions_and_names_of_speakers_open_no_secret(on: Listening) -> None:
    story = on.story()
    mine = [
        spoken("system", "You are 盐先生. 灯节."),
        spoken("assistant", "…", name="盐先生"),
        spoken("user", "谁？"),
    ]
    wish = {"pinned": ["盐先生", "灯节"], "pov": "盐先生"}
    assert on.complete(f"fabula/{story.id}", *mine, fabula=wish).status_code == 200
    for secret in ("盐先生", "陶婆婆", "灯灭了"):
        assert secret not in said_to_model(on, *mine)


def test_keywords_in_instructions_are_no_names(on: Listening) -> None:
    story = on.story()
    story.entry("雾", "雾里有人。", keywords=["大雾"])
    mine = [spoken("system", "大雾"), spoken("user", "谁？")]
    on.complete(f"fabula/{story.id}", *mine)
    assert "雾里有人" not in said_to_model(on, *mine)


def test_whom_the_talk_names_comes_before_those_of_the_instructions(on: Listening) -> None:
    story = on.memory.story("两人", language="zh")
    for name in ("甲某", "乙某"):
        story.entry(name, f"{name}的往事很长。" * 9, category="character")
    on.client.patch(f"/api/v2/stories/{story.id}", json={"settings": {"tokenBudget": 130}})
    for named, other in (("甲某", "乙某"), ("乙某", "甲某")):
        mine = [spoken("system", f"{other}。{other}。{other}。"), spoken("user", f"{named}呢？")]
        on.complete(f"fabula/{story.id}", *mine)
        assert f"{named}的往事" in said_to_model(on, *mine)
        assert f"{other}的往事" not in said_to_model(on, *mine)


# What a client wishes


def test_a_client_says_whom_and_when_it_is_about(on: Listening) -> None:
    story = on.story()
    story.entry("灯谱", "十二盏。", category="item", ai_context_level="manual_only")
    mine = spoken("user", "说吧。")
    wish = {"pinned": ["{{空}}", "灯谱"], "pov": "阿离", "chapter": 9, "scene": 2, "tokenBudget": 300}
    answer = on.complete(f"fabula/{story.id}@1", mine, fabula=wish)
    assert answer.headers["x-fabula-moment"] == "9.2"
    assert "十二盏。" in said_to_model(on, mine)
    assert KEEPER in said_to_model(on, mine)
    assert "fabula" not in on.played.bodies[-1]
    assert last_told(on, story)[0]["totalBudget"] == 300
    by_id = {"pinned": story.entity.list(filter={"keyword": "灯谱"}).items[0].id}
    on.complete(f"fabula/{story.id}", mine, fabula=by_id)
    assert "十二盏。" in said_to_model(on, mine)
    on.complete(f"fabula/{story.id}@1.4", mine, fabula={"chapter": 3, "pov": "", "pinned": [""]})
    assert last_told(on, story)[0] | {"chapter": 3, "scene": 0} == last_told(on, story)[0]


def test_wishes_are_not_sent_to_other_models_either(on: Listening) -> None:
    assert on.complete("played", spoken("user", "x"), fabula={"pinned": "y"}, seed=1).status_code == 200
    assert on.played.bodies == [{"model": "played", "messages": [spoken("user", "x")], "seed": 1}]


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ("x", "fabula"),
        ({"pinned": [7]}, "fabula.pinned[0]"),
        ({"chapter": -1}, "fabula.chapter"),
        ({"scene": "x"}, "fabula.scene"),
        ({"tokenBudget": 1_000_001}, "fabula.tokenBudget"),
        ({"pointOfView": "x"}, "fabula.pointOfView"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_with_its_field(on: Listening, wish: Any, field: str) -> None:
    answer = on.complete(f"fabula/{on.story().id}", spoken("user", "x"), fabula=wish)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["param"]) == (400, "VALIDATION_ERROR", field)
    assert on.played.asked == []


# A full window


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("narrow"), model_calls_per_minute=0, window=1_000) as running:
        yield running


LONG = "很久以前，有一座塔。" * 9


def exchange(number: int) -> list[dict[str, Any]]:
    call = {"id": str(number), "type": "function", "function": {"name": "look", "arguments": "{}"}}
    return [
        spoken("user", f"第{number}问。{LONG}"),
        spoken("assistant", "", tool_calls=[call]),
        spoken("tool", "42", tool_call_id=str(number)),
        spoken("assistant", f"第{number}答。"),
    ]


def test_memory_that_has_no_room_does_not_vanish_without_a_word(
    narrow: Listening, caplog: pytest.LogCaptureFixture
) -> None:
    story, tokens = narrow.story(), narrow.memory.call().tokens
    narrow.played.plays(completion("好"))
    story.entry("往事", LONG * 3, ai_context_level="always", token_budget=10_000)
    room = spoken("user", "江离")
    assert narrow.complete(f"fabula/{story.id}", room).headers["x-fabula-memory"] == "whole"
    assert [record for record in caplog.records if record.name == "fabula.contexts"] == []
    for size, memory in ((10, "cut"), (30, "none")):
        full = spoken("user", LONG * size + "江离")
        with caplog.at_level(logging.WARNING, logger="fabula.contexts"):
            answer = narrow.complete(f"fabula/{story.id}", full, max_tokens=100)
        assert answer.headers["x-fabula-memory"] == memory
        assert full in narrow.played.bodies[-1]["messages"], "nothing of the client's is dropped"
        assert (
            caplog.records[-1].__dict__ | {"memory": memory, "projectId": story.id}
            == caplog.records[-1].__dict__
        )
        assert LONG not in caplog.text
        (shown,) = last_told(narrow, story)
        assert (shown["memory"], shown["droppedMessages"]) == (memory, 0)
        assert int(answer.headers["x-fabula-context-tokens"]) == shown["estimatedTokens"]
        if memory == "cut":
            sent = sum(tokens.count(one["content"]) for one in narrow.played.bodies[-1]["messages"])
            assert sent + 100 <= 1_000


def test_the_oldest_messages_give_way_only_where_the_author_allows_it(narrow: Listening) -> None:
    story = narrow.story()
    narrow.played.plays(completion("好"))
    opening = [spoken("system", "Be brief.")]
    talk = [message for number in range(9) for message in exchange(number)]
    late = [spoken("system", "[Note]"), spoken("user", "江离呢？"), spoken("assistant", "她", prefix=True)]
    mine = [*opening, *talk, *late]
    kept = narrow.complete(f"fabula/{story.id}", *mine, max_tokens=100)
    assert kept.headers["x-fabula-memory"] == "none"
    assert "x-fabula-dropped-messages" not in kept.headers
    assert narrow.played.bodies[-1]["messages"] == mine
    narrow.client.patch(f"/api/v2/stories/{story.id}", json={"settings": {"dropOldestMessages": True}})
    answer = narrow.complete(f"fabula/{story.id}", *mine, max_tokens=100)
    assert answer.headers["x-fabula-memory"] == "whole"
    dropped = int(answer.headers["x-fabula-dropped-messages"])
    assert 0 < dropped < len(talk)
    assert dropped % 4 == 0, "whole exchanges: no answer without its question, no result without its call"
    sent = [one for one in narrow.played.bodies[-1]["messages"] if one in mine]
    assert sent == [*opening, *talk[dropped:], *late]
    assert KEEPER in said_to_model(narrow, *mine)
    assert last_told(narrow, story)[0]["droppedMessages"] == dropped
    alone = [spoken("user", LONG * 12)]
    assert narrow.complete(f"fabula/{story.id}", *alone).headers["x-fabula-memory"] == "none"
    assert narrow.played.bodies[-1]["messages"] == alone, "the last words of the user always stay"


def test_a_conversation_about_a_scene_says_the_same(narrow: Listening) -> None:
    story = narrow.story()
    narrow.played.plays(completion("好"))
    talk = [spoken("user" if number % 2 == 0 else "assistant", LONG) for number in range(12)]
    asked = [*talk, spoken("user", "江离呢？")]
    full = narrow.chat(story, messages=asked, stream=False, maxTokens=100).json()["context"]
    assert (full["memory"], full["droppedMessages"]) == ("none", 0)
    narrow.client.patch(f"/api/v2/stories/{story.id}", json={"settings": {"dropOldestMessages": True}})
    full = narrow.chat(story, messages=asked, stream=False, maxTokens=100).json()["context"]
    assert full["memory"] == "whole"
    assert full["droppedMessages"] > 0
    sent = [one for one in narrow.played.bodies[-1]["messages"] if one["role"] != "system"]
    assert sent == asked[full["droppedMessages"] :]
    assert [one["door"] for one in last_told(narrow, story, limit=2)] == ["chat", "chat"]


# What was last told


def test_what_a_client_was_told_is_shown_with_its_reasons(on: Listening) -> None:
    story = on.story()
    assert last_told(on, story) == []
    on.complete(f"fabula/{story.id}@3.1", spoken("user", "阿离看见盐先生。"))
    (shown,) = last_told(on, story)
    assert [one["content"] for one in shown["messages"]] == ["短句。", KEEPER, "停在动作上。"]
    assert (shown["door"], shown["chapter"], shown["scene"]) == ("proxy", 3, 1)
    assert shown["model"] == f"fabula/{story.id}@3.1"
    reasons = {item["label"]: (item["included"], item["reason"]) for item in shown["trace"]}
    assert reasons["江离"] == (True, "detected")
    assert reasons["盐先生"] == (False, "level_never")
    for _ in range(25):
        on.complete(f"fabula/{story.id}", spoken("user", "x"))
    shown_at = [one["at"] for one in last_told(on, story, limit=20)]
    assert len(shown_at) == 20
    assert shown_at == sorted(shown_at, reverse=True)
    assert last_told(on, on.story()) == [], "of this story only"


# Text completions


def test_a_prompt_is_answered_as_a_text(on: Listening) -> None:
    story = on.story()
    with openai.OpenAI(
        base_url=f"{on.url}/v1", api_key="x", max_retries=0, http_client=httpx.Client(trust_env=False)
    ) as client:
        on.played.plays(completion("在塔上。", id="x", object="chat.completion", created=1))
        model = f"fabula/{story.id}"
        answer = client.completions.create(model=model, prompt="江离在哪里？", max_tokens=50, echo=False)
        assert answer.object == "text_completion"
        assert answer.choices[0].text == "在塔上。"
        assert answer.choices[0].finish_reason == "stop"
        (asked,) = on.played.asked
        assert asked.path == "/v1/chat/completions"
        assert spoken("user", "江离在哪里？") in asked.body["messages"]
        assert KEEPER in said_to_model(on)
        assert asked.body.keys() == {"model", "messages", "max_tokens"}
        on.played.plays(told("在", "塔上。"))
        parts = list(client.completions.create(model=model, prompt=["江离？"], stream=True))
        assert "".join(part.choices[0].text for part in parts) == "在塔上。"
        assert parts[-1].choices[0].finish_reason == "stop"
        on.played.plays(refusal(429, "slow down"))
        with pytest.raises(openai.RateLimitError, match="slow down"):
            client.completions.create(model="played", prompt="x")


@pytest.mark.parametrize("prompt", [None, ["a", "b"], [1, 2], 7])
def test_what_is_not_one_prompt_is_refused_with_what_to_do(on: Listening, prompt: Any) -> None:
    answer = on.client.post("/v1/completions", json={"model": "played", "prompt": prompt})
    error = answer.json()["error"]
    assert (answer.status_code, error["param"]) == (400, "prompt")
    assert "/v1/chat/completions" in error["message"]
    assert on.client.post("/v1/completions", content=b"{").status_code == 400
    assert on.played.asked == []


def test_a_streamed_text_is_not_changed_on_its_way(on: Listening) -> None:
    on.played.plays(told('"finish_reason": "stop" data: [DONE]', "\n\n雾\u2028港"))
    answer = on.client.post("/v1/completions", json={"model": "played", "prompt": "x", "stream": True})
    texts = [
        json.loads(line[6:])["choices"][0]["text"] for line in answer.text.split("\n") if "choices" in line
    ]
    assert texts == ['"finish_reason": "stop" data: [DONE]', "\n\n雾\u2028港", ""]
    assert answer.text.endswith("data: [DONE]\n\n")
