"""File names that every system keeps, and YAML that every reader takes for the same data."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.formats.folder_names import entity_path, entry_path, file_name
from fabula.formats.folder_text import FactLine, FactLines, document
from fabula.formats.safe_yaml import read_yaml
from fabula.model.names import name_key
from fabula.model.wire import visible_text

HARD = "ab \n\t\r:#-'\"\\{}[],&*!|>%@`?~0123.eE林远，。\x85\u2028\ufeff\x01/_=<y"
TEXT = st.text(
    st.sampled_from(HARD) | st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30
)
KEY = TEXT.filter(lambda text: bool(text.strip()))
WORDS = ("yes", "no", "null", "1e5", "0x1F", "12:30", "2026-01-01", "~", "<<", "=", "1_000", "n")
SCALAR = (
    TEXT
    | st.sampled_from(WORDS)
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
)
DATA = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3), max_leaves=6
)
ROWS = st.lists(st.dictionaries(KEY, DATA, max_size=3), max_size=3).map(FactLines)


def names() -> st.SearchStrategy[str]:
    """What may be the name of somebody."""

    def is_name(text: str) -> bool:
        try:
            return visible_text(text) == text
        except ValueError:
            return False

    hard = st.sampled_from(
        ("CON", "con", "nul.txt", "a/b", "a_b", "..", ".", "a.", "é", "e\u0301", "ß", "SS", "ﬁ", "K", "ı")
    )
    return (hard | TEXT | st.text(min_size=1, max_size=256)).filter(is_name)


@settings(max_examples=examples(60))
@given(st.dictionaries(KEY, DATA | ROWS, min_size=1, max_size=3))
def test_what_is_written_is_read_by_every_reader(data: dict[str, Any]) -> None:
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        assert json.dumps(read_yaml(document(data), loader=loader).value) == json.dumps(data)


def test_one_fact_is_one_line() -> None:
    told = {
        "name": "林远",
        "since": FactLine(chapter=1),
        "description": "一。\n\n二。\n",
        "attributes": {"age": 27, "tags": ["a", "b"], "\u2028" * 256: "x"},
        "relations": FactLines([{"to": "character/苏晚", "since": {"chapter": 3}}]),
    }
    text = document(told).decode()
    assert text.splitlines()[:8] == [
        "name: 林远",
        "since: {chapter: 1}",
        "description: |",
        "  一。",
        "",
        "  二。",
        "attributes:",
        "  age: 27",
    ]
    assert text.endswith("relations:\n  - {to: character/苏晚, since: {chapter: 3}}\n")
    assert read_yaml(text.encode()).value == told


@given(names())
def test_a_file_name_is_safe_everywhere(name: str) -> None:
    made = file_name(name)
    assert made not in ("", ".", "..")
    assert made == made.strip(". ")
    assert len(f"{made}.yaml".encode()) <= 143
    assert not set(made) & set('<>:"/\\|?*\x00\x7f\n\r\t')
    assert made.split(".")[0].lower() not in ("con", "prn", "aux", "nul", "com1", "lpt9")
    assert unicodedata.is_normalized("NFC", made)


@given(names(), names())
def test_two_names_are_two_files_on_every_file_system(one: str, other: str) -> None:
    if name_key(one) != name_key(other):
        for fold in (str.casefold, str.lower, str.upper):
            made = [fold(unicodedata.normalize("NFD", file_name(name))) for name in (one, other)]
            assert made[0] != made[1]


@pytest.mark.parametrize("name", ["林远", "Jiang Li", "O'Brien", "第39级台阶", "作者札记：秦烛之死"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert entity_path("character", name) == f"entities/character/{name}.yaml"
    assert entry_path(name) == f"lorebook/{name}.yaml"
