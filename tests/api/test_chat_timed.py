"""Timed effects of lorebooks in real conversations: the official client, turn by turn, beside SillyTavern."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from endpoints import completion
from listening import Listening, listening
from observed_scans import Case, cases
from scanned_books import scanned_book

CASES: dict[str, Case] = {case["id"]: case for case in cases()["timed"]}
# These change a book in the middle of a conversation, or have a budget that was counted by another tokenizer.
CASES = {
    name: case
    for name, case in CASES.items()
    if not any("book" in turn for turn in case["turns"]) and case["settings"]["maxContext"] > 1_000
}


def only_grows(case: Case) -> bool:
    """Whether each turn goes on where the one before it stood, which the messages themselves tell."""
    chats = [turn["chat"] for turn in case["turns"]]
    is_one = not any(turn.get("newChatFile") for turn in case["turns"])
    return is_one and all(later[: len(chat)] == chat for chat, later in itertools.pairwise(chats))


RUNS = [(name, True) for name in CASES] + [(name, False) for name in CASES if only_grows(CASES[name])]


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("timed"), model_calls_per_minute=0) as running:
        running.played.plays(completion("…"))
        yield running


def said(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": "user" if one["is_user"] else "assistant", "content": one["mes"], "name": one["name"]}
        for one in turn["chat"]
    ]


@pytest.mark.parametrize(("name", "has_id"), RUNS)
def test_a_conversation_goes_on_as_in_sillytavern(on: Listening, name: str, has_id: bool) -> None:
    case = CASES[name]
    story = on.memory.story(f"{name} {has_id}", language="en")
    scanned_book(story, case["book"]["entries"].values(), settings=case["settings"])
    direct = openai.DefaultHttpxClient(trust_env=False)
    chat = 0
    with openai.OpenAI(base_url=f"{on.url}/v1", api_key="x", max_retries=0, http_client=direct) as client:
        for number, (turn, expected) in enumerate(zip(case["turns"], case["expect"], strict=True)):
            chat += bool(turn.get("newChatFile"))
            wish = {
                "user": case["user"],
                "char": case["char"],
                "conversationId": f"{name} {chat}" if has_id else "",
                "tokenBudget": case["settings"]["maxContext"],
                "trigger": turn.get("scanData", {}).get("trigger", "normal"),
            }
            messages: Any = said(turn)
            if turn.get("dryRun"):
                asked = {**wish, "messages": messages, "dryRun": True, "conversationId": "x"}
                answer = on.client.post(f"/api/v2/stories/{story.id}/context/chat", json=asked)
                assert answer.status_code == 200, answer.text
                added = [one["content"] for one in answer.json()["messages"] if one["added"]]
            else:
                client.chat.completions.create(
                    model=f"fabula/{story.id}", messages=messages, extra_body={"fabula": wish}
                )
                sent = on.played.bodies[-1]["messages"]
                added = [one["content"] for one in sent if one not in messages]
            assert "\n".join(added) == expected["before"], f"turn {number}"
