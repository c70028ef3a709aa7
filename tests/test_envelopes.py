"""The two shapes of an answer, made from any value that can come up."""

from __future__ import annotations

import json

import pytest

from fabula.api.envelope import answer_body, answer_message, error_body, failure, parse_json, refusal
from fabula.errors import FabulaError, InvalidInput, NotFound, SubgraphKExceeded, all_errors
from fabula.memory import Memory
from fabula.model.account import LOCAL
from fabula.story_memory import StoryMemory


@pytest.mark.parametrize("kind", all_errors(), ids=lambda kind: kind.code)
def test_every_error_has_its_shape(kind: type[FabulaError]) -> None:
    assert json.loads(failure(kind("Why."))) == {
        "ok": False,
        "error": {"code": kind.code, "message": "Why.", "suggestion": kind.default_suggestion},
    }
    full = kind("Why.", details={"a": 1}, suggestion="Do this.")
    expected = {"code": kind.code, "message": "Why.", "details": {"a": 1}, "suggestion": "Do this."}
    assert json.loads(error_body(full)) == expected
    assert json.loads(failure(full, 5, with_id=True)) == {"id": 5, "ok": False, "error": expected}


@pytest.mark.parametrize("number", [0, -1, 2**53, 2**63, 2**64, 10**40])
def test_details_may_hold_any_integer(number: int) -> None:
    error = SubgraphKExceeded("Too far.", details={"requestedK": number})
    assert json.loads(error_body(error))["details"] == {"requestedK": number}


def test_what_utf8_cannot_hold_does_not_break_the_answer() -> None:
    assert json.loads(error_body(InvalidInput("a\ud800b")))["message"] == "a?b"


def test_a_refusal_looks_as_its_door_does() -> None:
    error = NotFound("Nothing.")
    assert json.loads(refusal("/api/v2/stories", error))["code"] == "NOT_FOUND"
    assert json.loads(refusal("/api/v2/ipc/knowledge:entity:read", error))["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 10_000, b"\xff", b'"\\ud800"', b"NaN", "{", "nul"])
def test_what_is_no_json_is_invalid_input(text: bytes | str) -> None:
    with pytest.raises(InvalidInput):
        parse_json(text)


def test_an_answer_is_camel_case_all_the_way_down(memory: Memory, story: StoryMemory) -> None:
    create = {
        "projectId": story.id,
        "type": "item",
        "name": "铜铃",
        "attributes": {"snake_key": {"in_it": 1}},
    }
    answer = json.loads(
        answer_body(memory, "knowledge:entity:create", json.dumps(create).encode(), identity=LOCAL)
    )
    entity = answer["data"]
    assert entity.pop("attributes") == {"snake_key": {"in_it": 1}}
    assert not any("_" in key for key in entity)


def test_a_message_is_answered_under_its_id(memory: Memory, story: StoryMemory) -> None:
    call = {"id": "q", "channel": "knowledge:entity:list", "payload": {"projectId": story.id}}
    answer = answer_message(memory, json.dumps(call), identity=LOCAL)
    assert json.loads(answer) == {"id": "q", "ok": True, "data": {"items": [], "totalCount": 0}}
