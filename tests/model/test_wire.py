"""What may travel and what may not."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fabula.model.entity import Entity
from fabula.model.story import Limits
from fabula.model.wire import (
    MAX_INTEGER,
    MAX_JSON_BYTES,
    MAX_JSON_DEPTH,
    MAX_KEY_LENGTH,
    safe_json,
    safe_text,
    visible_text,
)


def nested(levels: int, core: Any) -> dict[str, Any]:
    value = core
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return {"a": value}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text("a林é", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", min_size=1), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text("ab林", min_size=1, max_size=4), json_values, max_size=4))
def test_plain_json_passes_unchanged(value: dict[str, Any]) -> None:
    assert safe_json(value) is value


def test_depth_is_bounded() -> None:
    assert safe_json(nested(MAX_JSON_DEPTH - 1, 1))
    with pytest.raises(ValueError, match="deeper"):
        safe_json(nested(MAX_JSON_DEPTH, 1))
    with pytest.raises(ValueError, match="deeper"):
        safe_json(nested(100_000, 1))


@pytest.mark.parametrize(
    "value",
    [
        {"a": "x" * MAX_JSON_BYTES},
        {"a": [0] * (MAX_JSON_BYTES // 8)},
        {f"{number:06}": None for number in range(MAX_JSON_BYTES // 14 + 1)},
    ],
)
def test_size_is_bounded(value: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="larger"):
        safe_json(value)


def test_a_large_object_within_the_bound_passes() -> None:
    assert safe_json({"a": "x" * (MAX_JSON_BYTES - 100)})


@pytest.mark.parametrize(
    "value",
    [
        {"a": float("nan")},
        {"a": [float("inf")]},
        {"a": MAX_INTEGER + 1},
        {"a": -MAX_INTEGER - 1},
        {"a": "\x00"},
        {"a": "\ud800"},
        {"\udfff": 1},
        {"": 1},
        {" \t": 1},
        {1: 1},
        {"a": {2: 1}},
        {"k" * (MAX_KEY_LENGTH + 1): 1},
        {"a": b"bytes"},
        {"a": {1, 2}},
        {"a": object()},
    ],
)
def test_what_json_cannot_hold_is_refused(value: dict[Any, Any]) -> None:
    with pytest.raises(ValueError, match=r"JSON|NUL|key|beyond"):
        safe_json(value)


def test_the_largest_integer_and_the_longest_key_pass() -> None:
    assert safe_json({"k" * MAX_KEY_LENGTH: MAX_INTEGER})


@given(st.text(st.characters(), max_size=10))
def test_safe_text_refuses_exactly_what_cannot_be_kept(text: str) -> None:
    unfit = "\x00" in text or any(unicodedata.category(character) == "Cs" for character in text)
    if unfit:
        with pytest.raises(ValueError, match="NUL"):
            safe_text(text)
    else:
        assert safe_text(text) == text


@given(st.text(st.characters(), max_size=6) | st.text("\u200b\u0301\u3000 \u200da\n林\ud800\x00", max_size=6))
def test_visible_text_is_trimmed_and_has_something_to_see(text: str) -> None:
    trimmed = text.strip()
    categories = [unicodedata.category(character) for character in trimmed]
    visible = any(category[0] not in "CZM" for category in categories)
    if visible and not {"Cc", "Cs"} & set(categories):
        assert visible_text(text) == trimmed
    else:
        with pytest.raises(ValueError, match="must"):
            visible_text(text)


@pytest.mark.parametrize(
    "text", ["", " \u3000", "\u200b", "\u0301", "a\nb", "a\x00", "\ud800", "\u200b\u0301 "]
)
def test_text_without_a_visible_character_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must"):
        visible_text(text)


@pytest.mark.parametrize("text", ["林", "e\u0301", "👩\u200d🚀", "\u202eabc", "x\u200by"])
def test_text_with_a_visible_character_is_accepted(text: str) -> None:
    assert visible_text(f" {text}\u3000") == text


def test_values_are_frozen_camel_case_and_closed() -> None:
    limits = Limits.model_validate({"maxEntities": 3})
    assert limits.max_entities == 3
    assert limits.model_dump(by_alias=True)["maxEntities"] == 3
    with pytest.raises(ValidationError):
        Limits.model_validate({"maxEntitiez": 3})
    with pytest.raises(ValidationError):
        limits.max_entities = 4


def test_a_trusted_value_is_the_checked_value() -> None:
    fields: dict[str, Any] = {
        "id": "e",
        "project_id": "p",
        "type": "character",
        "name": "林远",
        "description": "",
        "attributes": {"a": 1},
        "aliases": ("阿远",),
        "names": (),
        "ai_context_level": "always",
        "secrecy": "public",
        "significance": 0.5,
        "layout_x": None,
        "layout_y": 1.0,
        "prompt_text": "a: 1",
        "since": None,
        "until": None,
        "valid_from": None,
        "valid_to": None,
        "told": None,
        "version": 1,
        "created_at": "2026-01-01T00:00:00.000000Z",
        "updated_at": "2026-01-01T00:00:00.000000Z",
    }
    checked = Entity(**fields)
    trusted = Entity.trusted(
        **{**fields, "ai_context_level": checked.ai_context_level, "secrecy": checked.secrecy}
    )
    assert trusted == checked
    assert trusted.model_dump_json(by_alias=True) == checked.model_dump_json(by_alias=True)
    assert trusted.model_copy(update={"name": "x"}) == checked.model_copy(update={"name": "x"})
