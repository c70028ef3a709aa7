"""The proxy as its users reach it: the official client of OpenAI, and curl."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from endpoints import DONE, completion, data, event, refusal, stream, told
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.members import put_member
from listening import Listening, listening, spoken


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("clients"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture
def client(on: Listening) -> Iterator[openai.OpenAI]:
    on.played.asked.clear()
    with official(on.url, "anything") as made:
        yield made


def official(url: str, key: str) -> openai.OpenAI:
    direct = openai.DefaultHttpxClient(trust_env=False)
    return openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, http_client=direct)


QUESTION: list[Any] = [spoken("user", "江离在哪里？")]


# The official client


@pytest.mark.long
def test_the_official_client_asks_and_is_answered(on: Listening, client: openai.OpenAI) -> None:
    story = on.story()
    on.played.plays(completion("在塔上。", id="x", object="chat.completion", created=1))
    answer = client.chat.completions.create(model=f"fabula/{on.title(story)}", messages=QUESTION)
    assert answer.choices[0].message.content == "在塔上。"
    assert answer.usage is not None
    assert answer.usage.prompt_tokens == 7
    assert "望归塔的守灯人" in str(on.played.bodies[0]["messages"])


def test_the_official_client_hears_a_stream_with_tool_calls(on: Listening, client: openai.OpenAI) -> None:
    story = on.story()
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    calling = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11}}
    raw = [b"data: " + json.dumps(part).encode() + b"\n\n" for part in (calling, usage)]
    on.played.plays(stream([b": wait\n\n", event("江"), event("离"), *raw, DONE]))
    parts = list(client.chat.completions.create(model=f"fabula/{story.id}@1", messages=QUESTION, stream=True))
    words = [choice.delta.content for part in parts for choice in part.choices if choice.delta.content]
    assert words == ["江", "离"]
    deltas = [choice.delta for part in parts for choice in part.choices]
    (named,) = (delta.tool_calls for delta in deltas if delta.tool_calls)
    assert named[0].function is not None
    assert named[0].function.name == "look"
    assert parts[-1].usage is not None
    assert parts[-1].usage.total_tokens == 11


def test_the_official_client_sees_the_stories_among_the_models(on: Listening, client: openai.OpenAI) -> None:
    name = f"fabula/{on.title(on.story())}"
    on.played.plays(data({"data": [{"id": "played", "object": "model", "created": 1, "owned_by": "them"}]}))
    assert {name, "played"} <= {model.id for model in client.models.list()}
    assert client.models.retrieve(name).owned_by == "fabula"


def test_the_official_client_raises_what_it_would_raise_without_us(
    on: Listening, client: openai.OpenAI
) -> None:
    name = f"fabula/{on.story().id}"
    for status, kind in (
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ):
        on.played.plays(refusal(status, "the reason", retry_after="3"))
        with pytest.raises(kind, match="the reason") as raised:
            client.chat.completions.create(model=name, messages=QUESTION)
        assert raised.value.response.headers["retry-after"] == "3"
    with pytest.raises(openai.NotFoundError, match="no story"):
        client.chat.completions.create(model="fabula/nobody", messages=QUESTION)
    on.played.plays(stream([event("半")], drops=True))
    with pytest.raises(openai.APIError, match="broke off"):
        list(client.chat.completions.create(model=name, messages=QUESTION, stream=True))


# Who may


@pytest.mark.long
def test_tokens_and_roles_hold_on_this_door_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    with listening(tmp_path_factory.mktemp("roles"), auth_required=True) as house:
        story = house.story()
        house.played.plays(told("。"))
        tokens = {}
        for name in ("reader", "stranger"):
            add_user(house.memory.call(), name=name)
            tokens[name] = create_token(house.memory.call(), user_name=name).secret
        put_member(house.memory.call(), project_id=story.id, user_name="reader", role=Role.READER)

        def ask(key: str, model: str) -> Any:
            with official(house.url, key) as made:
                return list(made.chat.completions.create(model=model, messages=QUESTION, stream=True))

        title = f"fabula/{house.title(story)}"
        with pytest.raises(openai.AuthenticationError, match="token"):
            ask("wrong", title)
        assert ask(tokens["reader"], title)
        assert house.played.asked[-1].headers["authorization"] != f"Bearer {tokens['reader']}"
        with pytest.raises(openai.PermissionDeniedError):
            ask(tokens["stranger"], f"fabula/{story.id}")
        with pytest.raises(openai.NotFoundError) as unknown:
            ask(tokens["stranger"], title)
        assert house.title(story) not in str(unknown.value).replace(title, "")
        house.played.plays(data({"data": []}))
        with official(house.url, tokens["stranger"]) as made:
            assert [model.id for model in made.models.list()] == []
        path = f"/api/v2/stories/{story.id}/chat"
        asked = {"chapter": 0, "scene": 0, "text": "江离", "save": "append"}
        headers = {"authorization": f"Bearer {tokens['reader']}"}
        assert house.client.post(path, json=asked, headers=headers).status_code == 403
        house.played.plays(told("。"))
        assert house.client.post(path, json={**asked, "save": None}, headers=headers).status_code == 200


# curl


def curl(*arguments: str) -> str:
    command = shutil.which("curl")
    assert command is not None, "these tests need curl"
    done = subprocess.run(
        [command, "-sS", "--noproxy", "*", "-m", "30", *arguments], capture_output=True, check=True
    )
    return done.stdout.decode()


def test_curl_asks_streams_and_lists(on: Listening) -> None:
    name = f"fabula/{on.title(on.story())}@2.5"
    url = f"{on.url}/v1/chat/completions"
    body = {"model": name, "messages": QUESTION}
    on.played.plays(completion("在塔上。"))
    said = curl(url, "-H", "content-type: application/json", "-d", json.dumps(body, ensure_ascii=False))
    assert json.loads(said)["choices"][0]["message"]["content"] == "在塔上。"
    on.played.plays(told("在", "塔上。"))
    streamed = curl("-N", "-i", url, "-d", json.dumps({**body, "stream": True}))
    assert "x-fabula-moment: 2.5" in streamed.lower()
    assert streamed.endswith((event("在") + event("塔上。") + event(None, "stop") + DONE).decode())
    on.played.plays(data({"data": []}))
    listed = json.loads(curl(f"{on.url}/v1/models"))["data"]
    assert name.partition("@")[0] in [model["id"] for model in listed]
