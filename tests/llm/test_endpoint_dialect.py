"""An endpoint is asked as it wants to be asked, once its refusals have taught how."""

from __future__ import annotations

import json
from typing import Any

import pytest

from endpoints import Connected, asking, completion, model, refusal
from fabula.errors import LlmUnavailable
from fabula.llm.chat import ChatRequest
from fabula.model.context import ChatMessage

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def test_a_schema_is_sent_as_the_protocol_has_it(house: Connected) -> None:
    house.played.plays(completion("{}"))
    model(house).complete(asking(json_schema=SCHEMA, json_schema_name="person"))
    described = {"name": "person", "schema": SCHEMA, "strict": True}
    assert house.played.bodies[0]["response_format"] == {"type": "json_schema", "json_schema": described}


@pytest.mark.parametrize(
    "loose",
    [
        {
            "type": "object",
            "properties": {"a": {}, "b": {}},
            "required": ["a"],
            "additionalProperties": False,
        },
        {"type": "object"},
        {"type": "array", "items": [{"type": "object", "properties": {}}]},
    ],
)
def test_a_schema_that_leaves_something_open_is_not_called_strict(
    house: Connected, loose: dict[str, Any]
) -> None:
    house.played.plays(completion("{}"))
    model(house).complete(asking(json_schema=loose))
    assert house.played.bodies[0]["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize("status", [400, 422, 500])
def test_an_endpoint_that_refuses_schemas_gets_less_and_is_remembered(house: Connected, status: int) -> None:
    asked_for = []

    def picky(handler: Any) -> None:
        wanted = house.played.bodies[-1].get("response_format", {}).get("type")
        asked_for.append(wanted)
        (completion('{"name": "林远"}') if wanted is None else refusal(status))(handler)

    house.played.plays(picky)
    tried = 4 if status == 500 else 1
    shy = model(house)
    for _ in range(2):
        assert shy.complete(asking("谁？", json_schema=SCHEMA)).text == '{"name": "林远"}'
    assert asked_for == ["json_schema"] * tried + ["json_object"] * tried + [None, None]
    last = house.played.bodies[-1]["messages"][-1]
    assert last["role"] == "user"
    assert last["content"].startswith("谁？\n\n")
    assert json.loads(last["content"].rsplit("\n", 1)[1]) == SCHEMA


def test_json_without_a_schema_gets_the_schema_in_the_prompt(house: Connected) -> None:
    house.played.plays(refusal(400), completion("{}"))
    closing_turn = ChatMessage(role="assistant", content="{")
    request = ChatRequest(messages=(closing_turn,), json_schema=SCHEMA)
    model(house).complete(request)
    assert house.played.bodies[1]["response_format"] == {"type": "json_object"}
    first, added = house.played.bodies[1]["messages"]
    assert (first["content"], added["role"]) == ("{", "user")
    assert json.dumps(SCHEMA) in added["content"]


def test_a_refusal_that_was_not_about_the_schema_is_told_and_not_remembered(house: Connected) -> None:
    house.played.plays(refusal(400, "The context is too long: 9000 tokens."))
    proud = model(house)
    with pytest.raises(LlmUnavailable) as refused:
        proud.complete(asking(json_schema=SCHEMA))
    assert refused.value.details == {
        "reason": "refused",
        "status": 400,
        "said": "The context is too long: 9000 tokens.",
    }
    assert "9000 tokens" in refused.value.message
    assert len(house.played.asked) == 3
    house.played.plays(completion("{}"))
    proud.complete(asking(json_schema=SCHEMA))
    assert house.played.bodies[-1]["response_format"]["type"] == "json_schema"


def test_parameters_that_a_model_does_not_take_are_left_away(house: Connected) -> None:
    house.played.plays(
        refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refusal(400, "Unsupported value: 'temperature' does not support 0."),
        completion("好"),
    )
    picky = model(house)
    for _ in range(2):
        assert picky.complete(asking(temperature=0.0, max_tokens=9)).text == "好"
    assert len(house.played.asked) == 4
    for body in house.played.bodies[2:]:
        assert body["max_completion_tokens"] == 9
        assert not {"temperature", "max_tokens"} & body.keys()
