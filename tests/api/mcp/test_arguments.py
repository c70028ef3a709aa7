"""Arguments written as JSON in strings mean what they mean as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.api.mcp.arguments import read_arguments
from fabula.api.mcp.tools import TOOLS

words = st.text(max_size=12)
PROPOSE = TOOLS["propose_extractions"].input_schema
proposals = st.lists(
    st.fixed_dictionaries(
        {"entityName": words, "aliases": st.lists(words, max_size=3)},
        optional={"attributes": st.dictionaries(words, words, max_size=2), "confidence": st.floats(0, 1)},
    ),
    max_size=3,
)


def quoted(value: Any) -> Any:
    """The value with everything but texts written as JSON in a string, from the inside out."""
    if isinstance(value, dict):
        return {
            key: item if isinstance(item, str) else json.dumps(quoted(item)) for key, item in value.items()
        }
    if isinstance(value, list):
        return [item if isinstance(item, str) else quoted(item) for item in value]
    return value


@pytest.mark.long
@given(proposals, words, st.integers(0, 9))
def test_what_is_quoted_is_read_as_what_it_is(found: list[Any], text: str, chapter: int) -> None:
    plain = {"proposals": found, "text": text, "chapter": chapter}
    assert read_arguments(plain, PROPOSE) == plain
    assert read_arguments(quoted(plain), PROPOSE) == plain


@given(words)
def test_a_text_stays_the_text_it_is_even_if_it_looks_like_something_else(text: str) -> None:
    for said in (text, json.dumps([text]), "3", "null", "true"):
        assert read_arguments({"text": said}, PROPOSE) == {"text": said}


@given(st.one_of(st.text(), st.lists(st.integers()), st.dictionaries(st.text(), st.text()), st.none()))
def test_nothing_that_is_sent_breaks_the_reading(anything: Any) -> None:
    for name in PROPOSE["properties"]:
        read_arguments({name: anything}, PROPOSE)
