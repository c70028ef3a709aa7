"""What a model is told of an entity."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.model.prompt_text import prompt_text

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
strings = st.one_of(
    st.text(LETTERS, max_size=30),
    st.sampled_from(
        [
            "yes",
            "No",
            "null",
            "~",
            "0x1F",
            "1_000",
            "2020-01-01",
            "<<",
            "=",
            "- a",
            "a: b",
            "#",
            "青云宗",
            "𠮷",
            "😀",
        ]
    ),
)
keys = strings.filter(str.strip)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63) + 1, 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    strings,
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=examples(100), deadline=None)
@given(st.dictionaries(keys, values, min_size=1, max_size=5))
@example({"n": "on", "on": "n"})
@example({"a  b": "c   d", "年龄": 17, "门派": "青云宗"})
def test_the_facts_are_yaml_of_the_attributes(attributes: dict[str, Any]) -> None:
    assert yaml.safe_load(prompt_text("", attributes)) == attributes


plain = st.text(
    st.characters(categories=["L", "Nd"], include_characters="_ ", max_codepoint=0xFFFF), max_size=140
)


@settings(max_examples=examples(100), deadline=None)
@given(plain.filter(str.strip), plain | st.integers(-(10**20), 10**20))
@example("y", "n")
@example("a" * 127, "b" * 127)
@example("a" * 128, "b" * 128)
def test_the_short_cut_writes_what_the_library_writes(key: str, value: str | int) -> None:
    library = yaml.dump(
        {key: value}, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=10_000
    )
    assert prompt_text("", {key: value}) == library.rstrip("\n")


@given(st.text(LETTERS, max_size=40), st.dictionaries(keys, scalars, min_size=1, max_size=3))
def test_prose_comes_first_and_is_not_touched(description: str, attributes: dict[str, Any]) -> None:
    facts = prompt_text("", attributes)
    expected = f"{description.strip()}\n{facts}" if description.strip() else facts
    assert prompt_text(description, attributes) == expected


def test_attributes_keep_the_order_of_the_author() -> None:
    assert prompt_text(" 少年。\n", {"门派": "青云宗", "年龄": 17}) == "少年。\n门派: 青云宗\n年龄: 17"
    assert prompt_text("", {"年龄": 17, "门派": "青云宗"}) == "年龄: 17\n门派: 青云宗"
    assert prompt_text("", {}) == ""


@pytest.mark.parametrize("text", ["𠮷，大侠", "😀!", "名：𡿨"])
def test_rare_characters_reach_the_model_as_themselves(text: str) -> None:
    told = prompt_text("", {"a": text, text: [text]})
    assert "\\U" not in told
    assert told.count(text) == 3


def test_a_value_that_stands_twice_is_told_twice() -> None:
    shared = ["剑", "酒"]
    assert prompt_text("", {"a": {"x": shared, "y": shared}}) == prompt_text(
        "", {"a": {"x": ["剑", "酒"], "y": ["剑", "酒"]}}
    )
