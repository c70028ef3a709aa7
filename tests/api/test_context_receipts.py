"""Receipts over REST, in the headers of chat and proxy, for agents, and by whom they may be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from endpoints import completion
from fabula.errors import NotFound
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.agents.receipts import told_receipt
from fabula.operations.agents.scenes import told_context
from fabula.operations.members import put_member
from fabula.story_memory import StoryMemory
from listening import Listening, listening, spoken

HEADER = "x-fabula-receipt"
LABELS = ["文风", "江离", "收尾"]


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("receipts"), model_calls_per_minute=0) as running:
        yield running


def told(on: Listening, story: StoryMemory) -> tuple[str, dict[str, Any]]:
    """Ask for a context with a receipt, and return the address of receipts and the context."""
    path = f"/api/v2/stories/{story.id}"
    asked = {"chapter": 0, "scene": 0, "text": "江离来了。", "receipt": True}
    answer: dict[str, Any] = on.client.post(f"{path}/context/assemble", json=asked).json()
    return f"{path}/receipts", answer


def test_a_receipt_is_listed_read_compared_and_made_again(on: Listening) -> None:
    path, context = told(on, on.story())
    receipt_id = context["receiptId"]
    listed = on.client.get(path).json()
    assert [one["id"] for one in listed["content"]] == [receipt_id]
    read = on.client.get(f"{path}/{receipt_id}").json()
    assert [one["label"] for one in read["told"]] == LABELS
    assert [one["reason"] for one in read["leftOut"]] == []
    again = on.client.post(f"{path}/{receipt_id}/replay").json()
    assert (again["same"], again["reasons"], again["messages"]) == (True, [], context["messages"])
    nothing = on.client.post(f"{path}/diff", json={"from": receipt_id, "to": receipt_id}).json()
    assert nothing["from"] == nothing["to"] == listed["content"][0]
    assert nothing["difference"]["sameMessages"] is True
    less = on.client.post(f"{path}/{receipt_id}/what-if", json={"tokenBudget": 0}).json()
    assert [one["label"] for one in less["then"]["difference"]["went"]] == LABELS
    piece = {key: read["told"][0][key] for key in ("kind", "id")}
    assert on.client.post(f"{path}/{receipt_id}/to-include", json=piece).json()["told"] is True


@pytest.mark.parametrize(
    ("address", "body", "status", "code"),
    [
        ("nothing", None, 404, "NOT_FOUND"),
        ("nothing/replay", {}, 404, "NOT_FOUND"),
        ("diff", {"from": "a"}, 400, "VALIDATION_ERROR"),
        ("{id}/what-if", {}, 400, "VALIDATION_ERROR"),
        ("{id}/what-if", {"tokenBudget": -1}, 400, "VALIDATION_ERROR"),
        ("{id}/what-if", {"hide": "nobody"}, 404, "NOT_FOUND"),
        ("{id}/to-include", {"kind": "entry", "id": "nobody"}, 404, "NOT_FOUND"),
    ],
)
def test_bad_requests_are_refused(on: Listening, address: str, body: Any, status: int, code: str) -> None:
    path, context = told(on, on.story())
    where = f"{path}/{address.format(id=context['receiptId'])}"
    answer = on.client.get(where) if body is None else on.client.post(where, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["suggestion"]


def test_chat_and_proxy_name_their_receipt_in_a_header(on: Listening) -> None:
    story = on.story()
    question = spoken("user", "江离在哪里？")
    on.played.plays(completion("好。"), completion("好。"))
    chat = on.chat(story, messages=[question], stream=False)
    proxy = on.complete(f"fabula/{story.id}", question)
    assert chat.json()["context"]["receiptId"] == chat.headers[HEADER]
    path = f"/api/v2/stories/{story.id}/receipts"
    for door, answer, body in zip(("chat", "proxy"), (chat, proxy), on.played.bodies[-2:], strict=True):
        receipt = on.client.get(f"{path}/{answer.headers[HEADER]}").json()
        assert (receipt["door"], [one["label"] for one in receipt["told"]]) == (door, LABELS)
        again = on.client.post(f"{path}/{receipt['id']}/replay").json()
        assert (again["same"], again["messages"]) == (True, body["messages"])
    on.played.plays(completion("好。"))
    assert HEADER not in on.complete("some-model", question).headers


def test_readers_may_ask_and_strangers_may_not(tmp_path: Path) -> None:
    with listening(tmp_path, auth_required=True) as house:
        story, call, tokens = house.story(), house.memory.call, {}
        receipt_id = story.context(0, 0, "江离", receipt=True).receipt_id
        for name, role in (("reader", Role.READER), ("stranger", None)):
            add_user(call(), name=name)
            tokens[name] = {"authorization": f"Bearer {create_token(call(), user_name=name).secret}"}
            if role is not None:
                put_member(call(), project_id=story.id, user_name=name, role=role)
        path = f"/api/v2/stories/{story.id}/receipts"
        asked: list[tuple[str, str, Any]] = [
            ("GET", path, None),
            ("GET", f"{path}/{receipt_id}", None),
            ("POST", f"{path}/diff", {"from": receipt_id, "to": receipt_id}),
            ("POST", f"{path}/{receipt_id}/replay", None),
            ("POST", f"{path}/{receipt_id}/what-if", {"tokenBudget": 9}),
            ("POST", f"{path}/{receipt_id}/to-include", {"kind": "entry", "id": "nobody"}),
        ]
        seen = {
            name: [
                house.client.request(method, where, json=body, headers=tokens[name]).status_code
                for method, where, body in asked
            ]
            for name in tokens
        }
        assert seen == {"reader": [200, 200, 200, 200, 200, 404], "stranger": [403] * 6}


def test_an_agent_sees_only_receipts_of_agents_with_its_own_eyes(memory: Memory) -> None:
    story = memory.story("Fog", language="en")
    story.entity.create(type="character", name="Ada", description="Keeps the lamp.")
    call, own = memory.call(), {"project_id": story.id}
    asked = {**own, "chapter": 0, "scene": 0, "text": "Ada waits."}
    mine = told_context(call, **asked).receipt_id
    seen = told_receipt(call, **own, receipt_id=mine)
    assert [one.label for one in seen.included] == ["Ada"]
    assert seen.changes is None
    as_ada = replace(call, pov="Ada")
    hers = told_context(as_ada, **asked).receipt_id
    authors = story.context(0, 0, "Ada waits.", receipt=True).receipt_id
    for eyes, receipt_id in ((call, hers), (as_ada, mine), (call, authors)):
        with pytest.raises(NotFound):
            told_receipt(eyes, **own, receipt_id=receipt_id)


def test_what_became_a_secret_is_no_longer_named_to_an_agent(memory: Memory) -> None:
    story = memory.story("Fog", language="en")
    ada = story.entity.create(type="character", name="Ada", description="Keeps the lamp.")
    call, own = memory.call(), {"project_id": story.id}
    receipt_id = told_context(call, **own, chapter=0, scene=0, text="Ada waits.").receipt_id
    story.entity.update(id=ada.id, expected_version=1, patch={"ai_context_level": "never"})
    assert "Ada" not in told_receipt(call, **own, receipt_id=receipt_id).model_dump_json()
