"""The proxy's way to the model: a client's request, and the memory of the story that its model names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from endpoints import KEY, completion, data, dropped, refusal, told
from fabula.operations.bundles.bundles import import_data
from listening import Listening, listening, spoken

BEFORE = spoken("system", "江离：望归塔的守灯人。")
SYSTEM = spoken("system", "短句。")
AFTER = spoken("system", "停在动作上。")


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("proxy"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_fresh_play(on: Listening) -> None:
    on.played.asked.clear()


@pytest.mark.long
def test_the_clients_messages_stay_and_the_context_stands_around_the_last_words_of_the_user(
    on: Listening,
) -> None:
    story = on.story()
    on.played.plays(completion("好"))
    mine = [
        spoken("system", "You are a writer.", name="main"),
        spoken("user", "从前。"),
        spoken("assistant", "然后？", tool_calls=[{"id": "1", "function": {"name": "f", "arguments": "{}"}}]),
        spoken("tool", "42", tool_call_id="1"),
        spoken(
            "user", [{"type": "text", "text": "阿离看见盐先生。"}, {"type": "image_url", "image_url": {}}]
        ),
        spoken("assistant", "她", prefix=True),
    ]
    more = {"tools": [{"type": "function"}], "temperature": 0.7, "x_unknown": {"a": [1, None]}, "seed": 1}
    answer = on.complete(f"fabula/{on.title(story)}@3.1", *mine, **more)
    assert answer.status_code == 200
    (asked,) = on.played.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body.pop("messages") == [mine[0], SYSTEM, *mine[1:4], BEFORE, mine[4], AFTER, mine[5]]
    assert asked.body == {"model": "played", **more}
    assert answer.headers["x-fabula-story"] == story.id
    assert answer.headers["x-fabula-moment"] == "3.1"
    assert int(answer.headers["x-fabula-context-tokens"]) > 0


def test_a_name_that_is_no_story_passes_byte_for_byte_and_without_memory(on: Listening) -> None:
    on.story()
    on.played.plays(completion("好"))
    body = b'{"model":"gpt-x",  "messages":[{"role":"user","content":"\xe6\xb1\x9f\xe7\xa6\xbb"}],"n":1e0}'
    seen: list[bytes] = []

    def keep(handler: Any) -> None:
        seen.append(handler.headers["content-length"].encode())
        completion("好")(handler)

    on.played.plays(keep)
    answer = on.client.post("/v1/chat/completions", content=body)
    assert answer.status_code == 200
    assert seen == [str(len(body)).encode()]
    assert on.played.bodies == [json.loads(body)]
    assert "x-fabula-story" not in answer.headers


def test_the_clients_key_is_not_shown_to_the_model_and_the_models_not_to_the_client(on: Listening) -> None:
    story = on.story()
    on.played.plays(refusal(400, f"bad key {KEY}"))
    headers = {"authorization": "Bearer sk-of-the-client", "cookie": "a=b", "openai-organization": "mine"}
    body = {"model": f"fabula/{story.id}", "messages": [spoken("user", "x")]}
    answer = on.client.post("/v1/chat/completions", json=body, headers=headers)
    (asked,) = on.played.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert not {"cookie", "openai-organization"} & asked.headers.keys()
    assert answer.status_code == 400
    assert KEY not in answer.text
    assert KEY not in str(answer.headers)


@pytest.mark.long
def test_context_never_takes_what_the_window_the_conversation_and_the_answer_need(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with listening(tmp_path_factory.mktemp("narrow"), window=1_000) as narrow:
        story = narrow.story()
        for number in range(12):
            story.entry(f"往事 {number}", "很久以前，有一座塔。" * 9, ai_context_level="always")
        narrow.played.plays(completion("好"))
        model, tokens = f"fabula/{story.id}", narrow.memory.call().tokens

        def told_with(text: str, **limits: int) -> int:
            answer = narrow.complete(model, spoken("user", text), **limits)
            said = [one["content"] for one in narrow.played.bodies[-1]["messages"] if one["role"] == "system"]
            used = sum(map(tokens.count, said))
            assert used == int(answer.headers["x-fabula-context-tokens"])
            asked = sum(limits.values()) or 250
            assert used == 0 or used + tokens.count(text) + asked <= 1_000
            assert narrow.played.bodies[-1].items() >= limits.items(), "the client's own limit stays"
            return used

        assert told_with("江离", max_tokens=100) > told_with("江离", max_tokens=600) > 100
        assert told_with("江离") > 100
        assert told_with("江离", max_completion_tokens=990) == 0
        assert told_with("字" * 900) == 0
        assert narrow.complete(model, spoken("user", "x" * 10), max_tokens=99_999).status_code == 200


def test_the_storys_own_budget_is_kept(on: Listening) -> None:
    story = on.story()
    story.entry("长", "很久以前。" * 100, ai_context_level="always")
    on.played.plays(completion("好"))
    path = f"/api/v2/stories/{story.id}"
    used = []
    for budget in (None, 40, 0):
        changed = on.client.patch(path, json={"settings": {"tokenBudget": budget}})
        assert changed.status_code == 200
        answer = on.complete(f"fabula/{story.id}", spoken("user", "江离"))
        used.append(int(answer.headers["x-fabula-context-tokens"]))
    assert used[0] > 40 >= used[1] > used[2] == 0
    assert on.played.bodies[-1]["messages"] == [spoken("user", "江离")]
    for wrong in (-1, 1.5, "4000", True, 1_000_001):
        assert on.client.patch(path, json={"settings": {"tokenBudget": wrong}}).status_code == 400


def test_no_quoting_and_no_name_of_others_opens_a_secret(on: Listening) -> None:
    story = on.memory.story("Quoted", language="en", id="quoted")
    story.entity.create(type="character", name="O'Brien", ai_context_level="never")
    attributes = {"fear": "she owes O'Brien: 300 gold"}
    story.entity.create(type="character", name="Ann", description="A smith.", attributes=attributes)
    bundle = "- type: Character\n  name: she owes O'Brien\n  description: Open.\n"
    import_data(on.memory.call(), "quoted", bundle.encode())
    words = spoken("user", "Ann, she owes O'Brien!")
    on.played.plays(completion("Yes."), completion("Yes."))
    assert on.complete("fabula/Quoted@0.0", words).status_code == 200
    assert on.chat(story, messages=[words]).status_code == 200
    for asked in on.played.asked:
        said = "".join(one["content"] for one in asked.body["messages"] if one["role"] == "system")
        assert "A smith." in said
        assert "gold" not in said
        assert "Brien" not in said


def test_only_the_end_of_a_long_conversation_brings_names_to_mind(on: Listening) -> None:
    story = on.story()
    on.played.plays(completion("好"))
    model = f"fabula/{story.id}"
    talk = [spoken("user", "江离"), spoken("assistant", "话" * 9_000), spoken("user", "然后呢？")]
    on.complete(model, *talk)
    assert BEFORE not in on.played.bodies[-1]["messages"]
    on.complete(model, *talk[1:], spoken("user", "江离"))
    assert BEFORE in on.played.bodies[-1]["messages"]


@pytest.mark.long
def test_a_model_that_takes_one_instruction_only_gets_one(tmp_path_factory: pytest.TempPathFactory) -> None:
    with listening(tmp_path_factory.mktemp("strict")) as strict:
        story = strict.story()
        wrong = refusal(500, "Jinja Exception: System message must be at the beginning.")
        strict.played.plays(wrong, completion("好"), completion("好"))
        mine = [spoken("system", "Be brief."), spoken("user", "江离")]
        assert strict.complete(f"fabula/{story.id}", *mine).status_code == 200
        assert strict.complete(f"fabula/{story.id}", *mine).status_code == 200
        first, again, later = (body["messages"] for body in strict.played.bodies)
        assert first == [mine[0], SYSTEM, BEFORE, mine[1], AFTER]
        whole = "Be brief.\n\n短句。\n\n江离：望归塔的守灯人。\n\n停在动作上。"
        assert again == later == [spoken("system", whole), mine[1]]
        strict.played.plays(told("好"))
        strict.chat(story, text="江离", messages=[spoken("user", "说。")])
        assert [one["role"] for one in strict.played.bodies[-1]["messages"]] == ["system", "user"]


# Names


def test_stories_are_listed_as_models_before_those_of_the_endpoint(on: Listening) -> None:
    story = on.story()
    on.played.plays(data({"data": [{"id": "played", "max_model_len": 9}, "noise", {"no": "id"}]}))
    listed = on.client.get("/v1/models").json()
    assert listed["object"] == "list"
    assert listed["data"][-1] == {"id": "played", "max_model_len": 9}
    mine = next(one for one in listed["data"] if one["id"] == f"fabula/{on.title(story)}")
    assert mine.keys() == {"id", "object", "created", "owned_by"}
    assert on.client.get(f"/v1/models/{mine['id']}").json() == mine
    assert on.client.get("/v1/models/nothing").json()["error"]["code"] == "NOT_FOUND"
    on.played.plays(dropped)
    assert mine in on.client.get("/v1/models").json()["data"], "without the endpoint, too"


def test_a_story_that_is_not_there_is_a_model_that_is_not_there(on: Listening) -> None:
    story = on.story()
    answer = on.complete("fabula/nobody@1", spoken("user", "x"))
    assert (answer.status_code, answer.json()["error"]["type"]) == (404, "not_found_error")
    assert f"fabula/{on.title(story)}" in answer.json()["error"]["message"]
    assert on.played.asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        b'{"model": 7, "messages": []}',
        b'{"model": "fabula/%s", "messages": "x"}',
        b'{"model": "fabula/%s", "messages": ["x"]}',
        b'{"model": "fabula/%s"}',
        b'{"model": "fabula/%s@99999999999", "messages": []}',
        b'{"model": "fabula/%s", "messages": [], "x": NaN}',
        b'{"model": "fabula/%s", "messages": [], "x": 1e999}',
        b'{"model": "fabula/%s", "messages": [{"role": "user", "content": "\xff"}]}',
    ],
)
def test_what_is_no_request_is_refused_in_the_shape_of_openai(on: Listening, body: bytes) -> None:
    story = on.story()
    answer = on.client.post("/v1/chat/completions", content=body.replace(b"%s", story.id.encode()))
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["type"], error["code"]) == ("invalid_request_error", "VALIDATION_ERROR")
    assert on.played.asked == []


def test_half_a_surrogate_pair_goes_through_as_it_came(on: Listening) -> None:
    story = on.story()
    on.played.plays(completion("好"))
    body = (
        b'{"model": "fabula/%s", "messages": [{"role": "user", "content": "\\u6c5f\\u79bb \\ud83d\\u0000"}]}'
    )
    answer = on.client.post("/v1/chat/completions", content=body.replace(b"%s", story.id.encode()))
    assert answer.status_code == 200
    assert spoken("user", "江离 \ud83d\0") in on.played.bodies[0]["messages"]
    assert BEFORE in on.played.bodies[0]["messages"]


def test_pages_from_elsewhere_may_not_use_it(on: Listening) -> None:
    body = {"model": "played", "messages": []}
    for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
        answer = on.client.post("/v1/chat/completions", json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["type"]) == (403, "permission_error")
    assert on.played.asked == []
