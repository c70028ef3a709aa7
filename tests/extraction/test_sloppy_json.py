import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.extraction.sloppy_json import NoJson, parse

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Here you are:\n```json\n{"a": [1, 2,],}\n```\nAnything else?', {"a": [1, 2]}),
        ("{'a': 'it''s', b: True, c: None}", {"a": "it''s", "b": True, "c": None}),
        ('{"a": “林逸”，"b"：2}', {"a": "林逸", "b": 2}),
        ('<think>{"a": 0}</think>{"a": 1}', {"a": 1}),
        ('{"a": 1 /* one */, "b": 2 // two\n}', {"a": 1, "b": 2}),
        ('{"a": "he said "no" and left", "b": 1}', {"a": 'he said "no" and left', "b": 1}),
        ('[{"a": 1} {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ('{"a": "他说"不"，然后走了", "b": 1}', {"a": '他说"不"，然后走了', "b": 1}),
        ('{"a": "林逸"、"b": ["阿逸"，"逸儿"]，"c"：2}', {"a": "林逸", "b": ["阿逸", "逸儿"], "c": 2}),
    ],
)
def test_what_a_model_meant_is_read(answer: str, value: Any) -> None:
    assert parse(answer).value == value


def test_of_an_answer_that_broke_off_what_is_whole_is_kept() -> None:
    parsed = parse('{"entities": [{"name": "A", "confidence": 0.9}, {"name": "B", "conf')

    assert parsed.is_cut
    assert parsed.value == {"entities": [{"name": "A", "confidence": 0.9}, {"name": "B"}]}


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "<html><body>502</body></html>"])
def test_an_answer_without_json_is_refused(answer: str) -> None:
    with pytest.raises(NoJson):
        parse(answer)


def test_a_deep_nest_is_refused_and_not_followed() -> None:
    with pytest.raises(NoJson):
        parse("[" * 100_000)


@settings(max_examples=examples(80), deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=6), values, max_size=4) | st.lists(values, max_size=4))
def test_good_json_is_read_as_it_is(value: Any) -> None:
    parsed = parse(f"Answer:\n{json.dumps(value, ensure_ascii=False)}")

    assert parsed.value == value


@settings(max_examples=examples(80), deadline=None)
@given(st.text(alphabet="{}[]\",:'\\ a1.-“”，：\n/*", max_size=60))
def test_no_answer_hangs_or_breaks_the_reader(answer: str) -> None:
    with suppress(NoJson):
        parse(answer)
